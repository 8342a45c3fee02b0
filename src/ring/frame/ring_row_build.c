/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/frame/ring_row_build.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/text.h"
#include "perf/abi/ring.h"

void ring_row_build_reset(struct ring_row_build *state)
{
	const struct ring_stats *stats = &state->reads.stats;

	latency_merge(&state->base_latency, &stats->latency);
	for (int i = 0; i < FILL_BUCKETS; i++)
		state->base_fill[i] += stats->fill[i];
	state->lost_before = state->last_lost;
	state->peak = 0;
	state->worst = (struct ring_interval){ 0 };
	state->advice = (struct advice_input){ 0 };
	memset(&state->histories, 0, sizeof(state->histories));
	state->aux.peak = 0;
	memset(&state->aux.fill_history, 0, sizeof(state->aux.fill_history));
}

void ring_row_build_free(struct ring_row_build *state)
{
	free(state->events);
}

static void set_identity(struct ring_row_build *state,
			 const struct reading_ring *now, unsigned int index,
			 struct ring_row *out)
{
	*out = now->row;
	ring_row_own(out);
	out->id = index;
	out->kind = RING_PERF;
	if (!ring_row_label(out))
		snprintf(out->label, sizeof(out->label), "ring %u", index);
	state->reads.counts_age = now->counts_age;
	state->reads.overwrite = now->read;
	out->reads = &state->reads;
}

/*
 * Head and tail are not read atomically: their difference may be slightly below
 * 0 or above the size.
 */
static void set_fill(struct ring_row *out)
{
	uint64_t used = ring_delta(out->head, out->tail);

	if (out->overwrite)
		used = out->head;
	else if (out->watermark)
		out->next_crossing = out->watermark *
			(ring_crossings(out->head, out->watermark) + 1);
	out->used = used < out->size ? used : out->size;
	out->fill = ring_share(out->used, out->size);
}

/*
 * The highest fill found by drains in this tick.  If the size has just changed,
 * some of them found the old ring, so only what waits now counts.
 */
static void set_peak(struct ring_row_build *state,
		     const struct reading_ring *now, struct ring_row *out)
{
	uint64_t peak = now->recent_peak;

	if (state->seen && state->size != out->size) {
		/* the worst gap is kept, too: it is of the load */
		state->advice = (struct advice_input){
			.burst = state->advice.burst,
			.ordinary_wait = state->advice.ordinary_wait,
		};
		state->peak = peak = 0;
	} else if (!state->seen && now->stats.peak > peak) {
		peak = now->stats.peak;
	}
	peak = MAX(peak, out->used);
	peak = MIN(peak, out->size);
	state->peak = MAX(state->peak, peak);
	out->peak_tick = ring_share(peak, out->size);
	out->peak = ring_share(state->peak, out->size);
}

/* All counters; histograms count from the last reset. */
static void set_stats(struct ring_row_build *state,
		      const struct ring_stats *now)
{
	struct ring_reads *reads = &state->reads;
	struct ring_stats *stats = &reads->stats;

	*stats = *now;
	stats->peak = state->peak;
	if (state->base_latency.count)
		latency_since(&now->latency, &state->base_latency,
			      &stats->latency);
	for (int i = 0; i < FILL_BUCKETS; i++)
		stats->fill[i] = (uint32_t)ring_delta(now->fill[i],
						       state->base_fill[i]);
	reads->latency_p50 = latency_percentile(&stats->latency, 0.5);
	reads->latency_p99 = latency_percentile(&stats->latency, 0.99);
}

/* Crossings in what was drained, plus those in what waits. */
static uint64_t crossings(const struct ring_stats *now,
			  const struct ring_row *out)
{
	uint64_t head = ring_crossings(out->head, out->watermark);

	if (out->overwrite)
		return head;
	return now->crossings +
	       ring_delta(head, ring_crossings(out->tail, out->watermark));
}

/*
 * Records of an overwrite ring are not counted as they arrive.  The mean record
 * size is known once the ring was read while full, if it is full now.
 */
static double overwrite_records_per_s(const struct ring_row *out)
{
	const struct ring_overwrite *read = &out->reads->overwrite;

	if (!read->valid || !read->records || !out->size ||
	    out->used < out->size)
		return NAN;
	return out->bytes_per_s * (double)read->records / (double)out->size;
}

/*
 * Records read, plus those waiting, estimated from the mean size: the rate must
 * not depend on when the ring is drained.
 */
static double arrived_records(const struct ring_stats *now,
			      const struct ring_row *out)
{
	double mean = now->records ?
		(double)now->bytes / (double)now->records : 0;

	return (double)now->records +
	       (mean > 0 ? (double)out->used / mean : 0);
}

