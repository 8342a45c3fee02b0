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

#include "model/ring_stats.h"
#include "perf/ring.h"

struct collector;
struct err;

struct collector_opts {
	unsigned int readers;	/* threads; 0: one per 64 rings */
	size_t rings;		/* how many to expect, for that default */
	bool affinity;		/* pin each reader to the CPUs of its rings */
	double interval;	/* seconds between timer drains */
	pid_t self;		/* whose samples count as own; 0: none */
	double decode_rate;	/* samples a second to queue, of all rings
				 * together; 0: neither these nor side-band */
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

/* A ring to drain.  Plain data, copied. */
struct collector_ring {
	struct ring ring;
	int cpu;		/* for affinity; -1: none */
	const int *fds;		/* to poll: the owner's first, then siblings to
				 * fall back on when it hangs up */
	size_t nr_fds;
	const uint64_t *ids;	/* of the events, see drain_init() */
	const uint32_t *tags;	/* what their samples are queued as; NULL:
				 * their index */
	uint32_t nr_ids;
};

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
 * worst interval of @stats is that since the last call, too.
 */
void collector_read(struct collector *c, size_t slot, struct ring_stats *stats,
		    uint64_t *samples, size_t nr, uint64_t *recent_peak);

struct queued;

/*
 * What was queued, for one thread (see resolver_thread.h): the next record of
 * any reader, some of each in turn; those of one slot come in the order they
 * were written in.  It lives until the next call; NULL where there is none.
 */
const void *collector_pop(struct collector *c, struct queued *head);
/*
 * Every record that stood in a ring before this moment (CLOCK_MONOTONIC, ns)
 * has been queued, or was left out; 0 while a ring waits for its first drain.
 * The kernel takes a record's time some us before it is seen in the ring.
 */
uint64_t collector_drained_to(struct collector *c);

struct collector_queue_stats {
	uint64_t dropped;	/* samples' weight that found no room */
	uint64_t side_band_lost;	/* records that did not */
	unsigned int decode_every;	/* the largest k now; 1: all */
};
void collector_queue_stats(struct collector *c,
			   struct collector_queue_stats *stats);

#endif
