# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/frame.c %D%/frame.h \
	%D%/ring_aux_build.c \
	%D%/ring_row_build.c %D%/ring_row_build.h \
	%D%/ring_total.c