static void set_rates(struct ring_row_build *state,
		      const struct ring_stats *now, double dt,
		      struct ring_row *out)
{
	const struct ring_stats *last = &state->reads.stats;
	double records = arrived_records(now, out);

	out->bytes = out->overwrite ? out->head : now->bytes + out->used;
	out->bytes_per_s = ring_growth(out->bytes, state->last_bytes, dt);
	if (out->overwrite)
		state->reads.records_per_s = overwrite_records_per_s(out);
	else
		state->reads.records_per_s = dt > 0 ?
			fmax(records - state->last_arrived, 0) / dt : 0;
	state->last_arrived = records;
	out->wakeups_per_s = ring_growth(now->wakeups, last->wakeups, dt);
	out->drains_per_s = ring_rate(state->tick.drains, dt);
}

/* What the kernel counted as lost; UNKNOWN if any event's is unknown. */
static uint64_t lost_of_events(const struct ring_row *row)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < row->nr_events; i++) {
		if (row->events[i].lost == UNKNOWN)
			return UNKNOWN;
		sum += row->events[i].lost;
	}
	return row->nr_events ? sum : UNKNOWN;
}

/*
 * Lost is the larger of what was reported and what the kernel counted: a record
 * that was pending and is now reported must not be counted twice.
 */
static void set_lost(struct ring_row_build *state,
		     const struct reading_ring *now, double dt,
		     struct ring_row *out)
{
	uint64_t counted = lost_of_events(out);
	bool known = counted != UNKNOWN;
	uint64_t last = state->last_lost;

	out->lost_reported = out->overwrite ? now->read.lost : now->stats.lost;
	out->lost_pending = known ? ring_delta(counted, out->lost_reported)
				  : UNKNOWN;
	out->lost = out->lost_reported + unknown_as_zero(out->lost_pending);
	/* Pending losses that became known only now are not of this tick. */
	if (state->seen && known != state->last_pending_known)
		last = out->lost;
	/* A read of an overwrite ring may have been replaced by a later one. */
	state->lost_before = MIN(state->lost_before, out->lost);
	out->lost_before = state->lost_before;
	state->tick.lost = ring_delta(out->lost, last);
	state->last_lost = out->lost;
	state->last_pending_known = known;
	out->lost_per_s = ring_rate(state->tick.lost, dt);
}

/*
 * If a ring is nearly full and has losses that no record reports, it has not
 * been drained since: the interval has not ended and its length is unknown.
 * The loss is logged in the next tick, even if the interval has not ended by
 * then.
 */
static bool hold_lost(struct ring_row_build *state, bool reported,
		      const struct ring_row *out)
{
	struct ring_row_tick *tick = &state->tick;
	bool open = !reported && !out->overwrite && out->fill > ADVICE_TIGHT;

	if (open && tick->lost && !state->held_lost) {
		state->held_lost = tick->lost;
		tick->lost = 0;
	} else {
		tick->lost += state->held_lost;
		state->held_lost = 0;
	}
	return open;
}

/*
 * The interval in which this tick's losses happened.  Losses not yet reported
 * happened before the latest drain that made room: any record written after it
 * would have reported them.
 */
static void set_gap(struct ring_row_build *state,
		    const struct ring_stats *stats,
		    const struct ring_row *out)
{
	const struct ring_interval *of = &stats->lossiest;
	struct ring_row_tick *tick = &state->tick;
	bool open = hold_lost(state, of->lost > 0, out);

	if (!of->lost)
		of = &stats->latest;
	tick->gap_ns = open ? 0 : of->ns;
	tick->fill = tick->gap_ns ? ring_share(of->used, out->size)
				  : out->peak_tick;
	tick->stopped = tick->stopped_ns > 0 ||
			(tick->lost && !open && of->stopped);
}

/* Before reads.stats becomes @now's. */
static void set_tick(struct ring_row_build *state,
		     const struct reading_ring *now, double dt)
{
	const struct ring_stats *last = &state->reads.stats;
	const struct ring_stats *stats = &now->stats;
	struct ring_row_tick *tick = &state->tick;

	tick->seconds = dt;
	tick->lost_samples = ring_delta(stats->lost_samples,
					 last->lost_samples);
	tick->throttled = ring_delta(stats->types[RECORD_THROTTLE],
				      last->types[RECORD_THROTTLE]);
	tick->broken = ring_delta(stats->broken, last->broken);
	tick->stopped_ns = ring_delta(stats->stopped_ns, last->stopped_ns);
	tick->drains = ring_delta(stats->drains, last->drains);
	tick->paused = now->row.paused || state->last_paused;
	tick->resized = state->seen && state->size != now->row.size;
}

