/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX ring of one of rbtop's own rings: what is kept of it from tick to
 * tick, and how its figures are made of readings.
 */
#ifndef RBTOP_RING_FRAME_RING_AUX_BUILD_H
#define RBTOP_RING_FRAME_RING_AUX_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "ring/reading.h"
#include "ring/ring_row.h"

/* Increments in this tick, for the log. */
struct ring_aux_tick {
	uint64_t truncated, partial, collision, reenabled;
};

/* Zeroed before the AUX ring is first seen. */
struct ring_aux_build {
	bool seen;
	struct aux_stats last;		/* of the previous reading */
	uint64_t last_peak;		/* reader's peak, previous reading */
	uint64_t last_head;		/* full trace: at the previous reading;
					 * snapshot mode: at the stop from which
					 * the next rate is computed */
	double last_age;		/* snapshot mode: seconds since that
					 * stop; NAN: none */
	bool free_running;		/* a head above the size was seen */
	double rate;			/* between two stops; NAN: unknown */
	double max_rate;		/* full trace: highest rate in a tick */
	struct ring_aux_tick tick;

	/* Since the start or the last reset: */
	uint64_t peak;			/* bytes */
	struct history fill_history;
};

/* Reset what counts "since the start or the last reset". */
void ring_aux_build_reset(struct ring_aux_build *state);

/*
 * Fill @out and @reads from @now and the previous reading, @dt seconds ago (0:
 * none); then @now becomes the previous reading.  @page_size is the unit of -m.
 */
void ring_aux_build(struct ring_aux_build *state,
		    const struct reading_ring *now, double dt,
		    uint64_t page_size, struct ring_aux *out,
		    struct ring_aux_reads *reads);

#endif
