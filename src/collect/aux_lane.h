/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread beside a reader that hands what the AUX rings of the reader's slots
 * hold to a sink, a recording, and gives it back to the kernel after
 * that.  So neither the sink's disk delays a drain, nor a drain or whatever
 * else the sink's owner has to do delays the trace.
 *
 * The kernel tells of an AUX watermark on the fd that the reader polls, and
 * tells one poller alone (perf_poll() in kernel/events/core.c takes the ring's
 * wakeup flag).  So the reader, which is realtime where it can be, wakes the
 * lane.
 */
#ifndef RBTOP_COLLECT_AUX_LANE_H
#define RBTOP_COLLECT_AUX_LANE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/aux_ring.h"

struct aux_lane;
struct err;
struct slot;

/* Where the trace goes.  Plain data. */
struct aux_sink {
	/*
	 * Take the trace of slot @slot from @from to @to, positions of @aux,
	 * whose memory stays until this returns.  For one slot by one thread
	 * at a time, for several slots by several threads; may take as long
	 * as a disk does.
	 */
	void (*take)(void *ctx, size_t slot, const struct aux_ring *aux,
		     uint64_t from, uint64_t to);
	void *ctx;
	unsigned int alignment;	/* of what may be parted; 0: what the kernel
				 * told of at once must stay together */
};

typedef _Atomic(const struct aux_sink *) aux_sink_now;	/* NULL: none */

/* A slot's AUX ring, as lanes see it. */
struct aux_lane_ring {
	const aux_sink_now *sink;	/* the collector's */
	struct slot *next;	/* of the same lane; NULL: none */
	pthread_mutex_t lock;	/* held while somebody is at the ring */
	struct aux_ring ring;	/* zeroed: none, or none that may be used */
	struct aux_lane *of;	/* that serves it; NULL: none */
	_Atomic uint64_t peak;	/* most bytes that a lane found waiting */
	_Atomic bool stuck;	/* the kernel stopped the event, and the reader
				 * waits for room to let it go on */
};

void aux_lane_ring_init(struct aux_lane_ring *ring, const aux_sink_now *sink);
void aux_lane_ring_destroy(struct aux_lane_ring *ring);
/* This is the slot's ring from now on; waits for who is at the former one. */
void aux_lane_ring_set(struct aux_lane_ring *ring, const struct aux_ring *aux);
/* Back when nobody is in a sink that was taken away. */
void aux_lane_ring_wait(struct aux_lane_ring *ring);
/* Have the lane look at its rings, on the reader's thread. */
void aux_lane_ring_wake(const struct aux_lane_ring *ring);

/*
 * Hand all that the slot's ring holds by now to the sink, if there is one, and
 * give it back to the kernel; on the calling thread.
 */
void aux_lane_flush(struct slot *slot);

/* NULL with @err.  @roam: see ring_thread.h. */
struct aux_lane *aux_lane_new(bool roam, struct err *err);
/* Stop, join, free.  NULL is fine. */
void aux_lane_free(struct aux_lane *lane);
/* Start the thread.  0 or -errno with @err. */
int aux_lane_start(struct aux_lane *lane, struct err *err);
void aux_lane_pin(struct aux_lane *lane, const int *cpus, size_t nr);
/* Serve a slot too, for good; by one thread at a time. */
void aux_lane_adopt(struct aux_lane *lane, struct slot *slot);

#endif
