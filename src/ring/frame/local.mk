# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/frame.c %D%/frame.h \
	%D%/frame_aux.c %D%/frame_aux.h \
	%D%/frame_log.c %D%/frame_log.h \
	%D%/frame_ring.c %D%/frame_ring.h
