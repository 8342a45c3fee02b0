/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/record_clock.h"

/*
 * Two clocks that are not adjusted alike drift apart by some 100 ppm: the
 * estimate may be lowered by this much, once a second.
 */
#define DRIFT_PER_S	200000	/* ns */
#define SECOND		UINT64_C(1000000000)

void record_clock_init(struct record_clock *c, const struct perf_clock *clock)
{
	c->clock = *clock;
	atomic_init(&c->ahead, 0);
	atomic_init(&c->learnt, 0);
}

uint64_t record_clock_now(const struct record_clock *c)
{
	uint64_t now = perf_clock_now(&c->clock);

	if (!c->clock.unknown)
		return now;
	/* modulo 2^64: ahead may be negative */
	return now + (uint64_t)atomic_load_explicit(&c->ahead,
						    memory_order_relaxed);
}

/*
 * A record is never seen before it was written, so its clock is ahead by at
 * least the maximum found.  If another thread stores a value at the same time,
 * this record is ignored.
 */
void record_clock_seen(struct record_clock *c, uint64_t time)
{
	int64_t ahead, seen;
	uint64_t now, learnt;

	if (!c->clock.unknown || !time)
		return;
	now = perf_clock_now(&c->clock);
	seen = (int64_t)(time - now);
	ahead = atomic_load_explicit(&c->ahead, memory_order_relaxed);
	learnt = atomic_load_explicit(&c->learnt, memory_order_relaxed);
	if (learnt && seen < ahead) {
		if (now - learnt < SECOND)
			return;
		if (seen < ahead - DRIFT_PER_S)
			seen = ahead - DRIFT_PER_S;
	}
	if (atomic_compare_exchange_strong(&c->ahead, &ahead, seen))
		atomic_store_explicit(&c->learnt, now, memory_order_relaxed);
}
