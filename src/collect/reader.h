/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader thread: an epoll set, a timer, and the slots whose rings only it
 * drains.  Other threads change a slot by having a job run on its reader.
 */
#ifndef RBTOP_COLLECT_READER_H
#define RBTOP_COLLECT_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/drain/drain.h"

struct err;
struct reader;
struct sample_queue;
struct slot;
struct slot_ring;

/* Called when the last fd of a slot's ring has hung up. */
typedef void reader_hangup_fn(void *ctx, size_t slot);

struct reader_opts {
	double interval;	/* seconds between drains of what woke nobody */
	reader_hangup_fn *hangup;	/* on the reader's thread; NULL: none */
	void *ctx;		/* its */
	bool roam;		/* pinned only while it is realtime */
	size_t queue_bytes;	/* for copies of records; 0: no queue */
	void (*tick)(void *ctx);	/* on its thread too, before the timer's
					 * drains; NULL: none */
	void *tick_ctx;
};

/* NULL with @err. */
struct reader *reader_new(const struct reader_opts *opts, struct err *err);
/* Start the thread.  0 or -errno with @err. */
int reader_start(struct reader *reader, struct err *err);
/* Keep to these CPUs.  Best effort, and nothing before reader_start. */
void reader_pin(struct reader *reader, const int *cpus, size_t nr);
/*
 * Whether the thread was started with a realtime priority and gave it up, since
 * it used more CPU time than cpu_budget.h allows.
 */
bool reader_fell_back(const struct reader *reader);
/* Where its drains leave copies of records; NULL: nowhere. */
struct sample_queue *reader_queue(const struct reader *reader);
/* Stop and join.  The slots are left to their owner. */
void reader_free(struct reader *reader);

/*
 * Run @fn on the reader's thread and wait for it; on this thread while the
 * reader is not started or when called from it.
 */
void reader_run(struct reader *reader, void (*fn)(void *arg), void *arg);

/* The rest is called on the reader's thread, or before it is started. */

/* Serve a slot from now on.  0 or -ENOMEM. */
int reader_adopt(struct reader *reader, struct slot *slot);
/*
 * Add the first living fd of @ring to the epoll set.  0, or the -errno of the
 * last one tried.
 */
int reader_poll(struct reader *reader, struct slot_ring *ring);
/* Take its fd out again, unless the slot's current ring polls it by now. */
void reader_unpoll(struct reader *reader, struct slot_ring *ring);
/*
 * Drain @ring and publish the result; of an overwrite ring, only read the
 * counts of call events.
 */
void reader_drain(struct slot_ring *ring, enum drain_cause cause);
/* Stops of rbtop and calls up to now are not counted for @ring. */
void reader_begin(const struct reader *reader, struct slot_ring *ring);

#endif
