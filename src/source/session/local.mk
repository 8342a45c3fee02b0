# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/session_source.c %D%/session_source.h \
	%D%/session_source_control.c \
	%D%/session_source_ops.c \
	%D%/session_source_ring.c \
	%D%/session_source_state.h \
	%D%/session_source_trace.c \
	%D%/session_source_watch.c
