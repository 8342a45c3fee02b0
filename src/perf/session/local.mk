# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/perf_clock.c %D%/perf_clock.h \
	%D%/record_clock.c %D%/record_clock.h \
	%D%/session.c %D%/session.h \
	%D%/session_aux.c %D%/session_aux.h \
	%D%/session_aux_hold.c \
	%D%/session_control.c \
	%D%/session_count.c %D%/session_count.h \
	%D%/session_elsewhere.c %D%/session_elsewhere.h \
	%D%/session_error.c %D%/session_error.h \
	%D%/session_filter.c %D%/session_filter.h \
	%D%/session_memory.c %D%/session_memory.h \
	%D%/session_notice.c %D%/session_notice.h \
	%D%/session_open.c \
	%D%/session_slot.c %D%/session_slot.h \
	%D%/session_slot_open.c %D%/session_slot_open.h \
	%D%/session_specs.c %D%/session_specs.h \
	%D%/session_state.h \
	%D%/session_swap.c \
	%D%/session_switch.c %D%/session_switch.h \
	%D%/target.c %D%/target.h \
	%D%/workload.c %D%/workload.h
