/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader thread: an epoll set, a timer, and the slots whose rings it alone
 * drains.  Other threads change a slot by running a job on its reader.
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
	double interval;	/* seconds between timer drains */
	reader_hangup_fn *hangup;	/* on the reader's thread; NULL: none */
	void *ctx;		/* of hangup */
	bool roam;		/* pinned only while it is realtime */
	size_t queue_bytes;	/* for copies of records; 0: no queue */
	void (*tick)(void *ctx);	/* on the reader's thread, before the
					 * timer drains; NULL: none */
	void *tick_ctx;
};

/* A reader that is not started.  NULL with @err. */
struct reader *reader_new(const struct reader_opts *opts, struct err *err);
/* Start the thread.  0 or -errno with @err. */
int reader_start(struct reader *reader, struct err *err);
/* Pin it to @cpus.  Best effort; does nothing before reader_start(). */
void reader_pin(struct reader *reader, const int *cpus, size_t nr);
/*
 * Whether the thread had a realtime priority and gave it up because it used
 * more CPU time than struct cpu_budget allows.
 */
bool reader_fell_back(const struct reader *reader);
/* The queue of records copied by its drains; NULL: it has none. */
struct sample_queue *reader_queue(const struct reader *reader);
/* Stop, join, free.  The slots are not freed.  NULL is fine. */
void reader_free(struct reader *reader);

/*
 * Run @fn on the reader's thread and wait for it.  If the reader is not
 * started, or this is its thread, call @fn directly.
 */
void reader_run(struct reader *reader, void (*fn)(void *arg), void *arg);

/* The rest is called on the reader's thread, or before it is started. */

/* Serve @slot from now on.  0 or -ENOMEM. */
int reader_adopt(struct reader *reader, struct slot *slot);
/*
 * Add the first fd of @ring that can be polled to the epoll set.  0, or the
 * -errno of the last one tried; -ENOENT if there is none left.
 */
int reader_poll(struct reader *reader, struct slot_ring *ring);
/* Remove its fd from the set, unless the slot's current ring polls it too. */
void reader_unpoll(struct reader *reader, struct slot_ring *ring);
/*
 * Drain @ring and publish the result; of an overwrite ring, only read the
 * counts of call events.
 */
void reader_drain(struct slot_ring *ring, enum drain_cause cause);
/* A lane has freed space in an AUX ring that was full: reenable its events. */
void reader_given_space(struct slot_ring *ring);
/* Ignore stops of rbtop, and calls of "call:FUNC", up to now for @ring. */
void reader_begin(const struct reader *reader, struct slot_ring *ring);

#endif
