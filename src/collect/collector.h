/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads that own the rings: epoll on the perf fds, a timer for what lies
 * below the watermark.  Nothing that a terminal, a disk or a symbol file does
 * can delay them; what they counted is read under a seqlock.
 *
 * A slot is a ring as the front end knows it; the memory behind it may be
 * replaced while it runs.
 */
#ifndef RBTOP_COLLECT_COLLECTOR_H
#define RBTOP_COLLECT_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/collector_ring.h"
#include "perf/abi/perf_clock.h"
#include "ring/ring_stats.h"

struct aux_sink;
struct collector;
struct err;
struct record_history;
struct trigger;

struct collector_opts {
	unsigned int readers;	/* threads; 0: one per 64 rings */
	size_t rings;		/* how many to expect, for that default */
	bool apart;		/* some rings are apart, see struct
				 * collector_ring: one more thread */
	bool apart_alone;	/* the others are not drained: records are kept
				 * only of the rings apart */
	bool affinity;		/* pin each reader to the CPUs of its rings */
	bool roam;		/* ... but no longer once it is not realtime */
	double interval;	/* seconds between timer drains */
	bool lanes;		/* AUX rings in full trace are written by
				 * separate threads, see aux_lane.h */
	pid_t self;		/* whose samples count as own; 0: none */
	double decode_rate;	/* samples a second to queue, of all rings
				 * together; 0: none of them */
	bool side_band;		/* queue that, whatever the rate */
	bool switches;		/* and context switches, to be listed */
	struct perf_clock clock;	/* that records are stamped with */
	struct trigger *trigger;	/* borrowed; NULL: none */
	uint64_t sample_type;	/* of the events: where the trigger finds what
				 * a sample says; 0: RECORD_SAMPLE_TYPE */
	/*
	 * Called on a reader thread when the last fd of a ring hung up (its
	 * tasks are gone) and it was drained to its end.  May be NULL.
	 */
	void (*hangup)(void *ctx, size_t slot);
	void *ctx;
};

/* Nothing is read before collector_start.  NULL with @err. */
struct collector *collector_new(const struct collector_opts *opts,
				struct err *err);
/* Start the reader threads.  Slots may be added before and after. */
int collector_start(struct collector *c, struct err *err);
/* Stop and join the readers, free everything but the rings. */
void collector_free(struct collector *c);

/*
 * How many readers gave up their realtime priority, since they used more CPU
 * time than cpu_budget.h allows.
 */
size_t collector_fell_back(const struct collector *c);

/*
 * Add a slot; *@slot counts from 0 in the order of the calls.  0, or -errno
 * with @err and no slot added.
 */
int collector_add(struct collector *c, const struct collector_ring *ring,
		  size_t *slot, struct err *err);

/*
 * Drain @ring as slot's memory from now on, while the old memory is drained
 * too until collector_retire().  The counters go on.
 */
int collector_replace(struct collector *c, size_t slot,
		      const struct collector_ring *ring, struct err *err);

/*
 * Drain the slot's former memory (or, where it was not replaced, its only
 * one) to its end and let go of it: on return no thread reads it any more.
 * Returns how many lost records all memory let go of by this slot has told of.
 */
uint64_t collector_retire(struct collector *c, size_t slot);

/* Drain one slot, or all of them, now; back when it is done. */
void collector_drain(struct collector *c, size_t slot);
void collector_drain_all(struct collector *c);

/*
 * A consistent copy of the slot's counters, of @nr per-event sample counts,
 * and of the most bytes that waited at a drain since the last call.  The
 * worst and the lossiest interval of @stats are those since then, too.
 */
void collector_read(struct collector *c, size_t slot, struct ring_stats *stats,
		    uint64_t *samples, size_t nr, uint64_t *recent_peak);

/*
 * Keep a history of @bytes of every ring, and of those added later, from now
 * on; harmless where there is one.  None is smaller than its ring is by then,
 * all of which one late drain may bring.  0 or -ENOMEM with @err.
 */
int collector_keep_history(struct collector *c, size_t bytes, struct err *err);
/* The slot's, which lives as long as the collector; NULL: none is kept. */
const struct record_history *collector_history(struct collector *c,
					       size_t slot);

/*
 * An eventfd that is written to when a history has got somewhere, and the
 * somewhere, see record_history_watch().  It lives as long as the collector; -1
 * where there is none.
 */
int collector_history_fd(struct collector *c);
void collector_watch_history(struct collector *c, size_t slot, uint64_t at);

/*
 * Full trace: the readers discard what the AUX rings hold, and let events go
 * on that the kernel stopped for lack of room.  Between these two calls,
 * separate threads pass the trace to @sink (borrowed) instead, see aux_lane.h;
 * when the second returns, none of them uses it any more.
 */
void collector_begin_trace(struct collector *c, const struct aux_sink *sink);
void collector_end_trace(struct collector *c);
/* Pass all that the AUX rings contain now to the sink before returning. */
void collector_flush_trace(struct collector *c);
/*
 * Call this when the slot is retired and before its memory is unmapped: what is
 * left in its AUX ring is passed to the sink, if there is one; on return no
 * thread reads the ring.  It may wait as long as the sink does.
 */
void collector_leave_trace(struct collector *c, size_t slot);
/*
 * Whether events that trace are to run, which is so until said otherwise:
 * readers let none go on while a person has them disabled.  Say so before they
 * are disabled, and after they were enabled again.
 */
void collector_trace(struct collector *c, bool on);

struct queued;

/*
 * What was queued, for one thread (see resolver_thread.h): the next record of
 * any reader, some at a time of the one whose last record is the oldest; those
 * of one slot come in the order in which they were written.  It lives until the
 * next call; NULL if there is none.
 */
const void *collector_pop(struct collector *c, struct queued *head);
/*
 * Every record that stood in a ring before this moment (the session's clock)
 * has been queued, or was left out; 0 while a ring waits for its first drain.
 * The kernel takes a record's time some us before it is seen in the ring.
 */
uint64_t collector_drained_to(struct collector *c);
/*
 * Now, on the session's clock; where that cannot be read, some ms too early,
 * by what its records said.
 */
uint64_t collector_now(const struct collector *c);

struct collector_queue_stats {
	uint64_t dropped;	/* samples' weight that found no room */
	uint64_t side_band_lost;	/* records that did not */
	unsigned int decode_every;	/* the largest k now; 1: all */
};
void collector_queue_stats(struct collector *c,
			   struct collector_queue_stats *stats);

#endif
