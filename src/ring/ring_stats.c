/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/ring_stats.h"

static unsigned int fill_bucket(uint64_t used, uint64_t size)
{
	if (used >= size)
		return FILL_BUCKETS - 1;
	/* in floating point: used * FILL_BUCKETS may not fit */
	return (unsigned int)((double)used * FILL_BUCKETS / (double)size);
}

static void consider_latest(struct ring_stats *s)
{
	const struct ring_interval *latest = &s->latest;

	if (latest->lost > s->lossiest.lost)
		s->lossiest = *latest;
	if (latest->ns && !latest->stopped && latest->bytes > s->worst.bytes)
		s->worst = *latest;
}

/*
 * The kernel reports a loss with the first record that fits again.  The room
 * for it was made by the previous drain that found data, so the loss happened
 * in the interval which that drain ended, or before it had made room: it may have
 * been preempted.  The latter is certain if the interval is too short.
 */
static void add_lost(struct ring_stats *s, uint64_t lost, uint64_t now_ns)
{
	const uint64_t min_ns = 200;	/* in which a record can be lost */

	if (!lost || !s->records)
		return;
	s->latest.lost += lost;
	if (s->latest.ns && s->latest.ns < s->latest.lost * min_ns &&
	    now_ns > s->last_drain_ns)
		s->latest.ns += now_ns - s->last_drain_ns;
	s->latest.bytes += (uint64_t)((double)lost * (double)s->bytes /
				      (double)s->records);
	consider_latest(s);
}

/* A drain that found nothing also ends an interval; it has no burst. */
static void next_interval(struct ring_stats *s, const struct ring_drain *drain)
{
	uint64_t last = s->last_drain_ns, now_ns = drain->now_ns;

	s->last_drain_ns = now_ns;
	if (!drain->used)
		return;
	s->latest = (struct ring_interval){
		.bytes = drain->used,
		.used = drain->used,
		.ns = last && now_ns > last ? now_ns - last : 0,
		.stopped = drain->stopped,
	};
	consider_latest(s);
	if (!drain->stopped && drain->used > s->recent_used)
		s->recent_used = drain->used;
}

void ring_stats_begin(struct ring_stats *s)
{
	s->worst = s->lossiest = (struct ring_interval){ 0 };
	s->recent_used = s->burst = 0;
}

void ring_stats_drain(struct ring_stats *s, const struct ring_drain *drain)
{
	uint32_t *bucket = &s->fill[fill_bucket(drain->used, drain->size)];

	add_lost(s, drain->lost, drain->now_ns);
	next_interval(s, drain);
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
 * A PMU whose head is an offset in the ring reports a smaller offset than
 * before after a wrap; free-running heads never decrease.
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
