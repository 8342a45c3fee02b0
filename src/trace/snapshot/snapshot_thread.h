/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that takes snapshots (snapshot_taker.h) and makes recordings
 * (recorder.h), so that a slow disk delays neither drains nor screens.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "trace/snapshot/snapshot_opts.h"

struct err;
struct request_snapshot;
struct snapshot_thread;

/* NULL with @err: no memory, or an error of snapshot_opts_check(). */
struct snapshot_thread *snapshot_thread_new(const struct snapshot_opts *opts,
					    struct err *err);
/*
 * Arm the trigger, which must be before the events are enabled, and start the
 * thread.  It waits until they are enabled.  0 or -errno with @err.
 */
int snapshot_thread_start(struct snapshot_thread *t, struct err *err);
/*
 * Start a recording that was requested, up to the first record of a ring.  Call
 * this when the side-band is enabled and the events are not yet.  Returns when
 * that is done, or after some seconds, since a disk may not answer.
 */
void snapshot_thread_begin(struct snapshot_thread *t);
/*
 * Tell the thread that the events are enabled: it reads the tasks from /proc
 * (without opts.tasks this is done for each file) and starts --snapshot-every.
 */
void snapshot_thread_enabled(struct snapshot_thread *t);
/*
 * Call when the session has ended and its rings are drained: a recording is
 * finished; trigger and --snapshot-every stop; if @last is not NULL, one more
 * snapshot is taken, with @last as its trigger.  Returns when all is written.
 * Snapshots of the rings can still be requested.  Any thread.
 */
void snapshot_thread_settle(struct snapshot_thread *t, const char *last);
/*
 * Finish what is being written, including a recording, then end the thread.
 * Call when the session has ended and its rings are drained, so that nothing is
 * missing.  NULL is fine.  Several threads may call it at once: all return when
 * the thread has ended.
 */
void snapshot_thread_stop(struct snapshot_thread *t);
/*
 * Free @t.  Without snapshot_thread_stop(), what is being written is cancelled
 * and requests are dropped, so that a failed start leaves no files.  NULL is
 * fine.
 */
void snapshot_thread_free(struct snapshot_thread *t);

/* The following: any thread; they never wait for a disk. */

/*
 * Take a snapshot of @rings (@nr 0: all); @trigger is shown in the list.  If
 * another snapshot is being taken, the request is queued; further requests are
 * merged into the queued one.  0 with @got (may be NULL), or -errno with @err:
 * -EOPNOTSUPP with advice if there is nothing to save.
 */
int snapshot_thread_take(struct snapshot_thread *t, const size_t *rings,
			 size_t nr, const char *trigger,
			 struct request_snapshot *got, struct err *err);
/*
 * Cancel the snapshot that is being written.  A queued one, which @got (may be
 * NULL) describes, is taken next.  0, or -ENOENT with @err if there is none.
 */
int snapshot_thread_cancel(struct snapshot_thread *t,
			   struct request_snapshot *got, struct err *err);

/*
 * Record the data rings, and AUX rings in full trace, to @path (NULL: a default
 * name in the directory; "-" is refused); or end the recording.  If called
 * before snapshot_thread_start(): from the first record on, with all of the
 * trace.  0 or -errno with @err.
 */
int snapshot_thread_record(struct snapshot_thread *t, const char *path,
			   struct err *err);
int snapshot_thread_record_end(struct snapshot_thread *t, struct err *err);

/*
 * The number of the latest snapshot that was taken, failed or cancelled; 0:
 * none yet.
 */
uint64_t snapshot_thread_ended(struct snapshot_thread *t);
void snapshot_thread_status(struct snapshot_thread *t, struct snapshots *out);

#endif
