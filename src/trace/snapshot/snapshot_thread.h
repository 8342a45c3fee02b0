/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that takes snapshots (snapshot_taker.h) and makes recordings
 * (recorder.h): nothing that a disk does can delay a drain or a screen.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "trace/snapshot/snapshot_opts.h"

struct err;
struct request_snapshot;
struct snapshot_thread;

/* NULL with @err: no memory, or what snapshot_opts_check() finds. */
struct snapshot_thread *snapshot_thread_new(const struct snapshot_opts *opts,
					    struct err *err);
/*
 * Arm the trigger, which is before the events are enabled, and start the
 * thread.  It waits until they are.
 */
int snapshot_thread_start(struct snapshot_thread *t, struct err *err);
/*
 * Start a recording that was requested, up to the first record of a ring.  Call
 * this when the side-band is enabled and the events are not yet.  Returns when
 * that is done, or after some seconds, since a disk may not answer.
 */
void snapshot_thread_begin(struct snapshot_thread *t);
/*
 * They are, from now on: it has the tasks read from /proc (tasks may be NULL:
 * then that is done for each file) and counts --snapshot-every.
 */
void snapshot_thread_enabled(struct snapshot_thread *t);
/*
 * The session was ended, the rings were drained: a recording is finished, for
 * nothing more comes; neither trigger nor --snapshot-every go on; where @last
 * is not NULL one more snapshot is taken, for that reason.  Back when all of
 * it is written.  What the rings hold can still be asked for.  Any thread.
 */
void snapshot_thread_settle(struct snapshot_thread *t, const char *last);
/*
 * What is being written is finished, a recording too, then it ends; once the
 * session was ended and the rings drained, so that nothing is missing in it.
 * NULL is fine, and so are several threads at once, all of which come back
 * when it has ended.
 */
void snapshot_thread_stop(struct snapshot_thread *t);
/*
 * Without a stop before: what is being written is given up and what was asked
 * for not begun, so that nothing is left of a start that failed.  NULL is fine.
 */
void snapshot_thread_free(struct snapshot_thread *t);

/* The rest: any thread, never waits for a disk. */

/*
 * Take one of the rings @rings (@nr 0: of all); @trigger says why, for the
 * list.  If another snapshot is being taken, the request is queued; further
 * requests are merged into the queued one.  0 with @got (may be NULL), or
 * -errno with @err: -EOPNOTSUPP with advice if there is nothing to save.
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
 * Record the data rings, and AUX rings in full trace, into @path (NULL: a name
 * of its own in the directory; "-" is refused), or stop doing so.  Before
 * snapshot_thread_start(): from the first record on, and all of the trace.  0
 * or -errno with @err.
 */
int snapshot_thread_record(struct snapshot_thread *t, const char *path,
			   struct err *err);
int snapshot_thread_record_end(struct snapshot_thread *t, struct err *err);

/*
 * The number of the latest one that was taken, failed or was cancelled; 0: none
 * yet.
 */
uint64_t snapshot_thread_ended(struct snapshot_thread *t);
void snapshot_thread_status(struct snapshot_thread *t, struct snapshots *out);

#endif
