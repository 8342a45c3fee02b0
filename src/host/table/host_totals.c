/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>

#include "host/table/host_table_impl.h"

/* What is unknown adds nothing. */
static void add_number(double *sum, double value)
{
	if (!isnan(value))
		*sum += value;
}

/* Whether the row tells what it lost: no BPF ring buffer does. */
static bool tells_lost(const struct ring_row *row)
{
	return row->kind == RING_PERF && row->lost != UNKNOWN;
}

static void begin(struct ring_total *total)
{
	*total = (struct ring_total){ 0 };
	total->row = (struct ring_row){
		.label = "total",
		.cpu = -1, .tid = -1, .pid = -1,
		.enabled = true,
		.watermark = UNKNOWN, .wakeup_events = UNKNOWN,
		.head = UNKNOWN, .tail = UNKNOWN, .next_crossing = UNKNOWN,
		.crossings = UNKNOWN,
		.fill = NAN, .peak = NAN,
	};
	ring_row_own(&total->row);
	total->row.locked = total->row.remapped = 0;
}

static void add_row(struct ring_total *total, const struct ring_row *row)
{
	struct ring_row *sum = &total->row;

	total->rings += row->kind == RING_PERF;
	total->ringbufs += row->kind == RING_BPF;
	total->uncounted += row->kind == RING_BPF && !row->overwrite;
	total->warned += row->warnings != 0;
	sum->warnings |= row->warnings;
	sum->size += row->size;
	sum->used += unknown_as_zero(row->used);
	sum->locked += unknown_as_zero(row->locked);
	sum->remapped += unknown_as_zero(row->remapped);
	add_number(&sum->bytes_per_s, row->bytes_per_s);
	add_number(&sum->wakeups_per_s, row->wakeups_per_s);
	add_number(&sum->drains_per_s, row->drains_per_s);
	add_number(&sum->lost_per_s, row->lost_per_s);
	sum->peak = fmax(sum->peak, row->peak);
	sum->peak_tick = fmax(sum->peak_tick, row->peak_tick);
}

static void grow(uint64_t *sum, uint64_t *counted, uint64_t now)
{
	uint64_t grown = host_delta(unknown_as_zero(now), *counted);

	*sum += grown;
	*counted += grown;
}

void host_totals_count(struct host_table *table, struct host_row_state *state)
{
	const struct ring_row *row = &state->row;
	struct host_counters *sums = &table->sums.counters;
	struct host_counters *counted = &state->counted;

	if (!row->known)
		return;
	grow(&sums->bytes, &counted->bytes, row->bytes);
	grow(&sums->wakeups, &counted->wakeups, row->wakeups);
	grow(&sums->drains, &counted->drains, row->drains);
	grow(&sums->lost, &counted->lost, row->lost);
	table->sums.perf |= row->kind == RING_PERF;
	table->sums.told |= tells_lost(row);
	table->sums.at_least |= row->gone;
}

void host_totals_forget(struct host_table *table,
			struct host_row_state *state)
{
	if (!host_table_shows(table, &state->row))
		return;
	host_totals_count(table, state);
	table->sums.pending += unknown_as_zero(state->row.lost_pending);
}

/*
 * Where there is no ring and was none, nothing is what they sum up to.  Pending
 * and lost are not read at one instant.
 */
static void set_sums(struct host_table *table)
{
	const struct host_sums *sums = &table->sums;
	struct ring_total *total = &table->host.total;
	struct ring_row *sum = &total->row;
	bool any = total->rings || total->ringbufs;

	if (sum->size)
		sum->fill = (double)sum->used / (double)sum->size;
	sum->bytes = sums->counters.bytes;
	sum->wakeups = sums->counters.wakeups;
	sum->drains = sums->counters.drains;
	sum->lost = sums->counters.lost;
	sum->lost_pending += sums->pending;
	sum->lost_reported = sum->lost_pending > sum->lost ? UNKNOWN :
			     sum->lost - sum->lost_pending;
	if (!sums->told && any) {
		sum->lost = sum->lost_reported = UNKNOWN;
		sum->lost_per_s = NAN;
	}
	if (!sums->perf && any) {
		sum->lost_pending = sum->wakeups = UNKNOWN;
		sum->wakeups_per_s = NAN;
	}
	total->at_least = sums->at_least;
}

int host_totals_make(struct host_table *table)
{
	struct host *host = &table->host;
	struct host_map owners = { 0 };

	if (host_map_begin(&owners, host->nr_rows) != 0)
		return -ENOMEM;
	begin(&host->total);
	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		host_totals_count(table, table->states[i]);
		host->total.row.lost_pending +=
			unknown_as_zero(row->lost_pending);
		if (row->gone)
			continue;
		add_row(&host->total, row);
		if (row->pid >= 0 &&
		    host_map_get(&owners, (uint64_t)row->pid) == HOST_MAP_NONE)
			host->total.owners++;
		host_map_put(&owners, (uint64_t)row->pid, 0);
	}
	set_sums(table);
	host_limit_total(host);
	host_map_free(&owners);
	return 0;
}
