/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recorded/recorded.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/units.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/recorded/timeline.h"

/* ns; nothing is recorded for that long only if events are very rare. */
#define DAY UINT64_C(86400000000000)

void recorded_init(struct recorded *r)
{
	memset(r, 0, sizeof(*r));
	r->first = r->last = r->from = r->to = UNKNOWN;
	r->sampled = r->sampled_last = UNKNOWN;
}

void recorded_free(struct recorded *r)
{
	free(r->rings);
	free(r->types);
	free(r->samples);
	table_free(&r->by_ring);
	table_free(&r->by_type);
}

static const struct recorded_losses no_losses = {
	.first = UNKNOWN,
	.last = UNKNOWN,
	.worst = UNKNOWN,
};

static uint64_t ring_key(enum perfdata_origin origin, uint32_t nr)
{
	return (uint64_t)origin << 32 | nr;
}

/* The functions below that are not inlined would slow down count_in_ring(). */
__attribute__((noinline))
static struct recorded_ring *find_ring(struct recorded *r,
				       enum perfdata_origin origin,
				       uint32_t nr)
{
	struct recorded_ring *ring;
	struct table_entry *entry;
	size_t index = r->nr_rings;

	if (origin == PERFDATA_OF_SOME_RING)
		nr = 0;
	entry = table_find(&r->by_ring, ring_key(origin, nr));
	if (entry) {
		index = entry->index;
	} else if (r->nr_rings >= RECORDED_RINGS_MAX &&
		   origin != PERFDATA_OF_SOME_RING) {
		return find_ring(r, PERFDATA_OF_SOME_RING, 0);
	} else {
		if (array_fit(r->rings, r->rings_cap, r->nr_rings + 1) ||
		    table_add_index(&r->by_ring, ring_key(origin, nr), index))
			return NULL;
		ring = array_add(r->rings, r->nr_rings, r->rings_cap);
		ring->origin = origin;
		ring->nr = nr;
		ring->index = index;
		ring->max_round = ring->burst = ring->previous = UNKNOWN;
		ring->losses = no_losses;
	}
	r->recent_rings[nr % RECORDED_RECENT] = (uint32_t)index + 1;
	return &r->rings[index];
}

/* The ring @nr of that kind; NULL when out of memory. */
static inline struct recorded_ring *need_ring(struct recorded *r,
					      enum perfdata_origin origin,
					      uint32_t nr)
{
	uint32_t recent = r->recent_rings[nr % RECORDED_RECENT];
	struct recorded_ring *ring = recent ? &r->rings[recent - 1] : NULL;

	return ring && ring->nr == nr && ring->origin == origin ?
		       ring : find_ring(r, origin, nr);
}

__attribute__((noinline))
static int find_type(struct recorded *r, uint32_t type)
{
	struct table_entry *entry = table_find(&r->by_type, type);
	struct recorded_type *of;
	size_t index = r->nr_types;

	if (entry) {
		index = entry->index;
		r->types[index].records++;
	} else if (r->nr_types == RECORDED_TYPES_MAX) {
		r->other_types++;
		return 0;
	} else {
		if (array_fit(r->types, r->types_cap, r->nr_types + 1) ||
		    table_add_index(&r->by_type, type, index))
			return -ENOMEM;
		of = array_add(r->types, r->nr_types, r->types_cap);
		*of = (struct recorded_type){ type, 1 };
	}
	r->recent_types[type % RECORDED_RECENT] = (uint32_t)index + 1;
	return 0;
}

static inline int count_type(struct recorded *r, uint32_t type)
{
	uint32_t recent = r->recent_types[type % RECORDED_RECENT];

	if (!recent || r->types[recent - 1].type != type)
		return find_type(r, type);
	r->types[recent - 1].records++;
	return 0;
}

static int count_sample(struct recorded *r, size_t event)
{
	if (event == PERFDATA_NO_EVENT) {
		r->eventless++;
		return 0;
	}
	if (event >= r->nr_samples) {
		if (array_fit_zero(r->samples, r->samples_cap, event + 1))
			return -ENOMEM;
		r->nr_samples = event + 1;
	}
	r->samples[event]++;
	return 0;
}

