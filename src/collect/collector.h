/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads that drain the rings.  They wait in epoll for the perf fds, and
 * a timer has them drain what has not reached a watermark.  They never wait for
 * a terminal, a disk or a symbol file; their counters are read under a seqlock.
 *
 * A slot is a ring as the front end knows it; its memory may be replaced while
 * it is drained.
 */
#ifndef RBTOP_COLLECT_COLLECTOR_H
#define RBTOP_COLLECT_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/aux_ring.h"
#include "perf/abi/perf_clock.h"
#include "perf/abi/ring.h"
#include "ring/ring_stats.h"

struct aux_sink;
struct collector;
struct err;
struct record_history;
struct trigger;

/* A ring to drain.  Plain data, copied. */
struct collector_ring {
	struct ring ring;
	int cpu;		/* for affinity; -1: none */
	bool side_band_only;	/* of a CPU: drained by a reader of its own;
				 * triggers use only COMM and FORK records */
	const int *fds;		/* to poll: the owner's first, then siblings to
				 * use after it hangs up */
	size_t nr_fds;
	const uint64_t *ids;	/* of the events, the owner's first, see
				 * drain_init() */
	const uint32_t *tags;	/* tag of each event's samples in the queue;
				 * NULL: the index */
	uint32_t nr_ids;
	const int *call_fds;	/* of the events of "call:FUNC".  Records of an
				 * overwrite ring are not read; the counts of
				 * these events are, at a wakeup and on the
				 * timer */
	size_t nr_call_fds;
	struct aux_ring aux;	/* zeroed: none */
	const int *aux_fds;	/* of the events that trace into it */
	size_t nr_aux_fds;
	/* Reenables one of aux_fds that the kernel stopped. */
	int (*read_finish)(int fd);
};

struct collector_opts {
	unsigned int readers;	/* threads; 0: one per 64 rings */
	size_t rings;		/* expected number, for that default */
	bool side_band_rings;	/* some are, see struct collector_ring: one
				 * more thread */
	bool drains_side_band;	/* and no other ring (the others overwrite), so
				 * they get the full history */
	bool affinity;		/* pin each reader to the CPUs of its rings */
	bool roam;		/* ... only while it is realtime */
	double interval;	/* seconds between timer drains */
	bool lanes;		/* AUX rings in full trace are written by
				 * separate threads, see aux_lane.h */
	pid_t self;		/* its samples count as own; 0: none */
	double decode_rate;	/* samples per second to queue, all rings
				 * together; 0: none */
	bool side_band;		/* queue the side-band even at rate 0 */
	bool switches;		/* queue context switches too */
	struct perf_clock clock;	/* of the records' times */
	struct trigger *trigger;	/* borrowed; NULL: none */
	uint64_t sample_type;	/* of the events: gives the trigger the offsets
				 * in a sample; 0: RECORD_SAMPLE_TYPE */
	/*
	 * Called on a reader thread after the last fd of a ring hung up (its
	 * tasks have exited) and the ring was drained.  May be NULL.
	 */
	void (*hangup)(void *ctx, size_t slot);
	void *ctx;
};

/*
 * No ring is drained before collector_start().  Free with collector_free().
 * NULL with @err.
 */
struct collector *collector_new(const struct collector_opts *opts,
				struct err *err);
/*
 * Start the reader threads.  Slots may be added before and after.  0 or -errno
 * with @err.
 */
int collector_start(struct collector *c, struct err *err);
/* Stop and join the threads; free all but the rings.  NULL is fine. */
void collector_free(struct collector *c);

/*
 * The number of readers that gave up their realtime priority because they used
 * more CPU time than struct cpu_budget allows.
 */
size_t collector_fell_back(const struct collector *c);

/*
 * Add a slot; *@slot counts from 0 in the order of the calls.  0, or -errno
 * with @err and no slot added.
 */
int collector_add(struct collector *c, const struct collector_ring *ring,
		  size_t *slot, struct err *err);

/*
 * Use @ring as the slot's memory from now on; the former memory is drained too
 * until collector_retire().  The counters continue.  0, or -errno with @err and
 * the slot as it was.
 */
int collector_replace(struct collector *c, size_t slot,
		      const struct collector_ring *ring, struct err *err);

