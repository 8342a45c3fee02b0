# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/host_source.c %D%/host_source.h \
	%D%/session_source.c %D%/session_source.h \
	%D%/session_source_call.c \
	%D%/session_source_control.c \
	%D%/session_source_cpus.c \
	%D%/session_source_impl.h \
	%D%/session_source_read.c \
	%D%/session_source_readers.c \
	%D%/session_source_request.c \
	%D%/session_source_samples.c \
	%D%/session_source_trace.c \
	%D%/session_source_watch.c \
	%D%/source.c %D%/source.h \
	%D%/source_notes.c %D%/source_notes.h \
	%D%/source_snapshots.c %D%/source_snapshots.h
