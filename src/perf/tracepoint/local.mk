# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/filter.c %D%/filter.h \
	%D%/tracefs.c %D%/tracefs.h \
	%D%/tracepoint.c %D%/tracepoint.h \
	%D%/tracepoint_check.c %D%/tracepoint_check.h \
	%D%/tracepoint_ids.c %D%/tracepoint_ids.h \
	%D%/tracepoint_plain.c %D%/tracepoint_plain.h \
	%D%/tracepoint_probe.c %D%/tracepoint_probe.h
