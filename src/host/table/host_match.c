/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "host/table/host_table_impl.h"

/* What a search over the rows calls; rows that live before those gone. */
typedef void row_fn(struct host_table *table, size_t at);

/* Of those that are gone the latest first. */
static void each_row(struct host_table *table, row_fn *call)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		if (!table->rows[i]->row.gone)
			call(table, i);
	for (size_t i = table->nr_rows; i > 0; i--)
		if (table->rows[i - 1]->row.gone)
			call(table, i - 1);
}

static void know_key(struct host_table *table, size_t at)
{
	host_map_put(&table->by_key, table->rows[at]->key, (uint32_t)at);
}

static void know_events(struct host_table *table, size_t at)
{
	struct host_row_state *state = table->rows[at];

	for (size_t i = 0; i < state->nr_events; i++) {
		host_map_put(&table->by_event, state->events[i].seen.id,
			     (uint32_t)table->nr_known);
		table->known[table->nr_known++] =
			(struct host_known){ .state = state, .at = i };
	}
}

static int know_all(struct host_table *table)
{
	size_t events = 0;

	for (size_t i = 0; i < table->nr_rows; i++)
		events += table->rows[i]->nr_events;
	if (host_map_begin(&table->by_key, table->nr_rows) != 0 ||
	    host_map_begin(&table->by_event, events) != 0 ||
	    host_table_room(&table->known, &table->room_known, events,
			    sizeof(*table->known)) != 0)
		return -ENOMEM;
	table->nr_known = 0;
	each_row(table, know_key);
	each_row(table, know_events);
	return 0;
}

/* The row that an event was last seen in, and its place there, or NULL. */
static const struct host_known *known_event(const struct host_table *table,
					    uint64_t id)
{
	uint32_t at = host_map_get(&table->by_event, id);

	return at == HOST_MAP_NONE ? NULL : &table->known[at];
}

static bool shares_event(const struct host_table *table,
			 const struct host_pass *pass, size_t i,
			 const struct host_row_state *state)
{
	const struct host_groups *g = &table->groups;
	const struct host_known *known;

	for (uint32_t e = g->event_from[i]; e < g->event_from[i + 1]; e++) {
		known = known_event(table,
				    pass->events[g->events[e]].event.id);
		if (known && known->state == state)
			return true;
	}
	return false;
}

static bool is_held_by(const struct host_table *table,
		       const struct host_pass *pass, size_t i, pid_t pid)
{
	const struct host_groups *g = &table->groups;

	for (uint32_t h = g->holder_from[i]; h < g->holder_from[i + 1]; h++)
		if (pass->holders[g->holders[h]].pid == pid)
			return true;
	return false;
}

/*
 * A ring at the address that the row's had: is it the row's?  Memory that was
 * freed is given out again; ids of events and maps are not.
 */
static bool is_same(const struct host_table *table,
		    const struct host_pass *pass, size_t i,
		    const struct host_row_state *state)
{
	const struct host_groups *g = &table->groups;

	if (state->row.kind != pass->rings[i].kind)
		return false;
	if (state->row.kind == RING_BPF)
		return true;
	if (state->nr_events && g->event_from[i] != g->event_from[i + 1])
		return shares_event(table, pass, i, state);
	return is_held_by(table, pass, i, state->row.pid);
}

static void claim(struct host_table *table, size_t i, uint32_t at)
{
	table->claims[i] = at;
	table->rows[at]->pass = table->passes;
}

static bool is_claimed(const struct host_table *table,
		       const struct host_row_state *state)
{
	return state->pass == table->passes;
}

static void claim_by_key(struct host_table *table,
			 const struct host_pass *pass, size_t i)
{
	uint32_t at = host_map_get(&table->by_key, pass->rings[i].key);

	if (at != HOST_MAP_NONE && !is_claimed(table, table->rows[at]) &&
	    is_same(table, pass, i, table->rows[at]))
		claim(table, i, at);
}

static size_t row_at(const struct host_table *table,
		     const struct host_row_state *state)
{
	size_t low = 0, high = table->nr_rows;

	while (low + 1 < high) {
		size_t mid = low + (high - low) / 2;

		if (table->rows[mid]->row.id <= state->row.id)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* A ring that is mapped by the event whose mapping was the row's ring. */
static void claim_remapped(struct host_table *table,
			   const struct host_pass *pass, size_t i)
{
	const struct host_groups *g = &table->groups;

	for (uint32_t e = g->event_from[i]; e < g->event_from[i + 1]; e++) {
		const struct ring_event *event =
			&pass->events[g->events[e]].event;
		const struct host_known *known =
			known_event(table, event->id);

		if (!event->maps || !known || is_claimed(table, known->state) ||
		    !known->state->events[known->at].seen.maps)
			continue;
		claim(table, i, (uint32_t)row_at(table, known->state));
		return;
	}
}

int host_match(struct host_table *table, const struct host_pass *pass)
{
	if (host_groups_make(&table->groups, pass) != 0 ||
	    know_all(table) != 0 ||
	    host_table_room(&table->claims, &table->room_claims,
			    pass->nr_rings, sizeof(*table->claims)) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < pass->nr_rings; i++) {
		table->claims[i] = HOST_MAP_NONE;
		claim_by_key(table, pass, i);
	}
	for (size_t i = 0; i < pass->nr_rings; i++)
		if (table->claims[i] == HOST_MAP_NONE)
			claim_remapped(table, pass, i);
	return 0;
}
