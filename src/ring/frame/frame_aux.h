/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX ring beside a ring of a frame: what is kept of it from tick to tick,
 * and how its figures are made.  For frame_ring.c and frame_log.c only.
 */
#ifndef RBTOP_RING_FRAME_FRAME_AUX_H
#define RBTOP_RING_FRAME_FRAME_AUX_H

#include <stdbool.h>
#include <stdint.h>

#include "ring/frame/frame.h"

/* What this tick added, for the log. */
struct frame_aux_tick {
	uint64_t truncated, partial, collision, reenabled;
};

/* Zeroed for an AUX ring that was never seen. */
struct frame_aux_state {
	bool seen;
	struct aux_stats last;		/* of the previous reading */
	uint64_t last_peak;		/* of the reader, since its start */
	uint64_t last_head;		/* full trace: of the previous reading;
					 * else: at the stop before the latest,
					 * or the latest that was used */
	double last_age;		/* seconds since that stop; NAN: none */
	bool free_running;		/* a head beyond the end was seen */
	double rate;			/* between two stops; NAN */
	double most_rate;		/* full trace: of all ticks */
	struct frame_aux_tick tick;

	/* since the start or the last reset */
	uint64_t peak;			/* bytes */
	struct history fill_history;
};

/* What stands under "since the start or the last reset" begins anew. */
void frame_aux_reset(struct frame_aux_state *state);

/*
 * Make @out and @reads of @now and the previous reading, @dt seconds ago (0:
 * there is none); then @now is the previous one.  -m counts in @page_size.
 */
void frame_aux_build(struct frame_aux_state *state,
		     const struct reading_ring *now, double dt,
		     uint64_t page_size, struct ring_aux *out,
		     struct ring_aux_reads *reads);

#endif