/* The rates of the events, in place of those of the reading. */
static int set_events(struct ring_row_build *state, double dt,
		      struct ring_row *out)
{
	size_t known = state->nr_events;
	struct ring_event *events;

	if (array_fit(state->events, state->events_cap, out->nr_events) != 0)
		return -ENOMEM;
	events = state->events;
	if (out->nr_events > known)
		state->nr_events = out->nr_events;
	for (size_t i = 0; i < out->nr_events; i++) {
		struct ring_event event = out->events[i], last = event;

		last.lost = UNKNOWN;
		if (i < known)
			last = events[i];
		event.samples_per_s = ring_growth(event.samples, last.samples,
						  dt);
		event.lost_per_s = event.lost == UNKNOWN ? NAN :
			ring_growth(event.lost, last.lost, dt);
		event.cpu = out->cpu;
		event.tid = out->tid;
		events[i] = event;
	}
	out->events = events;
	return 0;
}

static void set_pids(const struct reading_ring *now, struct ring_reads *out)
{
	struct top_pid top[TOP_PIDS];
	unsigned int nr = top_pids_sorted(&now->stats.pids, top);

	for (unsigned int i = 0; i < nr; i++) {
		struct ring_pid *pid = &out->pids[i];

		pid->pid = top[i].pid;
		pid->samples = top[i].samples;
		pid->error = top[i].error;
		pid->share = ring_share(top[i].samples,
				   now->stats.types[RECORD_SAMPLE]);
		pid->comm[0] = '\0';
		for (unsigned int j = 0; j < now->nr_comms; j++)
			if (now->comms[j].pid == pid->pid)
				text_copy_field(pid->comm, sizeof(pid->comm),
						now->comms[j].comm,
						sizeof(now->comms[j].comm));
	}
	out->nr_pids = nr;
}

static void set_advice(struct ring_row_build *state,
		       const struct reading_ring *now, uint64_t page_size,
		       double dt, struct ring_row *out)
{
	struct ring_stats *stats = &state->reads.stats;
	struct advice_input *in = &state->advice;

	in->size = out->size;
	in->page_size = page_size;
	in->watermark = out->watermark;
	in->overwrite = out->overwrite;
	in->ordinary = now->ordinary;
	/* Losses in a pause or a stop of rbtop do not depend on the size. */
	if (state->tick.stopped || state->tick.paused)
		in->lost_stopped += state->tick.lost;
	else if (state->size == out->size)
		in->lost += state->tick.lost;
	if (!state->tick.paused && state->size == out->size) {
		if (stats->worst.bytes > state->worst.bytes)
			state->worst = stats->worst;
		in->burst = MAX(in->burst, stats->burst);
		in->ordinary_wait = fmax(in->ordinary_wait, now->ordinary_wait);
		in->peak = MAX(in->peak, stats->recent_used);
		in->bytes_per_s = fmax(in->bytes_per_s, out->bytes_per_s);
		in->watched += dt;
		in->drains += state->tick.drains;
	}
	stats->worst = state->worst;
	in->worst_gap = (double)state->worst.ns / 1e9;
	if (state->worst.ns)
		in->burst_bytes_per_s = (double)state->worst.bytes /
					in->worst_gap;
	advice_make(in, &out->advice);
}

/* For the next reading. */
static void remember(struct ring_row_build *state, const struct ring_row *out)
{
	state->seen = true;
	state->last_bytes = out->bytes;
	state->last_paused = out->paused;
	state->size = out->size;
}

int ring_row_build(struct ring_row_build *state,
		   const struct reading_ring *now, unsigned int index,
		   double dt, uint64_t page_size, struct ring_row *out)
{
	if (!state->seen) {
		dt = 0;
		state->size = now->row.size;
	}
	set_identity(state, now, index, out);
	if (set_events(state, dt, out) != 0)
		return -ENOMEM;
	set_fill(out);
	set_peak(state, now, out);
	out->crossings = crossings(&now->stats, out);
	out->wakeups = now->stats.wakeups;
	out->drains = now->stats.drains;
	set_tick(state, now, dt);
	set_rates(state, &now->stats, dt, out);
	ring_aux_build(&state->aux, now, dt, page_size, &out->aux,
		       &state->reads);
	set_stats(state, &now->stats);
	if (now->row.size == UNKNOWN)
		ring_row_of_records(out, &state->reads);
	set_lost(state, now, dt, out);
	set_gap(state, &now->stats, out);
	set_pids(now, &state->reads);
	set_advice(state, now, page_size, dt, out);
	ring_row_push(out, dt, &state->histories);
	out->histories = &state->histories;
	remember(state, out);
	return 0;
}
