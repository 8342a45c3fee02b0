/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the snapshot thread share: its options, and what it
 * publishes, figures for screens and exports and lines for the log.  Then these
 * parts: the queue of requests, recordings, snapshots.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_SHARED_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_SHARED_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/reading.h"
#include "trace/file/ring_view.h"
#include "trace/file/snapshot_files.h"
#include "trace/file/trace_file.h"
#include "trace/snapshot/snapshot.h"
#include "trace/snapshot/snapshot_thread.h"

struct snapshot_shared {
	struct snapshot_opts opts;
	struct event_ids ids;	/* used by the thread only */
	pthread_mutex_t lock;	/* of @now; never held for long */
	struct snapshots now;
};

/* Whether there are rings that can be copied; false with @err. */
bool snapshot_shared_can_take(const struct snapshot_shared *s, struct err *err);
/* Input for files. */
struct trace_file_from snapshot_shared_from(struct snapshot_shared *s);

/* Lock the figures; the caller may change them until it unlocks them. */
struct snapshots *snapshot_shared_lock(struct snapshot_shared *s);
void snapshot_shared_unlock(struct snapshot_shared *s);

void snapshot_shared_note(const struct snapshot_shared *s, enum log_kind kind,
			  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* If not 0, @nr files have no build-ids in @path: see trace_file_build_ids(). */
void snapshot_shared_note_unread(const struct snapshot_shared *s,
				 const char *path, size_t nr);

/*
 * Requests for snapshots.  Snapshots are taken one at a time.  A request that
 * arrives during one is queued; later ones are merged into the queued request,
 * whose snapshot then covers the rings of all of them.
 *
 * Any thread may call these functions; none waits.
 */

struct err;
struct request_snapshot;

/* One snapshot, and the requests that it answers. */
struct snapshot_job {
	uint64_t number;	/* of the snapshot; the queue assigns it */
	size_t *rings;		/* owned; nr 0: all rings */
	size_t nr, room;
	uint64_t requests;	/* 0: no job */
	double at;		/* of the first, CLOCK_MONOTONIC seconds */
	char trigger[96];	/* see struct snapshot_info */
};
void snapshot_job_free(struct snapshot_job *job);

struct snapshot_queue {
	atomic_bool cancel;	/* applies to the job in progress or, if none,
				 * to the next one */
	pthread_mutex_t lock;	/* of what follows */
	bool taking;		/* a job is in progress */
	struct snapshot_job next;
	bool closed, dropped;	/* see snapshot_queue_close() */
	uint64_t numbers;	/* the last one assigned */
	/* see struct snapshots */
	uint64_t requests, merged, queued;
};

void snapshot_queue_init(struct snapshot_queue *q);
void snapshot_queue_free(struct snapshot_queue *q);

/*
 * Add the requests of @job to those of the next one; what it points to is
 * copied.  0 with @got (may be NULL), or -errno with @err: -ENOMEM; -ESHUTDOWN
 * if the queue is closed.
 */
int snapshot_queue_ask(struct snapshot_queue *q, const struct snapshot_job *job,
		       struct request_snapshot *got, struct err *err);
/*
 * The same for jobs of the queue's owner, which snapshot_queue_close() does not
 * refuse.  Once jobs are dropped this returns 0 and does nothing.
 */
int snapshot_queue_add(struct snapshot_queue *q, const struct snapshot_job *job,
		       struct err *err);

/*
 * Take the next job; it is in progress until snapshot_queue_done(), and the
 * caller frees it. requests 0: no job.
 */
struct snapshot_job snapshot_queue_next(struct snapshot_queue *q);
void snapshot_queue_done(struct snapshot_queue *q);

/*
 * Cancel the job in progress or, if none, the next one.  If one is in progress
 * and another is queued, @got (may be NULL) describes that one, which is taken
 * next.  False if there is no job.
 */
bool snapshot_queue_cancel(struct snapshot_queue *q,
			   struct request_snapshot *got);
/* Whether the job in progress was cancelled. */
bool snapshot_queue_is_cancelled(const struct snapshot_queue *q);

/* Refuse further requests.  @drop: also cancel the present ones. */
void snapshot_queue_close(struct snapshot_queue *q, bool drop);

/* The number of the snapshot that will be taken next; 0: none. */
uint64_t snapshot_queue_waiting(struct snapshot_queue *q);
/* Set the figures of @out that count requests. */
void snapshot_queue_figures(struct snapshot_queue *q, struct snapshots *out);

/*
 * Makes recordings (recording.h), one at a time: starts and ends them on
 * request of other threads, makes their passes when due, and publishes the
 * progress.
 */

struct loop;
struct loop_source;
struct recording;

struct recorder {
	struct snapshot_shared *shared;	/* set by the owner; borrowed */

	/* used by the snapshot thread only */
	struct loop_source *timer;	/* next pass */
	struct recording *recording;	/* NULL: none in progress */
	double pass_at;		/* of the next pass, CLOCK_MONOTONIC seconds */
	bool from_start;	/* the next recording includes all that
				 * histories contain */

	pthread_mutex_t lock;	/* of the following; never held for long */
	bool on;		/* in progress, or requested */
	bool asked, end_asked;	/* requests not served yet */
	bool closed;
	char path[PATH_MAX];	/* of the requested one; "": default name */
};

void recorder_init(struct recorder *r);
/* Cancels the recording in progress: its file is removed. */
void recorder_free(struct recorder *r);

/* Functions for any thread; they never wait for a disk. */

/*
 * Request a recording to @path (NULL: a default name in the directory; "-" is
 * refused), or the end of the one in progress.  0 or -errno with @err.
 */
int recorder_ask(struct recorder *r, const char *path, struct err *err);
int recorder_ask_end(struct recorder *r, struct err *err);
/* Whether a recording is requested but not started. */
bool recorder_is_asked(struct recorder *r);
/* Refuse further requests. */
void recorder_close(struct recorder *r);

/* Functions for the snapshot thread, or before it is started. */

/* Add to @loop what makes the passes.  0 or -errno. */
int recorder_add_sources(struct recorder *r, struct loop *loop);
/* Keep histories of the rings from now on.  0 or -ENOMEM with @err. */
int recorder_keep_history(struct recorder *r, struct err *err);
/* Start the recording, or end it, if that was requested. */
void recorder_begin_asked(struct recorder *r);
void recorder_end_asked(struct recorder *r);
/* End the recording in progress, if any. */
void recorder_end(struct recorder *r);
/* Make a pass if one is due. */
void recorder_pass_if_due(struct recorder *r);

/*
 * Takes the requested snapshots: allocates memory for all rings; stops tracing
 * in them; copies their contents; resumes tracing; drains the data rings, for
 * the records of the stop; then writes the file (see base/file/new_file.h).
 * Overwrite data rings are paused and copied during the same stop.
 *
 * Runs on the snapshot thread.
 */

struct snapshot_taker {
	/* set by the owner; borrowed */
	struct snapshot_shared *shared;
	struct snapshot_queue *queue;
	struct recorder *recorder;	/* makes its passes between pieces of a
					 * file */
	struct snapshot_from from;	/* session and trace */

	struct snapshot_files files;
	double since;		/* time the events were enabled */
};

/*
 * Call when the events are enabled, at @since (CLOCK_MONOTONIC seconds):
 * allocates memory in advance, so that the first snapshot need not wait for it.
 */
void snapshot_taker_prepare(struct snapshot_taker *taker, double since);
/* Take the next snapshot of the queue, if any. */
void snapshot_taker_take(struct snapshot_taker *taker);
void snapshot_taker_free(struct snapshot_taker *taker);

#endif
