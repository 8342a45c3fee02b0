/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/ring_stats.h"

static unsigned int fill_bucket(uint64_t used, uint64_t size)
{
	if (used >= size)
		return FILL_BUCKETS - 1;
	/* in floating point: used * FILL_BUCKETS may not fit */
	return (unsigned int)((double)used * FILL_BUCKETS / (double)size);
}

static void consider_worst(struct ring_stats *s)
{
	if (s->latest.ns && s->latest.bytes > s->worst.bytes)
		s->worst = s->latest;
}

/*
 * A loss is reported by the first record that finds room again, so what this
 * drain reads of it happened in the interval before.
 */
static void add_lost(struct ring_stats *s, uint64_t lost)
{
	if (!lost || !s->records)
		return;
	s->latest.bytes += (uint64_t)((double)lost * (double)s->bytes /
				      (double)s->records);
	consider_worst(s);
}

static void next_interval(struct ring_stats *s, uint64_t used,
			  uint64_t now_ns)
{
	uint64_t last = s->last_drain_ns;

	s->latest.bytes = used;
	s->latest.ns = last && now_ns > last ? now_ns - last : 0;
	consider_worst(s);
	s->last_drain_ns = now_ns;
}

void ring_stats_drain(struct ring_stats *s, const struct ring_drain *drain)
{
	uint32_t *bucket = &s->fill[fill_bucket(drain->used, drain->size)];

	add_lost(s, drain->lost);
	next_interval(s, drain->used, drain->now_ns);
	if (!drain->used)
		return;
	s->drains++;
	s->timer_drains += drain->cause == DRAIN_TIMER;
	if (*bucket < UINT32_MAX)
		++*bucket;
	if (drain->used > s->peak)
		s->peak = drain->used;
}

/*
 * A PMU whose head is an offset in the ring names a smaller one than before
 * once it came round; other heads run freely and never do.
 */
void ring_stats_aux_record(struct aux_stats *s, uint64_t offset, uint64_t size,
			   uint64_t flags, uint64_t time)
{
	s->wraps += flags & PERF_AUX_FLAG_OVERWRITE && offset < s->last_end;
	s->records++;
	s->bytes += size;
	s->truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	s->overwrite += !!(flags & PERF_AUX_FLAG_OVERWRITE);
	s->partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	s->collision += !!(flags & PERF_AUX_FLAG_COLLISION);
	s->last_end = offset;
	s->last_time = time;
}
