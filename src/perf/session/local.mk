# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/session.c %D%/session.h \
	%D%/session_control.c \
	%D%/session_error.c \
	%D%/session_slot.c \
	%D%/session_specs.c \
	%D%/session_state.h \
	%D%/session_swap.c
