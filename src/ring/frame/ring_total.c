/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/frame/frame.h"

#include <math.h>
#include <string.h>

void ring_total_begin(struct ring_total *total)
{
	*total = (struct ring_total){
		.row = {
			.label = "total",
			.cpu = -1, .tid = -1, .pid = -1,
			.enabled = true,
			.watermark = UNKNOWN, .wakeup_events = UNKNOWN,
			.head = UNKNOWN, .tail = UNKNOWN,
			.next_crossing = UNKNOWN,
		},
	};
	ring_row_own(&total->row);
	total->row.sum = true;
}

/* Unknown only while none of the rings is known. */
static void add_rate(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

static void add_known(uint64_t *sum, uint64_t value)
{
	if (value != UNKNOWN)
		*sum = unknown_as_zero(*sum) + value;
}

void ring_total_add(struct ring_total *total, const struct ring_row *row)
{
	struct ring_row *sum = &total->row;

	total->nr[row->kind] += row->kind != RING_PERF ||
				(!row->dummies && !row->gone);
	total->uncounted += row->kind == RING_BPF && !row->overwrite &&
			    row->lost == UNKNOWN;
	total->warned += row->warnings != 0;
	sum->warnings |= row->warnings;
	if (!row->dummies) {
		sum->size += row->size;
		sum->used += unknown_as_zero(row->used);
	}
	add_known(&sum->locked, row->locked);
	add_known(&sum->remapped, row->remapped);
	add_rate(&sum->bytes_per_s, row->bytes_per_s);
	add_rate(&sum->wakeups_per_s, row->wakeups_per_s);
	add_rate(&sum->drains_per_s, row->drains_per_s);
	add_rate(&sum->lost_per_s, row->lost_per_s);
	sum->peak = fmax(sum->peak, row->peak);
	sum->peak_tick = fmax(sum->peak_tick, row->peak_tick);
}

static void add_counters(struct ring_row *sum, const struct ring_row *ring)
{
	sum->bytes += ring->bytes;
	sum->crossings += ring->crossings;
	sum->wakeups += ring->wakeups;
	sum->drains += ring->drains;
	sum->lost += ring->lost;
	sum->lost_before += ring->lost_before;
	sum->lost_reported += ring->lost_reported;
	add_known(&sum->lost_pending, ring->lost_pending);
}

static void add_aux_stats(struct aux_stats *sum, const struct aux_stats *stats)
{
	sum->records += stats->records;
	sum->bytes += stats->bytes;
	sum->truncated += stats->truncated;
	sum->overwrite += stats->overwrite;
	sum->partial += stats->partial;
	sum->collision += stats->collision;
	sum->itrace_starts += stats->itrace_starts;
	sum->hw_ids += stats->hw_ids;
	sum->reenabled += stats->reenabled;
	if (stats->last_time > sum->last_time)
		sum->last_time = stats->last_time;
}

static void add_reads(struct ring_reads *sum, const struct ring_reads *reads)
{
	struct ring_stats *to = &sum->stats;
	const struct ring_stats *stats = &reads->stats;

	to->bytes += stats->bytes;
	to->records += stats->records;
	for (int type = 0; type < RECORD_TYPES; type++)
		to->types[type] += stats->types[type];
	to->lost_samples += stats->lost_samples;
	to->own += stats->own;
	to->unknown_ids += stats->unknown_ids;
	to->broken += stats->broken;
	to->timer_drains += stats->timer_drains;
	for (int i = 0; i < FILL_BUCKETS; i++)
		to->fill[i] += stats->fill[i];
	latency_merge(&to->latency, &stats->latency);
	add_aux_stats(&to->aux, &stats->aux);
	sum->aux.truncated_per_s += reads->aux.truncated_per_s;
	add_rate(&sum->records_per_s, reads->records_per_s);
}

/* How often all were written around is unknown with one in snapshot mode. */
static void add_aux(struct ring_total *total, const struct ring_aux *aux)
{
	struct ring_aux *sum = &total->row.aux;

	if (!aux->size)
		return;
	total->aux_rings++;
	sum->size += aux->size;
	add_rate(&sum->bytes_per_s, aux->bytes_per_s);
	if (aux->overwrite || sum->wraps == UNKNOWN)
		sum->wraps = UNKNOWN;
	else
		sum->wraps += aux->wraps;
}

static void begin_own(struct ring_total *total, struct ring_reads *reads)
{
	ring_total_begin(total);
	total->row.lost_pending = UNKNOWN;
	total->row.aux = (struct ring_aux){
		.watermark = UNKNOWN, .head = UNKNOWN, .tail = UNKNOWN,
		.position = UNKNOWN, .used = UNKNOWN, .fill = NAN,
		.bytes_per_s = NAN,
	};
	total->row.reads = reads;
	*reads = (struct ring_reads){
		.records_per_s = NAN,
		.counts_age = NAN,
		.aux = { .peak = NAN, .head_age = NAN, .read_cost = NAN },
	};
}

/* -m is one setting: what perf record needs is the same for all rings. */
void ring_total_advise(struct ring_total *total, struct ring_row *rings,
		       size_t nr, uint64_t page_size)
{
	struct advice *all = &total->row.advice;

	struct verdicts verdicts = { 0 };
	bool ended = true;	/* all are gone: the last report */

	for (size_t i = 0; i < nr; i++)
		ended &= rings[i].gone;
	for (size_t i = 0; i < nr; i++) {
		verdicts_add(&verdicts, &rings[i]);
		if (ended || !rings[i].gone)
			advice_all_add(all, &rings[i].advice,
				       rings[i].size / page_size,
				       rings[i].label);
	}
	advice_all_end(all);
	all->verdict = verdicts_worst(&verdicts);
	for (size_t i = 0; i < nr; i++)
		advice_all_apply(all, &rings[i].advice);
}

void ring_total_own(struct ring_total *total, struct ring_reads *reads,
		    const struct ring_row *rings, size_t nr)
{
	struct ring_row *sum = &total->row;

	begin_own(total, reads);
	for (size_t i = 0; i < nr; i++) {
		ring_total_add(total, &rings[i]);
		add_counters(sum, &rings[i]);
		add_aux(total, &rings[i].aux);
		add_reads(reads, rings[i].reads);
	}
	if (nr && rings[0].size == UNKNOWN) {
		ring_row_of_records(sum, reads);
		sum->aux.size = total->aux_rings ? UNKNOWN : 0;
		sum->aux.wraps = UNKNOWN;
	} else if (sum->size) {
		sum->fill = (double)sum->used / (double)sum->size;
	}
	reads->latency_p50 = latency_percentile(&reads->stats.latency, 0.5);
	reads->latency_p99 = latency_percentile(&reads->stats.latency, 0.99);
}
