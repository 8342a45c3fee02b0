/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lane is a thread next to the readers.  It passes the contents of AUX rings
 * to a sink, which is a recording, and then advances their tails.  So the disk
 * does not delay the drains, nor do the drains or other work of the sink's
 * owner delay the trace.
 *
 * The kernel signals an AUX watermark on the fd that the reader polls, and only
 * to one poller: perf_poll() in kernel/events/core.c clears the ring's wakeup
 * flag.  So the reader, which is realtime if possible, wakes the lane.
 */
#ifndef RBTOP_COLLECT_AUX_LANE_H
#define RBTOP_COLLECT_AUX_LANE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/abi/aux_ring.h"

struct aux_lane;
struct err;
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

/* A slot's AUX ring in full trace as lanes see it, and the sink of its trace. */
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

/*
 * Pass what the slot's AUX ring contains now to the sink, if there is one, and
 * advance the tail; on the calling thread.
 */
void aux_lane_flush(struct slot *slot);

/* NULL with @err.  @roam: see ring_thread.h. */
struct aux_lane *aux_lane_new(bool roam, struct err *err);
/* Stop, join, free.  NULL is fine. */
void aux_lane_free(struct aux_lane *lane);
/* Start the thread.  0 or -errno with @err. */
int aux_lane_start(struct aux_lane *lane, struct err *err);
/* Pin it to @cpus.  Best effort; see ring_thread_pin(). */
void aux_lane_pin(struct aux_lane *lane, const int *cpus, size_t nr);
/* Have the reader of @slot wake this lane. */
void aux_lane_assign(struct aux_lane *lane, struct slot *slot);
/* Serve @slot too, until aux_lane_free().  One thread at a time. */
void aux_lane_adopt(struct aux_lane *lane, struct slot *slot);

#endif
