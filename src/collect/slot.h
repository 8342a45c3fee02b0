/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slot: a ring as the front end knows it, and its counters.  Its memory may
 * be replaced while it is drained; then both are drained.
 *
 * A slot is used by its reader's thread only, unless stated otherwise.
 */
#ifndef RBTOP_COLLECT_SLOT_H
#define RBTOP_COLLECT_SLOT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sequence.h"
#include "collect/aux_lane.h"
#include "collect/drain/drain.h"
#include "ring/ring_stats.h"

struct collector_ring;
struct reader;
struct record_clock;
struct record_history;
struct slot;

/* The AUX ring of a data ring. */
struct slot_aux {
	struct aux_ring ring;
	int *fds;		/* of the events that trace into it; the fds
				 * are not owned, the array is */
	size_t nr_fds;
	int (*read_finish)(int fd);	/* reenables one */
	uint64_t peak;		/* most bytes found waiting in it */
	uint64_t truncated;	/* drain.aux.truncated when its events were
				 * last reenabled */
	uint64_t woken;		/* watermarks crossed before a lane was last
				 * woken */
	uint64_t head;		/* at @moved_ns */
	uint64_t moved_ns;
};

/* One mapping that a slot drains; a slot has two during a replacement. */
struct slot_ring {
	struct slot *slot;
	struct ring ring;
	int *fds;		/* to poll, one at a time; the fds are not
				 * owned, the array is; call_fds likewise */
	size_t nr_fds;
	size_t polled;		/* index of the one in the epoll set; nr_fds:
				 * all of them hung up */
	uint64_t lost;		/* records, by the LOST records in it */
	uint64_t stopped_ns;	/* total time that rbtop was stopped, at the
				 * last drain */
	uint64_t drained_ns;	/* the session's clock: all records up to then
				 * are drained */
	struct slot_aux aux;
	int *call_fds;		/* see struct collector_ring */
	size_t nr_call_fds;
	uint64_t *calls;	/* the count of each when it was last read */
};

struct slot {
	size_t index;
	int cpu;
	bool side_band_only;	/* see struct collector_ring */
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
	const _Atomic bool *aux_disabled;	/* no event is reenabled */

	struct ring_stats stats;
	uint64_t passes;	/* counted in @stats so far */

	/* Published under @sequence by the reader, for any thread. */
	struct sequence sequence;
	struct slot_published {
		struct ring_stats stats;
		uint64_t passes;
	} published;		/* see sequence.h */
	uint64_t *samples;	/* published too */
	uint32_t nr_samples;
	size_t samples_cap;
	pthread_mutex_t layout;	/* held while @samples is reallocated, read */
	_Atomic uint64_t recent_peak;
	_Atomic uint64_t taken;	/* .passes at the last slot_read(): once all
				 * are read, recent stats start over */

	/* Of the sampler; not consistent with each other. */
	_Atomic double arrivals;	/* recent samples/s; by the reader */
	_Atomic double level;		/* samples/s to queue; for the reader */
	_Atomic uint32_t k;		/* by the reader */
	_Atomic uint64_t drained_to;	/* least drained_ns of its rings */
};

/*
 * A slot that no reader serves yet; samples of process @self count as own.
 * @from is copied.  NULL when out of memory.
 */
struct slot *slot_new(size_t index, const struct collector_ring *from,
		      const aux_sink_now *sink, pid_t self);
/* Not while a reader or a lane serves it.  NULL is fine. */
void slot_free(struct slot *slot);

/* A mapping for @slot to drain; copies @from.  NULL when out of memory. */
struct slot_ring *slot_ring_new(struct slot *slot,
				const struct collector_ring *from);
void slot_ring_free(struct slot_ring *ring);	/* NULL is fine */

/* Make room for the samples of @nr events, no fewer than now.  0 or -ENOMEM. */
int slot_reserve(struct slot *slot, uint32_t nr);
/* Use @drain, taken over, from now on; slot_reserve() made room for it. */
void slot_set_drain(struct slot *slot, const struct drain *drain);

/* Publish the slot's stats and its sample counts by event. */
void slot_publish(struct slot *slot);
/* Publish the sampler's recent samples per second, and its k. */
void slot_note_feed(struct slot *slot);
/* Publish .drained_to; after a drain, and after its rings changed. */
void slot_note_drained(struct slot *slot);
/* The same, also to who reads the queue, in its place among the records. */
void slot_mark_drained(struct slot *slot);

/*
 * Any thread: copy what was published last, consistently; see
 * collector_read().
 */
void slot_read(struct slot *slot, struct ring_stats *stats, uint64_t *samples,
	       size_t nr, uint64_t *recent_peak);

/*
 * A reader thread: an epoll set, a timer, and the slots whose rings it alone
 * drains.  Other threads change a slot by running a job on its reader.
 */

struct err;
struct sample_queue;

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
