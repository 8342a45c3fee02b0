/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/ring_stats.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/param.h>

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
	s->peak = MAX(s->peak, drain->used);
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

/* The slot of @pid, else the one with the fewest samples, which is replaced. */
static struct top_pid *slot_for(struct top_pids *top, pid_t pid)
{
	struct top_pid *min = &top->slots[0];

	for (size_t i = 0; i < TOP_PIDS; i++) {
		struct top_pid *slot = &top->slots[i];

		if (slot->pid == pid && slot->samples)
			return slot;
		if (slot->samples < min->samples)
			min = slot;
	}
	return min;
}

void top_pids_add(struct top_pids *top, pid_t pid, uint64_t samples)
{
	struct top_pid *first = &top->slots[0], *slot, hit;

	if (first->pid != pid || !first->samples) {
		if (!samples)
			return;
		/* It moves to the first slot: the next is often the same. */
		slot = slot_for(top, pid);
		hit = *slot;
		*slot = *first;
		if (hit.pid != pid)
			hit.error = hit.samples;
		hit.pid = pid;
		*first = hit;
	}
	first->samples += samples;
}

unsigned int top_pids_sorted(const struct top_pids *top,
			     struct top_pid out[TOP_PIDS])
{
	unsigned int nr = 0;

	for (size_t i = 0; i < TOP_PIDS; i++) {
		const struct top_pid *slot = &top->slots[i];
		unsigned int at = nr;

		if (!slot->samples)
			continue;
		for (; at && out[at - 1].samples < slot->samples; at--)
			out[at] = out[at - 1];
		out[at] = *slot;
		nr++;
	}
	return nr;
}

enum { FIRST_BIT = 8, STEP_BITS = 3 };	/* latencies: 256 ns, 8 steps */

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
	l->max_ns = MAX(l->max_ns, ns);
}

void latency_merge(struct latency *l, const struct latency *other)
{
	if (!other->count)
		return;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++)
		l->buckets[i] = add_saturated(l->buckets[i],
					      other->buckets[i]);
	l->count += other->count;
	l->max_ns = MAX(l->max_ns, other->max_ns);
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
	high = MIN(high, l->max_ns);
	return (double)high / 1e9;
}
