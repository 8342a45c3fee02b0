# SPDX-License-Identifier: GPL-2.0-or-later
src_librbtop_a_SOURCES += \
	%D%/session_source.c %D%/session_source.h \
	%D%/session_source_control.c %D%/session_source_control.h \
	%D%/session_source_cpus.c %D%/session_source_cpus.h \
	%D%/session_source_read.c %D%/session_source_read.h \
	%D%/session_source_readers.c %D%/session_source_readers.h \
	%D%/session_source_request.c %D%/session_source_request.h \
	%D%/session_source_ring.c %D%/session_source_ring.h \
	%D%/session_source_samples.c %D%/session_source_samples.h \
	%D%/session_source_state.c %D%/session_source_state.h \
	%D%/session_source_trace.c %D%/session_source_trace.h \
	%D%/session_source_watch.c %D%/session_source_watch.h