static void count_aux(struct recorded_aux *aux,
		      const struct perfdata_record *record)
{
	aux->records++;
	unknown_add(&aux->bytes, record->trace);
	aux->truncated += !!(record->aux_flags & PERFDATA_AUX_TRUNCATED);
	aux->overwrite += !!(record->aux_flags & PERFDATA_AUX_OVERWRITE);
	aux->partial += !!(record->aux_flags & PERFDATA_AUX_PARTIAL);
	aux->collision += !!(record->aux_flags & PERFDATA_AUX_COLLISION);
}

static double mean_size(const struct recorded_ring *ring)
{
	return (double)ring->bytes / (double)ring->records;
}

/* All that came in the held round is known. */
static void count_held(struct recorded_ring *ring)
{
	double need = (double)ring->held + ring->held_lost, size;

	if (!ring->held)
		return;
	ring->max_need = fmax(ring->max_need, need);
	for (size_t i = 0; i < RECORDED_SIZES; i++) {
		size = (double)((uint64_t)RECORDED_PAGE << i);
		if (need <= size)
			break;
		ring->sizes[i].lost += (need - size) / mean_size(ring);
		ring->sizes[i].rounds++;
	}
	ring->held = 0;
	ring->held_lost = 0;
}

/*
 * The round that the ring's bytes are of has ended.  Of several rings together,
 * that says nothing.
 */
__attribute__((noinline))
static void close_round(struct recorded *r, struct recorded_ring *ring)
{
	uint64_t bytes = ring->round_bytes;

	ring->round_bytes = 0;
	if (!bytes || ring->origin == PERFDATA_OF_SOME_RING)
		return;
	if (ring->max_round == UNKNOWN || bytes > ring->max_round)
		ring->max_round = bytes;
	count_held(ring);
	ring->held = bytes;
	if (r->timeline)
		timeline_round(r->timeline, ring->index, bytes);
}

/* Rounds are those of one file: in another one, other rings are drained. */
static void finish_part(struct recorded *r)
{
	for (size_t i = 0; i < r->nr_rings; i++) {
		if (r->part_rounds)
			close_round(r, &r->rings[i]);
		count_held(&r->rings[i]);
		r->rings[i].round_bytes = 0;
		r->rings[i].held_lost = 0;
	}
	r->part_rounds = 0;
}

static double bytes_lost(const struct recorded_ring *ring,
			 const struct perfdata_record *record)
{
	return fmin((double)record->lost * mean_size(ring), 0x1p60);
}

/* Bytes of those that it says were lost that were lost in one slot. */
__attribute__((noinline))
static uint64_t lost_in_slot(struct recorded_ring *ring,
			     const struct perfdata_record *record)
{
	double lost = bytes_lost(ring, record), gap = 0;

	if (lost > (double)ring->gap_lost)
		ring->gap_lost = (uint64_t)lost;
	if (ring->previous != UNKNOWN && record->time > ring->previous)
		gap = (double)(record->time - ring->previous);
	if (gap > (double)RECORDED_SLOT)
		lost *= (double)RECORDED_SLOT / gap;
	return (uint64_t)lost;
}

static void count_burst(struct recorded_ring *ring,
			const struct perfdata_record *record)
{
	uint64_t slot = record->time / RECORDED_SLOT;

	if (record->time == UNKNOWN || ring->origin == PERFDATA_OF_SOME_RING)
		return;
	if (slot != ring->slot)
		ring->slot_bytes = 0;
	ring->slot = slot;
	unknown_add(&ring->slot_bytes, record->size);
	if (record->type == PERF_RECORD_LOST)
		unknown_add(&ring->slot_bytes, lost_in_slot(ring, record));
	ring->previous = record->time;
	if (ring->burst == UNKNOWN || ring->slot_bytes > ring->burst)
		ring->burst = ring->slot_bytes;
}

