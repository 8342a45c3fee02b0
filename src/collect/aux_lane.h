/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lane is a thread beside the readers.  It passes the contents of AUX rings
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

#include <stdbool.h>
#include <stddef.h>

struct aux_lane;
struct err;
struct slot;

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
void aux_lane_give(struct aux_lane *lane, struct slot *slot);
/* Serve @slot too, until aux_lane_free().  One thread at a time. */
void aux_lane_adopt(struct aux_lane *lane, struct slot *slot);

#endif
