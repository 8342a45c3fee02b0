/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/latency.h"

#include <math.h>
#include <string.h>

enum { FIRST_BIT = 8, STEP_BITS = 3 };	/* 256 ns, 8 steps */

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int msb, octave;

	if (ns < 1u << FIRST_BIT)
		return 0;
	msb = 63u - (unsigned int)__builtin_clzll(ns);
	octave = msb - FIRST_BIT;
	if (octave >= LATENCY_OCTAVES)
		return LATENCY_BUCKETS - 1;
	return octave * LATENCY_STEPS +
	       (unsigned int)(ns >> (msb - STEP_BITS)) % LATENCY_STEPS;
}

static uint32_t add_saturated(uint32_t a, uint32_t b)
{
	uint32_t sum = a + b;

	return sum < a ? UINT32_MAX : sum;
}

void latency_add(struct latency *l, uint64_t ns)
{
	uint32_t *bucket = &l->buckets[bucket_of(ns)];

	*bucket = add_saturated(*bucket, 1);
	l->count++;
	if (ns > l->max_ns)
		l->max_ns = ns;
}

void latency_merge(struct latency *l, const struct latency *other)
{
	if (!other->count)
		return;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++)
		l->buckets[i] = add_saturated(l->buckets[i],
					      other->buckets[i]);
	l->count += other->count;
	if (other->max_ns > l->max_ns)
		l->max_ns = other->max_ns;
}

static uint64_t max_since(const struct latency *now,
			  const struct latency *base, unsigned int highest)
{
	uint64_t low, high;

	if (now->max_ns > base->max_ns)
		return now->max_ns;
	latency_bounds(highest, &low, &high);
	return high < now->max_ns ? high : now->max_ns;
}

void latency_since(const struct latency *now, const struct latency *base,
		   struct latency *out)
{
	unsigned int highest = 0;

	memset(out, 0, sizeof(*out));
	if (now->count <= base->count)
		return;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		if (now->buckets[i] <= base->buckets[i])
			continue;
		out->buckets[i] = now->buckets[i] - base->buckets[i];
		highest = i;
	}
	out->count = now->count - base->count;
	out->max_ns = max_since(now, base, highest);
}

static uint64_t lower_bound(unsigned int bucket)
{
	unsigned int octave = bucket / LATENCY_STEPS;
	uint64_t step = bucket % LATENCY_STEPS;

	return (LATENCY_STEPS + step) << (octave + FIRST_BIT - STEP_BITS);
}

void latency_bounds(unsigned int bucket, uint64_t *low, uint64_t *high)
{
	*low = bucket ? lower_bound(bucket) : 0;
	*high = bucket < LATENCY_BUCKETS - 1 ? lower_bound(bucket + 1)
					     : UINT64_MAX;
}

double latency_percentile(const struct latency *l, double q)
{
	uint64_t total = 0, seen = 0, rank, low, high;
	unsigned int bucket = 0;

	if (!l->count)
		return NAN;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++)
		total += l->buckets[i];
	rank = (uint64_t)ceil(q * (double)total);
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		seen += l->buckets[i];
		if (seen && seen >= rank) {
			bucket = i;
			break;
		}
	}
	latency_bounds(bucket, &low, &high);
	if (high > l->max_ns)
		high = l->max_ns;
	return (double)high / 1e9;
}