/* Add the losses of @more. */
static void add_losses(struct recorded_losses *sum,
		       const struct recorded_losses *more)
{
	sum->records += more->records;
	if (more->first == UNKNOWN)
		return;
	if (sum->first == UNKNOWN || more->first < sum->first)
		sum->first = more->first;
	if (sum->last == UNKNOWN || more->last > sum->last)
		sum->last = more->last;
	if (more->worst_lost < sum->worst_lost ||
	    (more->worst_lost == sum->worst_lost && more->worst >= sum->worst))
		return;
	sum->worst = more->worst;
	sum->worst_lost = more->worst_lost;
}

static void count_loss(struct recorded_ring *ring,
		       const struct perfdata_record *record)
{
	const struct recorded_losses one = {
		.records = 1,
		.first = record->time,
		.last = record->time,
		.worst = record->time,
		.worst_lost = record->lost,
	};

	unknown_add(&ring->lost, record->lost);
	ring->held_lost += bytes_lost(ring, record);
	if (record->lost)
		add_losses(&ring->losses, &one);
}

__attribute__((noinline))
static void count_other(struct recorded_ring *ring,
			const struct perfdata_record *record)
{
	switch (record->type) {
	case PERF_RECORD_LOST:
		count_loss(ring, record);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		if (record->misc & PERFDATA_MISC_FILTERED)
			unknown_add(&ring->filtered, record->lost);
		else
			unknown_add(&ring->lost_samples, record->lost);
		break;
	case PERF_RECORD_THROTTLE:
		ring->throttled++;
		break;
	case PERF_RECORD_UNTHROTTLE:
		ring->unthrottled++;
		break;
	case PERF_RECORD_AUX:
		count_aux(&ring->aux, record);
		break;
	}
}

static int count_in_ring(struct recorded *r, struct recorded_ring *ring,
			 const struct perfdata_record *record, uint64_t round)
{
	if (ring->round != round)
		close_round(r, ring);
	ring->round = round;
	ring->records++;
	ring->bytes += record->size;
	ring->round_bytes += record->size;
	count_burst(ring, record);
	if (record->type == PERF_RECORD_SAMPLE)
		ring->samples++;
	else
		count_other(ring, record);
	return r->timeline ? timeline_add(r->timeline, ring->index, record) :
			     0;
}

/* UNKNOWN is above all times. */
static void extend(uint64_t *first, uint64_t *last, uint64_t time)
{
	if (time < *first)
		*first = time;
	if (*last == UNKNOWN || time > *last)
		*last = time;
}

static void count_time(struct recorded *r, uint64_t time)
{
	if (time == UNKNOWN)
		return;
	extend(&r->first, &r->last, time);
	extend(&r->from, &r->to, time);
}

static void place_bound(uint64_t first, bool *since, uint64_t *time)
{
	if (*since)
		*time = *time < UNKNOWN - first ? first + *time : UNKNOWN - 1;
	*since = false;
}

/* @share is of RECORDED_WHOLE. */
static uint64_t part_of(uint64_t length, uint64_t share)
{
	double part = (double)length * ((double)share / (double)RECORDED_WHOLE);

	return part < (double)length ? (uint64_t)(part + 0.5) : length;
}

void recorded_place_span(const struct recorded *r, struct recorded_span *span)
{
	bool sampled = r->sampled != UNKNOWN;
	uint64_t start = sampled ? r->sampled : r->first;
	uint64_t length = (sampled ? r->sampled_last : r->last) - start;

	if (r->first == UNKNOWN)
		return;
	if (span->share) {
		span->from = part_of(length, span->from);
		span->to = part_of(length, span->to);
		/* there the next part begins, as in perf */
		span->to -= span->to > span->from && span->to < length;
		span->from += start;
		span->to += start;
		span->share = false;
	}
	place_bound(r->first, &span->from_since, &span->from);
	place_bound(r->first, &span->to_since, &span->to);
}

