/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram of times with bounded relative error: 8 buckets to each power of
 * two from 256 ns to 34 s, so a percentile is off by at most 1/8.
 */
#ifndef RBTOP_RING_LATENCY_H
#define RBTOP_RING_LATENCY_H

#include <stdint.h>

enum { LATENCY_OCTAVES = 27, LATENCY_STEPS = 8,
       LATENCY_BUCKETS = LATENCY_OCTAVES * LATENCY_STEPS };

struct latency {
	/* a full bucket stays at UINT32_MAX */
	uint32_t buckets[LATENCY_BUCKETS];
	uint64_t count;
	uint64_t max_ns;
};

/* Count one time. */
void latency_add(struct latency *l, uint64_t ns);

/* Add all of @other. */
void latency_merge(struct latency *l, const struct latency *other);

/*
 * Store in @out what was added to @now after its copy @base was made.  The
 * maximum is exact if it is a new one, else the upper bound of the highest
 * bucket used.
 */
void latency_since(const struct latency *now, const struct latency *base,
		   struct latency *out);

/*
 * The bucket's range in ns, [*low, *high).  The first one begins at 0, the
 * last one ends at UINT64_MAX.
 */
void latency_bounds(unsigned int bucket, uint64_t *low, uint64_t *high);

/*
 * The time in seconds below which the share @q (0..1) of the entries lies, the
 * upper bound of its bucket but never above the maximum; NAN when empty.
 */
double latency_percentile(const struct latency *l, double q);

#endif
