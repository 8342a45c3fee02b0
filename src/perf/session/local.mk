# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/session.c %D%/session.h \
	%D%/session_aux.c %D%/session_aux.h \
	%D%/session_control.c \
	%D%/session_elsewhere.c %D%/session_elsewhere.h \
	%D%/session_error.c %D%/session_error.h \
	%D%/session_filter.c %D%/session_filter.h \
	%D%/session_memory.c %D%/session_memory.h \
	%D%/session_open.c \
	%D%/session_slot.c %D%/session_slot.h \
	%D%/session_slot_open.c %D%/session_slot_open.h \
	%D%/session_specs.c %D%/session_specs.h \
	%D%/session_state.c %D%/session_state.h \
	%D%/session_swap.c