int recorded_check_span(const struct recorded *r, struct err *err)
{
	if (!r->span.given)
		return 0;
	if (r->first == UNKNOWN)
		return err_usage(err, "--time: the records have no times");
	if (r->last >= r->span.from && r->first <= r->span.to &&
	    r->span.from <= r->span.to)
		return 0;
	return err_usage(err, "--time: the recording is from %.6f to %.6f, "
			 "in seconds of its clock, or +0 to +%.3f since its "
			 "start", (double)r->first / 1e9,
			 (double)r->last / 1e9,
			 (double)(r->last - r->first) / 1e9);
}

/* Its CPU and its time are possible. */
static int place(struct recorded *r, const struct perfdata_record *record,
		 uint64_t round)
{
	struct recorded_ring *ring;

	count_time(r, record->time);
	if (record->type == PERF_RECORD_SAMPLE && record->time != UNKNOWN)
		extend(&r->sampled, &r->sampled_last, record->time);
	if (recorded_outside(r, record))
		return 0;
	ring = need_ring(r, record->origin, record->ring);
	if (!ring)
		return -ENOMEM;
	if (record->type != PERFDATA_RECORD_AUXTRACE)
		return count_in_ring(r, ring, record, round);
	unknown_add(&ring->aux.trace, record->trace);
	return 0;
}

static int hold(struct recorded *r, const struct perfdata_record *record)
{
	struct recorded_held *held = &r->held[r->nr_held++];

	held->record = *record;
	held->record.bytes = NULL;
	held->round = r->rounds;
	return r->nr_held < RECORDED_HELD ? 0 : recorded_settle(r);
}

/* It makes no ring, but what it says was lost was lost. */
static int leave_out(struct recorded *r, const struct perfdata_record *record)
{
	struct perfdata_record loss = *record;

	if (recorded_outside(r, record))
		return 0;
	r->left_out++;
	if (record->type != PERF_RECORD_LOST &&
	    record->type != PERF_RECORD_LOST_SAMPLES)
		return 0;
	loss.origin = PERFDATA_OF_SOME_RING;
	loss.time = UNKNOWN;
	return place(r, &loss, r->rounds);
}

static bool has_cpu(const struct recorded *r,
		    const struct perfdata_record *record)
{
	bool known = r->cpus && *r->cpus && *r->cpus != UNKNOWN;
	uint64_t cpus = known ? *r->cpus : RECORDED_CPUS_MAX;

	return (record->cpu < cpus || record->cpu == UINT32_MAX) &&
	       (record->ring < cpus || record->origin != PERFDATA_OF_CPU);
}

static int sort(struct recorded *r, const struct perfdata_record *record,
		uint64_t round)
{
	uint64_t time = record->time;

	if (r->to != UNKNOWN && time != UNKNOWN &&
	    ((time < r->from && r->from - time > DAY) ||
	     (time > r->to && time - r->to > DAY)))
		return leave_out(r, record);
	return place(r, record, round);
}

int recorded_add(struct recorded *r, const struct perfdata_record *record)
{
	bool counts = !recorded_outside(r, record);
	int ret = counts ? count_type(r, record->type) : 0;

	if (record->part != r->part) {
		if (ret == 0 && r->nr_held)
			ret = recorded_settle(r);
		finish_part(r);
	}
	r->part = record->part;
	r->records += counts;
	r->bytes += counts ? record->size : 0;
	if (ret == 0 && counts && record->type == PERF_RECORD_SAMPLE)
		ret = count_sample(r, record->event);
	if (record->type == PERFDATA_RECORD_FINISHED_ROUND) {
		r->rounds++;
		r->part_rounds++;
	}
	if (ret || record->origin == PERFDATA_OF_NO_RING)
		return ret;
	if (!has_cpu(r, record))
		return leave_out(r, record);
	if (!r->settled && (r->nr_held || record->time != UNKNOWN))
		return hold(r, record);
	return sort(r, record, r->rounds);
}

