# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/recorded.c %D%/recorded.h \
	%D%/recorded_pids.c \
	%D%/timeline.c %D%/timeline.h
