/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracing, snapshots, recordings.  Opened in this order: the trace before the
 * session, the trigger before the collector, the snapshots after it.  Closed by
 * one call before the collector is freed, and one after it.
 */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_TRACE_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_TRACE_H

#include "source/session/session_source_state.h"

struct err;

int session_source_open_trace(struct session_source *ss, struct err *err);
int session_source_open_trigger(struct session_source *ss, struct err *err);
int session_source_open_snapshots(struct session_source *ss, struct err *err);
/*
 * Call this before the events are enabled: if a recording was requested, enable
 * the side-band, so that no change of the tasks is missed, and start it.
 */
int session_source_begin_recording(struct session_source *ss, struct err *err);
/* Once the events are enabled: no change of the tasks is missed then. */
void session_source_start_snapshots(struct session_source *ss);
/* After the last drain: what is being written is finished. */
void session_source_settle_snapshots(struct session_source *ss);
void session_source_close_snapshots(struct session_source *ss);
void session_source_close_trace(struct session_source *ss);
/*
 * The event of --snapshot-on call:FUNC.  Opened after the trace, since it adds
 * an event to the list, and before the session; closed after the session.
 */
int session_source_open_call(struct session_source *ss, struct err *err);
void session_source_close_call(struct session_source *ss);
/* Its index; SESSION_SIDE_BAND: there is none. */
size_t session_source_call(const struct session_source *ss);
/* The thread of snapshots; what has to be known of the others' is these. */
int session_source_start_snapshot_thread(struct session_source *ss,
					 struct err *err);
/* How events that trace are let go on; NULL where none does. */
int (*session_source_read_finish(const struct session_source *ss))(int fd);
struct trigger *session_source_trigger(const struct session_source *ss);
/* Whom the resolver thread tells of tasks; NULL: nobody wants to know. */
struct task_history *session_source_tasks(const struct session_source *ss);
/* Put the warning of auxtrace_open() in the log, and in the notice if unset. */
void session_source_warn_of_trace(struct session_source *ss);
/* As of now; lives until the next call.  For the thread that reads alone. */
const struct snapshots *session_source_snapshots(struct session_source *ss);
/* Any thread: the number of the latest one that has ended; 0: none. */
uint64_t session_source_ended_snapshot(struct session_source *ss);
/* REQUEST_SNAPSHOT, _SNAPSHOT_CANCEL, _RECORD. */
int session_source_request_snapshot(struct session_source *ss,
				    const struct request *rq, struct err *err);

#endif
