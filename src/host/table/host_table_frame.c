/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cpulist.h"
#include "host/table/host_table_impl.h"

bool host_table_shows(const struct host_table *table,
		      const struct ring_row *row)
{
	const struct host_filter *filter = &table->opts.filter;
	bool owned = !filter->pids;

	for (size_t i = 0; !owned && i < filter->nr_pids; i++)
		owned = filter->pids[i] == row->pid;
	return owned && (!filter->cpus || (row->cpu >= 0 &&
					   cpulist_has(filter->cpus,
						       row->cpu)));
}

/* Room for all rows and their events, so that pointers into it stay. */
static int make_room(struct host_table *table)
{
	size_t events = 0, room = table->room_host_rows;

	for (size_t i = 0; i < table->nr_rows; i++)
		events += table->rows[i]->nr_events;
	if (host_table_room(&table->host.rows, &room, table->nr_rows,
			    sizeof(*table->host.rows)) != 0 ||
	    host_table_room(&table->states, &table->room_host_rows,
			    table->nr_rows, sizeof(*table->states)) != 0)
		return -ENOMEM;
	if (host_table_room(&table->evidence, &table->room_evidence,
			    table->nr_rows, sizeof(*table->evidence)) != 0)
		return -ENOMEM;
	return host_table_room(&table->events, &table->room_events, events,
			       sizeof(*table->events));
}

/* Copies of those that write to it now, at *@to, which goes on. */
static void set_events(const struct host_row_state *state,
		       struct ring_row *row, struct ring_event **to)
{
	row->events = *to;
	for (size_t i = 0; i < state->nr_events; i++)
		if (state->events[i].inside)
			*(*to)++ = state->events[i].seen;
	row->nr_events = (size_t)(*to - row->events);
}

/* Its totals stay; nothing goes on in it. */
static void still(struct ring_row *row)
{
	row->bytes_per_s = row->wakeups_per_s = row->drains_per_s = NAN;
	row->lost_per_s = row->undrained = row->aux.bytes_per_s = NAN;
	row->woken = row->stopped = false;
	for (size_t i = 0; i < row->nr_events; i++)
		row->events[i].lost_per_s = NAN;
}

static void set_row(const struct host_table *table,
		    struct host_row_state *state, struct ring_row *row,
		    struct ring_event **events)
{
	host_figures_tick(state);
	*row = state->row;
	set_events(state, row, events);
	host_holders_list(state, row);
	row->warnings = host_warnings(table, state, row);
	if (row->gone)
		still(row);
	row->fill_history = &state->fill_history;
	row->rate_history = &state->rate_history;
	row->lost_history = &state->lost_history;
}

static void set_rows(struct host_table *table)
{
	struct host *host = &table->host;
	struct ring_event *events = table->events;

	host->nr_rows = 0;
	for (size_t i = 0; i < table->nr_rows; i++) {
		struct host_row_state *state = table->rows[i];

		state->shown = host_table_shows(table, &state->row);
		if (!state->shown) {
			host_figures_tick(state);
			continue;
		}
		table->states[host->nr_rows] = state;
		set_row(table, state, &host->rows[host->nr_rows++], &events);
	}
}

/* Rates are over the passes that there were. */
static void set_times(struct host_table *table, double wall)
{
	struct host *host = &table->host;
	double from = table->framed ? table->frame_last : table->first;

	host->time = wall;
	if (table->last > from)
		host->interval = table->last - from;
	table->frame_last = table->last;
	table->framed = table->passes > 0;
}

const struct host *host_table_frame(struct host_table *table, double mono,
				    double wall,
				    const struct host_status *status,
				    host_note_fn *note, void *ctx)
{
	struct host *host = &table->host;

	host_table_forget(table, mono);
	if (make_room(table) != 0 || host_users_make(table) != 0)
		return NULL;
	set_rows(table);
	host_owners_advise(table);
	host->status = *status;
	host->status.ringless = table->ringless;
	host->status.processes = table->processes;
	if (host_totals_make(table) != 0)
		return NULL;
	host_notes_tell(table, note, ctx);
	set_times(table, wall);
	return host;
}
