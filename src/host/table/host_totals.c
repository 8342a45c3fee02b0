/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>

#include "host/table/host_table_impl.h"

static double rate(double value)
{
	return isnan(value) ? 0 : value;
}

/* Whether the row tells what it lost: no BPF ring buffer does. */
static bool tells_lost(const struct host_row *row)
{
	return row->kind == HOST_PERF_RING && row->lost != UNKNOWN;
}

static void add_total(struct host_total *total, const struct host_row *row)
{
	if (row->kind == HOST_BPF_RINGBUF)
		total->ringbufs++;
	else
		total->rings++;
	total->size += row->size;
	total->used += unknown_as_zero(row->used);
	total->locked += unknown_as_zero(row->locked);
	total->bytes_per_s += rate(row->bytes_per_s);
	total->wakeups_per_s += rate(row->wakeups_per_s);
	total->lost_per_s += rate(row->lost_per_s);
	total->uncounted += row->kind == HOST_BPF_RINGBUF && !row->overwrite;
	total->warned += row->warnings != 0;
	total->warnings |= row->warnings;
	total->peak_tick = fmax(total->peak_tick, rate(row->peak_tick));
}

static void grow(uint64_t *sum, uint64_t *counted, uint64_t now)
{
	uint64_t grown = host_delta(unknown_as_zero(now), *counted);

	*sum += grown;
	*counted += grown;
}

void host_totals_count(struct host_table *table, struct host_row_state *state)
{
	const struct host_row *row = &state->row;
	struct host_counters *sums = &table->sums.counters;
	struct host_counters *counted = &state->counted;

	if (!row->known)
		return;
	grow(&sums->bytes, &counted->bytes, row->bytes);
	grow(&sums->wakeups, &counted->wakeups, row->wakeups);
	grow(&sums->drains, &counted->drains, row->drains);
	grow(&sums->lost, &counted->lost, row->lost);
	table->sums.perf |= row->kind == HOST_PERF_RING;
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

/* Where there is no ring and was none, nothing is what they sum up to. */
static void set_sums(struct host_table *table)
{
	const struct host_sums *sums = &table->sums;
	struct host_total *total = &table->host.total;
	bool any = total->rings || total->ringbufs;

	total->bytes = sums->counters.bytes;
	total->wakeups = sums->counters.wakeups;
	total->drains = sums->counters.drains;
	total->lost = sums->counters.lost;
	total->lost_pending += sums->pending;
	if (!sums->told && any)
		total->lost = UNKNOWN;
	if (!sums->perf && any)
		total->lost_pending = total->wakeups = UNKNOWN;
	total->at_least = sums->at_least;
}

int host_totals_make(struct host_table *table)
{
	struct host *host = &table->host;
	struct host_map owners = { 0 };

	if (host_map_begin(&owners, host->nr_rows) != 0)
		return -ENOMEM;
	host->total = (struct host_total){ 0 };
	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct host_row *row = &host->rows[i];

		host_totals_count(table, table->states[i]);
		host->total.lost_pending += unknown_as_zero(row->lost_pending);
		if (row->gone)
			continue;
		add_total(&host->total, row);
		if (row->pid >= 0 &&
		    host_map_get(&owners, (uint64_t)row->pid) == HOST_MAP_NONE)
			host->total.owners++;
		host_map_put(&owners, (uint64_t)row->pid, 0);
	}
	set_sums(table);
	host_map_free(&owners);
	return 0;
}
