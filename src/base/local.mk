# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/array.c %D%/array.h \
	%D%/caps.c %D%/caps.h \
	%D%/cpulist.c %D%/cpulist.h \
	%D%/err.c %D%/err.h \
	%D%/loop.c %D%/loop.h \
	%D%/proc.c %D%/proc.h \
	%D%/random.h \
	%D%/sequence.h \
	%D%/sys.c %D%/sys.h \
	%D%/table.c %D%/table.h \
	%D%/text.c %D%/text.h \
	%D%/times.c %D%/times.h \
	%D%/units.c %D%/units.h \
	%D%/unknown.h
