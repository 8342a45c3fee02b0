/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slot's AUX ring in full trace as lanes see it (aux_lane.h), and the sink of
 * its trace.
 */
#ifndef RBTOP_COLLECT_AUX_LANE_RING_H
#define RBTOP_COLLECT_AUX_LANE_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/abi/aux_ring.h"

struct aux_lane;
struct slot;

/* Where the trace goes.  Plain data. */
struct aux_sink {
	/*
	 * Write the trace of slot @slot between the positions @from and @to of
	 * @aux, which stays mapped until this returns.  It is called by one
	 * thread at a time for a slot, and by several threads for different
	 * slots; it may wait for a disk.
	 */
	void (*take)(void *ctx, size_t slot, const struct aux_ring *aux,
		     uint64_t from, uint64_t to);
	void *ctx;
	unsigned int alignment;	/* trace may be split at its multiples; 0: the
				 * trace of an AUX record must not be split */
};

typedef _Atomic(const struct aux_sink *) aux_sink_now;	/* NULL: none */

struct aux_lane_ring {
	const aux_sink_now *sink;	/* the collector's */
	pthread_mutex_t lock;	/* held while a thread reads the ring */
	struct aux_ring ring;	/* zeroed: none, or not to be used */
	_Atomic uint64_t peak;	/* most bytes that a lane found waiting */
	_Atomic bool stuck;	/* the kernel disabled the event, and the
				 * reader waits for space to reenable it */
	/* of the lane that serves it */
	struct aux_lane *of;	/* NULL: none */
	int wake;		/* its eventfd; -1: none */
	struct slot *next;	/* of the same lane; NULL: none */
};

void aux_lane_ring_init(struct aux_lane_ring *ring, const aux_sink_now *sink);
void aux_lane_ring_destroy(struct aux_lane_ring *ring);
/* Use @aux from now on.  Waits while another thread reads the former ring. */
void aux_lane_ring_set(struct aux_lane_ring *ring, const struct aux_ring *aux);
/* Wait until no thread uses a sink that was removed. */
void aux_lane_ring_wait(struct aux_lane_ring *ring);
/* Wake the lane of the ring; called on the reader's thread. */
void aux_lane_ring_wake(const struct aux_lane_ring *ring);

#endif
