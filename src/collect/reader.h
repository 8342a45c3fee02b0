/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader thread: an epoll set, a timer, and the slots whose rings only it
 * drains.  Other threads change a slot by having a job run on its reader.
 */
#ifndef RBTOP_COLLECT_READER_H
#define RBTOP_COLLECT_READER_H

#include <ck_sequence.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/aux_lane.h"
#include "collect/drain.h"
#include "ring/ring_stats.h"
#include "perf/abi/aux_ring.h"
#include "perf/abi/ring.h"

struct err;
struct record_history;
struct reader;
struct record_clock;
struct sample_queue;
struct slot;

/* The AUX ring beside a data ring, see reader_aux.h. */
struct slot_aux {
	struct aux_ring ring;
	int *fds;		/* of the events that trace into it; not owned */
	size_t nr_fds;
	int (*read_finish)(int fd);	/* lets one go on */
	uint64_t peak;		/* most bytes found waiting in it */
	uint64_t truncated;	/* drain.aux.truncated, when they were last let
				 * go on for that */
	uint64_t woken;		/* watermarks crossed before a lane was last
				 * woken */
	uint64_t head;		/* as it stood at @moved_ns */
	uint64_t moved_ns;
};

/* One mapping that a slot drains; a slot has two during a replacement. */
struct slot_ring {
	struct slot *slot;
	struct ring ring;
	int *fds;		/* to poll, one at a time; not owned */
	size_t nr_fds;
	size_t polled;		/* index of the one in the epoll set; nr_fds:
				 * all of them hung up */
	uint64_t lost;		/* records, by the LOST records in it */
	uint64_t stopped_ns;	/* how long rbtop was stopped, in all, when it
				 * was last drained */
	uint64_t drained_ns;	/* the session's clock: what was there by then,
				 * is not there any more */
	struct slot_aux aux;
	int *call_fds;		/* see struct collector_ring; not owned */
	size_t nr_call_fds;
	uint64_t *calls;	/* the count of each when it was last read */
};

struct slot {
	size_t index;
	int cpu;
	bool apart;		/* see struct collector_ring */
	struct reader *reader;
	struct slot_ring *current;	/* NULL once retired */
	struct slot_ring *former;	/* replaced, not retired yet */
	struct drain drain;
	bool drained;		/* since the last timer tick */
	uint64_t lost_retired;	/* by the LOST records of former rings */
	struct record_history *history;	/* NULL: none is kept */
	/* the collector's */
	struct record_clock *clock;
	struct aux_lane_ring lane;
	const _Atomic bool *aux_held;	/* AUX rings are emptied by lanes */
	const _Atomic bool *aux_disabled;	/* no event is let go on */

	struct ring_stats stats;
	uint64_t passes;	/* counted into them so far */

	/* Published under @sequence by the reader, for any thread. */
	ck_sequence_t sequence;
	struct slot_published {
		struct ring_stats stats;
		uint64_t passes;
	} published;		/* see word_copy.h */
	uint64_t *samples;	/* too */
	uint32_t nr_samples;
	pthread_mutex_t layout;	/* held while @samples is reallocated, read */
	_Atomic uint64_t recent_peak;
	_Atomic uint64_t taken;	/* passes that a reading has seen: recent stats
				 * start over once it has seen all */

	/* Of the samples to decode; each is a figure of its own. */
	_Atomic double arrivals;	/* samples/s lately; by the reader */
	_Atomic double level;		/* that may be queued; for it */
	_Atomic uint32_t k;		/* by the reader */
	_Atomic uint64_t drained_to;	/* least drained_ns of its rings */
};

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
/* Publish the slot's stats as they are now, and the samples of each event. */
void reader_publish(struct slot *slot);
/* Publish how many samples its sampler saw lately, and its k. */
void reader_note_feed(struct slot *slot);
/* Publish slot->drained_to anew, its rings being others now. */
void reader_note_drained(struct slot *slot);

#endif
