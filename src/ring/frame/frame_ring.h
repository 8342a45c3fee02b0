/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ring of a frame: what the builder keeps of it from tick to tick, and how
 * its figures are made.  For frame.c and frame_log.c only.
 */
#ifndef RBTOP_RING_FRAME_FRAME_RING_H
#define RBTOP_RING_FRAME_FRAME_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "ring/frame/frame.h"
#include "ring/frame/frame_aux.h"

/* What this tick added, for the log. */
struct frame_ring_tick {
	uint64_t lost;		/* reported or pending; to be told now */
	uint64_t lost_samples;	/* that the hardware dropped */
	uint64_t throttled;
	uint64_t broken;
	uint64_t gap_ns;	/* of the interval in which most of them were
				 * lost; 0: it is not over, or unknown */
	double fill;		/* at the end of that; else the most seen in
				 * this tick, 0..1 */
	uint64_t stopped_ns;	/* that rbtop was stopped */
	bool stopped;		/* in that interval, or in this tick */
	bool paused;		/* at its beginning or end */
	bool in_snapshot;	/* of an overwrite ring, which pauses it: as
				 * far as the times tell */
	bool resized;
};

/* Zeroed for a ring that was never seen. */
struct frame_ring_state {
	bool seen;
	struct ring_stats last;		/* of the previous reading */
	uint64_t last_bytes;
	double last_arrived;		/* records */
	uint64_t last_lost;		/* reported and pending */
	bool last_pending_known, last_paused;
	uint64_t held_lost;		/* counted, in an interval that was
					 * not over: told in the next tick */
	uint64_t size;
	/* the row's own: */
	struct ring_event *events;
	size_t nr_events, room_events;
	struct ring_reads reads;
	struct frame_ring_tick tick;
	struct frame_aux_state aux;

	/* since the start or the last reset */
	struct ring_stats base;		/* latency, fill */
	uint64_t peak;			/* bytes */
	struct ring_interval worst;	/* not in a pause */
	uint64_t advice_lost;		/* records; none of them in a pause, or
					 * while rbtop was stopped ... */
	uint64_t stopped_lost;		/* ... but here */
	uint64_t advice_peak;		/* the same of bytes waiting */
	double advice_watched;		/* seconds, at this size */
	uint64_t advice_drains;
	struct history fill_history, rate_history, lost_history;
};

/* What stands under "since the start or the last reset" begins anew. */
void frame_ring_reset(struct frame_ring_state *state);

/*
 * Make @out of @now and the previous reading, @dt seconds ago (0: there is
 * none); then @now is the previous one.  0 or -ENOMEM.
 */
int frame_ring_build(struct frame_ring_state *state,
		     const struct reading_ring *now, unsigned int index,
		     double dt, uint64_t page_size, struct ring_row *out);

/* Free what @state holds, not itself. */
void frame_ring_free(struct frame_ring_state *state);

static inline double frame_rate(uint64_t delta, double dt)
{
	return dt > 0 ? (double)delta / dt : 0;
}

#endif
