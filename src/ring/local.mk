# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/advice.c %D%/advice.h \
	%D%/ring_kinds.def %D%/figures.c %D%/figures.def %D%/figures.h \
	%D%/history.c %D%/history.h \
	%D%/log.c %D%/log.h \
	%D%/reading.c %D%/reading.h \
	%D%/request.h \
	%D%/ring_row.c %D%/ring_row.h \
	%D%/ring_stats.c %D%/ring_stats.h \
	%D%/verdict.c
