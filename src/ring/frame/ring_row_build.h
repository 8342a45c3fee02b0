/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The row of one of rbtop's own rings: what is kept of it from tick to tick,
 * and how its figures are made of readings.
 */
#ifndef RBTOP_RING_FRAME_RING_ROW_BUILD_H
#define RBTOP_RING_FRAME_RING_ROW_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "ring/reading.h"
#include "ring/ring_row.h"

/*
 * The AUX ring of one of rbtop's own rings: what is kept of it from tick to
 * tick, and how its figures are made of readings.
 */

/* Increments in this tick, for the log. */
struct ring_aux_tick {
	uint64_t truncated, partial, collision, reenabled;
};

/* Zeroed before the AUX ring is first seen. */
struct ring_aux_build {
	bool seen;
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

/*
 * Complete @out, and fill @all->aux, from @now and the previous reading, @dt
 * seconds ago (0: none), whose stats are still in @all.  @page_size is the unit
 * of -m.
 */
void ring_aux_build(struct ring_aux_build *state,
		    const struct reading_ring *now, double dt,
		    uint64_t page_size, struct ring_aux *out,
		    struct ring_reads *all);

/* Increments in this tick, for the log. */
struct ring_row_tick {
	double seconds;		/* that it is over; longer if the screen was
				 * frozen */
	uint64_t lost;		/* reported or pending; to be logged now */
	uint64_t lost_samples;	/* that the hardware dropped */
	uint64_t throttled;
	uint64_t broken;
	uint64_t drains;
	uint64_t gap_ns;	/* length of the interval in which most of them
				 * were lost; 0: it has not ended, or is
				 * unknown */
	double fill;		/* at the end of that interval; else the highest
				 * in this tick, 0..1 */
	uint64_t stopped_ns;	/* time that rbtop was stopped */
	bool stopped;		/* in that interval, or in this tick */
	bool paused;		/* at the start or end of the tick */
	bool in_snapshot;	/* an overwrite ring, paused by a snapshot;
				 * judged by the times */
	bool resized;
};

/* Zeroed before the ring is first seen. */
struct ring_row_build {
	bool seen;
	uint64_t last_bytes;
	double last_arrived;		/* records */
	uint64_t last_lost;		/* reported and pending */
	uint64_t lost_before;		/* last_lost at the last reset */
	bool last_pending_known, last_paused;
	uint64_t held_lost;		/* lost in an interval that had not
					 * ended: logged in the next tick */
	uint64_t size;
	/* used by the row: */
	struct ring_event *events;
	size_t nr_events, events_cap;
	struct ring_reads reads;	/* until the next reading, the last of
					 * what its stats counted */
	struct ring_row_tick tick;
	struct ring_aux_build aux;

	/* Counted before the last reset: */
	struct latency base_latency;
	uint32_t base_fill[FILL_BUCKETS];
	/* Since the start or the last reset: */
	uint64_t peak;			/* bytes */
	struct ring_interval worst;	/* without pauses */
	struct advice_input advice;	/* without pauses, and times when rbtop
					 * was stopped */
	struct ring_histories histories;
};

/* Reset what counts "since the start or the last reset". */
void ring_row_build_reset(struct ring_row_build *state);

/*
 * Fill @out from @now and the previous reading, @dt seconds ago (0: none); then
 * @now becomes the previous reading.  0 or -ENOMEM.
 */
int ring_row_build(struct ring_row_build *state,
		   const struct reading_ring *now, unsigned int index,
		   double dt, uint64_t page_size, struct ring_row *out);

/* Free what @state holds, not itself. */
void ring_row_build_free(struct ring_row_build *state);

#endif
