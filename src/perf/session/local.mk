# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/perf_clock.c %D%/perf_clock.h \
	%D%/record_clock.c %D%/record_clock.h \
	%D%/session.c %D%/session.h \
	%D%/session_aux.c \
	%D%/session_control.c \
	%D%/session_elsewhere.c \
	%D%/session_errors.c \
	%D%/session_impl.h \
	%D%/session_memory.c %D%/session_memory.h \
	%D%/session_open.c \
	%D%/session_specs.c \
	%D%/session_swap.c \
	%D%/target.c %D%/target.h \
	%D%/workload.c %D%/workload.h