/*
 * Drain the slot's former memory (or its only memory, if it was not replaced)
 * for the last time: on return no thread reads it.  Returns the lost records
 * that all retired memory of this slot reported.
 */
uint64_t collector_retire(struct collector *c, size_t slot);

/* Drain one slot, or all of them, before returning. */
void collector_drain(struct collector *c, size_t slot);
void collector_drain_all(struct collector *c);

/*
 * Copy the slot's counters, @nr sample counts by event, and the most bytes that
 * waited at a drain since the last call; consistent with each other.  The worst
 * and the lossiest interval of @stats are also those since the last call.
 */
void collector_read(struct collector *c, size_t slot, struct ring_stats *stats,
		    uint64_t *samples, size_t nr, uint64_t *recent_peak);

/*
 * Keep a history of @bytes for every ring, also for rings added later; a ring
 * that has one keeps it.  A history is at least as large as its ring, since one
 * late drain may read a full ring.  0 or -ENOMEM with @err.
 */
int collector_keep_history(struct collector *c, size_t bytes, struct err *err);
/* The slot's history; lives as long as the collector.  NULL: it has none. */
const struct record_history *collector_history(struct collector *c,
					       size_t slot);

/*
 * An eventfd that becomes readable when a history passes the position that
 * collector_watch_history() set, see record_history_watch().  It lives as long
 * as the collector; -1: it could not be created.
 */
int collector_history_fd(struct collector *c);
void collector_watch_history(struct collector *c, size_t slot, uint64_t at);

/*
 * Full trace: by default, the readers discard what the AUX rings hold and
 * reenable events that the kernel stopped for lack of space.  Between these two
 * calls, separate threads pass the trace to @sink (borrowed) instead, see
 * aux_lane.h; when the second one returns, no thread uses the sink.
 */
void collector_begin_trace(struct collector *c, const struct aux_sink *sink);
void collector_end_trace(struct collector *c);
/* Pass what the AUX rings contain now to the sink before returning. */
void collector_flush_trace(struct collector *c);
/*
 * Call this after the slot is retired and before its memory is unmapped: the
 * rest of its AUX ring is passed to the sink, if there is one; on return no
 * thread reads the ring.  It may block as long as the sink does.
 */
void collector_leave_trace(struct collector *c, size_t slot);
/*
 * Set whether readers may reenable events that trace; they may by default.
 * Call with false before the user disables events, so that none is reenabled,
 * and with true after they are enabled again.
 */
void collector_trace(struct collector *c, bool on);

struct queued;

/*
 * Take the next queued record; for one thread only (resolver_thread.h).  It is
 * valid until the next call; NULL if there is none.  Records of one slot keep
 * their order.  Readers take turns of some records each; the one whose last
 * record is the oldest is next.
 */
const void *collector_pop(struct collector *c, struct queued *head);
/*
 * The popping thread: a time on the session's clock, before which no ring has
 * records that were not popped.  A ring that was not drained for long is not
 * waited for beyond @min, if nothing of its reader is queued; while something
 * is, a ring that was never drained makes it 0.
 */
uint64_t collector_popped_to(struct collector *c, uint64_t min);
/*
 * The same as collector_pop(), of the reader only that the last
 * collector_popped_to() was limited by.
 */
const void *collector_pop_behind(struct collector *c, struct queued *head);
/*
 * Returns a time on the session's clock: every record that was in a ring by
 * then has been queued or left out.  0 while a ring waits for its first drain.
 * The kernel takes a record's time some us before the record is visible.
 */
uint64_t collector_drained_to(struct collector *c);
/*
 * Now, in ns of the session's clock.  If that clock cannot be read, it is
 * estimated from the records, some ms too early; see perf_clock.h.
 */
uint64_t collector_now(const struct collector *c);

struct collector_queue_stats {
	uint64_t dropped;	/* weight of samples, queue full */
	uint64_t side_band_lost;	/* records, queue full */
	uint64_t crowded;	/* drains that found a queue half full, so that
				 * fewer samples were picked */
	unsigned int decode_every;	/* largest k now; 1: all are decoded */
};
void collector_queue_stats(struct collector *c,
			   struct collector_queue_stats *stats);

#endif
