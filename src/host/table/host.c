/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cpulist.h"

bool host_filter_has(const struct host_filter *filter, enum ring_kind kind)
{
	return filter->kinds ? filter->kinds & 1u << kind : kind != RING_URING;
}

bool host_filter_shows(const struct host_filter *filter,
		       const struct ring_row *row)
{
	bool owned = !filter->pids;

	for (size_t i = 0; !owned && i < filter->nr_pids; i++)
		owned = filter->pids[i] == row->pid;
	return owned && host_filter_has(filter, row->kind) &&
	       (!filter->cpus ||
		(row->cpu >= 0 && cpulist_has(filter->cpus, row->cpu)));
}

const struct ring_row *host_find(const struct host *host, uint64_t id)
{
	for (size_t i = 0; i < host->nr_rows; i++)
		if (host->rows[i].id == id)
			return &host->rows[i];
	return NULL;
}

bool host_is_counted(const struct host *host)
{
	const struct host_status *status = &host->status;

	if (ring_total_any(&host->total))
		return true;
	return status->ready && !status->hidden && !status->error[0];
}

void host_limit_total(struct host *host)
{
	struct ring_row *row = &host->total.row;
	bool counted = host_is_counted(host);

	if (!counted)
		row->size = row->locked = UNKNOWN;
	if (counted && host->status.bpf)
		return;
	row->used = row->bytes = row->wakeups = row->drains = UNKNOWN;
	row->lost = row->lost_reported = row->lost_pending = UNKNOWN;
	row->fill = row->peak_tick = NAN;
	row->bytes_per_s = row->wakeups_per_s = row->drains_per_s = NAN;
	row->lost_per_s = NAN;
}

void host_pass_clear(struct host_pass *pass)
{
	struct host_pass old = *pass;

	*pass = (struct host_pass){
		.events = old.events, .events_cap = old.events_cap,
		.rings = old.rings, .rings_cap = old.rings_cap,
		.holders = old.holders, .holders_cap = old.holders_cap,
		.limits = old.limits, .limits_cap = old.limits_cap,
		.ends = old.ends, .ends_cap = old.ends_cap,
	};
}

void host_pass_free(struct host_pass *pass)
{
	free(pass->events);
	free(pass->rings);
	free(pass->holders);
	free(pass->limits);
	free(pass->ends);
	*pass = (struct host_pass){ 0 };
}

struct host_pass_event *host_pass_add_event(struct host_pass *pass)
{
	return array_add(pass->events, pass->nr_events, pass->events_cap);
}

struct host_pass_ring *host_pass_add_ring(struct host_pass *pass)
{
	return array_add(pass->rings, pass->nr_rings, pass->rings_cap);
}

struct host_pass_holder *host_pass_add_holder(struct host_pass *pass)
{
	return array_add(pass->holders, pass->nr_holders, pass->holders_cap);
}

struct host_pass_limit *host_pass_add_limit(struct host_pass *pass)
{
	return array_add(pass->limits, pass->nr_limits, pass->limits_cap);
}

struct host_pass_end *host_pass_add_end(struct host_pass *pass)
{
	return array_add(pass->ends, pass->nr_ends, pass->ends_cap);
}
