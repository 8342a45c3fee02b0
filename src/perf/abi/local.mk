# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/aux_ring.c %D%/aux_ring.h \
	%D%/perf_clock.c %D%/perf_clock.h \
	%D%/record.c %D%/record.def %D%/record.h \
	%D%/ring.c %D%/ring.h \
	%D%/sample.c %D%/sample.h \
	%D%/side_band.c %D%/side_band.h