uint64_t recorded_loss(const struct recorded_ring *ring)
{
	return ring->lost > ring->lost_samples ? ring->lost :
						 ring->lost_samples;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_times(const void *one, const void *other)
{
	return compare(*(const uint64_t *)one, *(const uint64_t *)other);
}

int recorded_settle(struct recorded *r)
{
	struct recorded_held held[RECORDED_HELD];
	uint64_t times[RECORDED_HELD];
	size_t nr = r->nr_held, nr_times = 0, low;
	int ret = 0;

	if (r->settled)
		return 0;
	memcpy(held, r->held, nr * sizeof(*held));
	for (size_t i = 0; i < nr; i++)
		if (held[i].record.time != UNKNOWN)
			times[nr_times++] = held[i].record.time;
	if (nr_times) {
		qsort(times, nr_times, sizeof(*times), compare_times);
		low = (nr_times - 1) / 2;
		r->to = times[low];
		while (low && times[low] - times[low - 1] <= DAY)
			low--;
		r->from = times[low];
	}
	r->settled = true;
	r->nr_held = 0;
	for (size_t i = 0; ret == 0 && i < nr; i++)
		ret = sort(r, &held[i].record, held[i].round);
	return ret;
}

const char *recorded_left_out(const struct recorded *r, char *buf, size_t size)
{
	*buf = '\0';
	if (r->left_out)
		snprintf(buf, size, "%" PRIu64 " record%s with an impossible "
			 "CPU or time %s not counted in rings and times",
			 r->left_out, r->left_out == 1 ? "" : "s",
			 r->left_out == 1 ? "was" : "were");
	return buf;
}

/* Worst first; rings without losses by their fill, which may come to it. */
static int compare_rings(const void *one, const void *other)
{
	const struct recorded_ring *a = one, *b = other;
	int ret = compare(recorded_loss(b), recorded_loss(a));

	if (!ret)
		ret = compare(b->aux.truncated, a->aux.truncated);
	if (!ret)
		ret = compare(unknown_as_zero(b->max_round),
			      unknown_as_zero(a->max_round));
	if (!ret)
		ret = compare(b->bytes, a->bytes);
	return ret ? ret : compare(ring_key(a->origin, a->nr),
				   ring_key(b->origin, b->nr));
}

static int compare_types(const void *one, const void *other)
{
	const struct recorded_type *a = one, *b = other;
	int ret = compare(b->records, a->records);

	return ret ? ret : compare(a->type, b->type);
}

int recorded_finish(struct recorded *r)
{
	int ret = recorded_settle(r);

	finish_part(r);
	table_clear(&r->by_ring);
	table_clear(&r->by_type);
	memset(r->recent_rings, 0, sizeof(r->recent_rings));
	memset(r->recent_types, 0, sizeof(r->recent_types));
	if (r->nr_rings)
		qsort(r->rings, r->nr_rings, sizeof(*r->rings), compare_rings);
	for (size_t i = 0; i < r->nr_rings; i++)
		if (r->rings[i].origin == PERFDATA_OF_SOME_RING)
			r->some = &r->rings[i];
	if (r->nr_types)
		qsort(r->types, r->nr_types, sizeof(*r->types), compare_types);
	return ret;
}

struct recorded_ring recorded_total(const struct recorded *r)
{
	struct recorded_ring sum = {
		.max_round = UNKNOWN,
		.burst = UNKNOWN,
		.losses = no_losses,
	};

	for (size_t i = 0; i < r->nr_rings; i++) {
		const struct recorded_ring *ring = &r->rings[i];

		sum.records += ring->records;
		sum.bytes += ring->bytes;
		sum.samples += ring->samples;
		unknown_add(&sum.lost, ring->lost);
		unknown_add(&sum.lost_samples, ring->lost_samples);
		add_losses(&sum.losses, &ring->losses);
		unknown_add(&sum.filtered, ring->filtered);
		sum.throttled += ring->throttled;
		sum.unthrottled += ring->unthrottled;
		sum.aux.records += ring->aux.records;
		unknown_add(&sum.aux.bytes, ring->aux.bytes);
		sum.aux.truncated += ring->aux.truncated;
		sum.aux.overwrite += ring->aux.overwrite;
		sum.aux.partial += ring->aux.partial;
		sum.aux.collision += ring->aux.collision;
		unknown_add(&sum.aux.trace, ring->aux.trace);
		if (ring->max_round != UNKNOWN &&
		    (sum.max_round == UNKNOWN ||
		     ring->max_round > sum.max_round))
			sum.max_round = ring->max_round;
		if (ring->burst != UNKNOWN &&
		    (sum.burst == UNKNOWN || ring->burst > sum.burst))
			sum.burst = ring->burst;
	}
	return sum;
}

uint64_t recorded_ring_size(const struct recorded *r, uint64_t claimed)
{
	uint64_t round = recorded_total(r).max_round;

	/* what perf adds at the end counts as well */
	return round != UNKNOWN && round / 2 > claimed ? UNKNOWN : claimed;
}

static double need_of_loss(const struct recorded_ring *ring)
{
	return ring->gap_lost ? (double)unknown_as_zero(ring->max_round) +
				2 * (double)ring->gap_lost : 0;
}

uint64_t recorded_pages(const struct recorded *r, uint64_t *lost)
{
	enum { MIN_PAGES = 8 };
	struct recorded_ring total = recorded_total(r);
	double need = 0, min = 0;
	uint64_t pages;

	*lost = 0;
	if (!total.lost || total.burst == UNKNOWN)
		return 0;
	/* a reader is woken at half a ring; the rest must hold what follows */
	for (size_t i = 0; i < r->nr_rings; i++)
		need = fmax(need,
			    2 * (double)unknown_as_zero(r->rings[i].burst));
	for (size_t i = 0; i < r->nr_rings; i++) {
		if (!(need_of_loss(&r->rings[i]) > need))
			continue;
		need = need_of_loss(&r->rings[i]);
		*lost = r->rings[i].gap_lost;
	}
	for (size_t i = 0; i < r->nr_rings; i++) {
		need = fmax(need, r->rings[i].max_need);
		min = fmax(min, fmax((double)r->rings[i].gap_lost,
				     r->rings[i].max_need));
	}
	/* the margin is not worth as much as an answer */
	if (need > RECORDED_PAGES_MAX * RECORDED_PAGE)
		return min > RECORDED_PAGES_MAX * RECORDED_PAGE ? 0 :
		       RECORDED_PAGES_MAX;
	pages = units_round_pow2((uint64_t)need / RECORDED_PAGE + 1);
	return pages < MIN_PAGES ? MIN_PAGES : pages;
}

size_t recorded_what_if(const struct recorded *r,
			struct recorded_size sizes[RECORDED_SIZES])
{
	size_t nr = 0;

	if (recorded_total(r).max_round == UNKNOWN ||
	    (r->some && r->some->lost))
		return 0;
	memset(sizes, 0, RECORDED_SIZES * sizeof(*sizes));
	do {
		for (size_t i = 0; i < r->nr_rings; i++) {
			const struct recorded_size *of =
				&r->rings[i].sizes[nr];

			sizes[nr].lost += of->lost;
			sizes[nr].rounds += of->rounds;
			sizes[nr].rings += !!of->rounds;
		}
	} while (sizes[nr++].rings && nr < RECORDED_SIZES);
	return nr;
}

uint64_t recorded_lost(const struct recorded *r,
		       const struct recorded_ring *ring)
{
	const struct recorded_ring *some = r->some;

	return some && some != ring && some->lost ? UNKNOWN : ring->lost;
}

uint64_t recorded_lost_samples(const struct recorded *r,
			       const struct recorded_ring *ring)
{
	const struct recorded_ring *some = r->some;

	return some && some != ring && some->lost_samples ? UNKNOWN :
							    ring->lost_samples;
}
