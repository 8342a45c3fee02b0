/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that takes snapshots (snapshot_taker.c), on request, at intervals
 * (--snapshot-every) and when a condition is met (--snapshot-on), and makes
 * recordings (recorder.c), so that a slow disk delays neither drains nor
 * screens.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/log.h"

struct auxtrace;
struct auxtrace_env;
struct collector;
struct err;
struct perfdata_machine;
struct request_snapshot;
struct session;
struct session_opts;
struct snapshot_thread;
struct snapshots;
struct symbol_loader;
struct task_history;
struct trigger;

/* Called with each log line, on the snapshot thread; must sanitize it. */
typedef void snapshot_note_fn(void *ctx, enum log_kind kind, const char *text);

struct snapshot_opts {
	/* borrowed; must outlive the thread */
	struct session *session;
	const struct session_opts *session_opts;
	struct collector *collector;
	const struct auxtrace *trace;	/* NULL: no event traces */
	const struct auxtrace_env *env;
	struct task_history *tasks;	/* NULL: none is kept; then files get
					 * all records of the histories */
	bool tasks_made_up;		/* @tasks is complete: /proc and the
					 * tasks' files are not read */
	const struct perfdata_machine *machine;
	struct symbol_loader *loader;	/* of build-ids; NULL: none are read */
	struct trigger *trigger;	/* NULL: none */
	const char *dir;		/* --output; NULL: the current
					 * directory */
	unsigned int keep;		/* --keep; 0: all */
	double every;			/* --snapshot-every, seconds; 0: off */
	double cooldown;		/* of the trigger, seconds */
	uint64_t max_record;		/* --max-size, of recordings; 0: none */
	size_t history_bytes;		/* --history, total of all rings */
	bool keep_switches;		/* --switch-events: snapshots contain
					 * all context switches */
	snapshot_note_fn *note;		/* NULL: none */
	void *ctx;			/* argument of note */
};

/*
 * NULL with @err: no memory, or wrong options: files cannot be created in the
 * directory; there is .every or .trigger and no ring to copy, or .trigger and
 * no record in which its condition can be met.
 */
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
 * Notify the thread that the events are enabled: it reads the tasks from /proc
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
