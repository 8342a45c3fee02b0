# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/host_source.c %D%/host_source.h \
	%D%/session_source.c %D%/session_source.h \
	%D%/session_source_aux.c %D%/session_source_aux.h \
	%D%/session_source_call.c %D%/session_source_call.h \
	%D%/session_source_control.c %D%/session_source_control.h \
	%D%/session_source_cpus.c %D%/session_source_cpus.h \
	%D%/session_source_hangups.c %D%/session_source_hangups.h \
	%D%/session_source_read.c %D%/session_source_read.h \
	%D%/session_source_readers.c %D%/session_source_readers.h \
	%D%/session_source_request.c %D%/session_source_request.h \
	%D%/session_source_ring.c %D%/session_source_ring.h \
	%D%/session_source_samples.c %D%/session_source_samples.h \
	%D%/session_source_state.h \
	%D%/session_source_stop.c %D%/session_source_stop.h \
	%D%/session_source_title.c %D%/session_source_title.h \
	%D%/session_source_trace.c %D%/session_source_trace.h \
	%D%/session_source_watch.c %D%/session_source_watch.h \
	%D%/source.c %D%/source.h \
	%D%/source_notes.c %D%/source_notes.h \
	%D%/source_snapshots.c %D%/source_snapshots.h
