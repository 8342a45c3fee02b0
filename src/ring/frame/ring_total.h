/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rings sum up to: see struct ring_total. */
#ifndef RBTOP_RING_FRAME_RING_TOTAL_H
#define RBTOP_RING_FRAME_RING_TOTAL_H

#include <stddef.h>

#include "ring/ring_row.h"

/*
 * The total of no rings: sums are 0; what only a single ring has is unknown, as
 * is what none of rbtop's own has.
 */
void ring_total_begin(struct ring_total *total);

/* Add @value to @sum, which is NAN only while nothing was known. */
void ring_total_add(double *sum, double value);

/*
 * The total of the @nr rings, rbtop's own, and of what was read of them, in
 * @reads, which the total points to.
 */
void ring_total_own(struct ring_total *total, struct ring_reads *reads,
		    const struct ring_row *rings, size_t nr);

/*
 * Advice on -m for all @nr rings, as the total's; what perf record needs is
 * copied from it to each ring.
 */
void ring_total_advise(struct ring_total *total, struct ring_row *rings,
		       size_t nr, uint64_t page_size);

#endif
