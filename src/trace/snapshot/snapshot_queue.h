/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests for snapshots.  Snapshots are taken one at a time.  A request that
 * arrives during one is queued; later ones are merged into the queued request,
 * whose snapshot then covers the rings of all of them.
 *
 * Any thread may call any of these; none waits.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_QUEUE_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct request_snapshot;
struct snapshots;

/* One snapshot, and the requests that it is taken for. */
struct snapshot_job {
	uint64_t number;	/* of the snapshot; the queue assigns it */
	size_t *rings;		/* owned; nr 0: all rings */
	size_t nr;
	uint64_t requests;	/* 0: there is no job */
	double at;		/* of the first, CLOCK_MONOTONIC seconds */
	char trigger[96];	/* see struct snapshot_info */
};
void snapshot_job_free(struct snapshot_job *job);

struct snapshot_queue {
	atomic_bool cancel;	/* the job in hand or, if none, the next one */
	pthread_mutex_t lock;	/* of what follows */
	bool taking;		/* a job is in hand */
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
 * The same for jobs of the owner of the queue, whom snapshot_queue_close() does
 * not stop.  Once jobs are dropped this returns 0 and does nothing.
 */
int snapshot_queue_add(struct snapshot_queue *q, const struct snapshot_job *job,
		       struct err *err);

/*
 * The next job, which is in hand until snapshot_queue_done() and which the
 * caller frees; requests 0: none.
 */
struct snapshot_job snapshot_queue_next(struct snapshot_queue *q);
void snapshot_queue_done(struct snapshot_queue *q);

/*
 * Cancel the job in hand, or the next one if none is.  If one is in hand and
 * another queued, @got (may be NULL) describes that, which is taken next.
 * False if there is none.
 */
bool snapshot_queue_cancel(struct snapshot_queue *q,
			   struct request_snapshot *got);
/* Whether the job in hand was cancelled. */
bool snapshot_queue_is_cancelled(const struct snapshot_queue *q);

/* Nobody may ask for more.  @drop: cancel what there is, too. */
void snapshot_queue_close(struct snapshot_queue *q, bool drop);

/* The number of the snapshot that will be taken next; 0: none. */
uint64_t snapshot_queue_waiting(struct snapshot_queue *q);
/* The figures of @out that count requests. */
void snapshot_queue_figures(struct snapshot_queue *q, struct snapshots *out);

#endif
