/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracing, snapshots, recordings.  Opened in this order: the trace before the
 * session, the trigger before the collector, the snapshots after it.  What they
 * are closed by is source_snapshots.h's.
 */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_TRACE_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_TRACE_H

#include "source/session/session_source_state.h"

struct err;

int session_source_open_trace(struct session_source *ss, struct err *err);
int session_source_open_trigger(struct session_source *ss, struct err *err);
int session_source_open_snapshots(struct session_source *ss, struct err *err);
/*
 * Call before the events are enabled: if a recording was requested, enable the
 * side-band, so that no change of the tasks is missed, and start the recording.
 */
int session_source_begin_recording(struct session_source *ss, struct err *err);
/*
 * The event of --snapshot-on call:FUNC.  Opened after the trace, since it adds
 * an event to the list, and before the session; ss->call is closed after it.
 */
int session_source_open_call(struct session_source *ss, struct err *err);
/* Its index; SESSION_SIDE_BAND: no such event. */
size_t session_source_call(const struct session_source *ss);
/* Start the snapshot thread, with the recording of -o requested. */
int session_source_start_snapshot_thread(struct session_source *ss,
					 struct err *err);
/* Operation to enable tracing events again; NULL if none traces. */
int (*session_source_read_finish(const struct session_source *ss))(int fd);
/* Log the warning of auxtrace_open(); it is the notice if none is set. */
void session_source_warn_of_trace(struct session_source *ss);

#endif
