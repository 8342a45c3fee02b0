/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Position of an event's entry: arrays of rows move when entries are added. */
struct host_match_known {
	struct host_row_state *state;
	size_t at;
};

/* The key of the ring of item @i, for one kind of items of a pass. */
typedef uint64_t key_fn(const struct host_pass *pass, size_t i);

static uint64_t event_key(const struct host_pass *pass, size_t i)
{
	return pass->events[i].ring;
}

static uint64_t holder_key(const struct host_pass *pass, size_t i)
{
	return pass->holders[i].ring;
}

/* The ring of the pass with @key; NULL for key 0, which means no ring. */
static const struct table_entry *find_ring(const struct host_match *match,
					   uint64_t key)
{
	return key ? table_find(&match->rings, key) : NULL;
}

/*
 * Sort the @nr items by ring, stably: count the items of each ring, sum up the
 * counts, store each item at its place.  @from has two elements more than there
 * are rings: first from[i + 1] is the next place for ring i, finally where ring
 * i + 1 starts.
 */
static void sort(const struct host_match *match, size_t nr, key_fn *key,
		 uint32_t *items, uint32_t *from)
{
	const struct host_pass *pass = match->pass;
	const struct table_entry *ring;

	memset(from, 0, (pass->nr_rings + 2) * sizeof(*from));
	for (size_t i = 0; i < nr; i++) {
		ring = find_ring(match, key(pass, i));
		if (ring)
			from[ring->index + 2]++;
	}
	for (size_t i = 2; i < pass->nr_rings + 2; i++)
		from[i] += from[i - 1];
	for (size_t i = 0; i < nr; i++) {
		ring = find_ring(match, key(pass, i));
		if (ring)
			items[from[ring->index + 1]++] = (uint32_t)i;
	}
}

static int make_room(struct host_match *m, const struct host_pass *pass)
{
	size_t from = pass->nr_rings + 2, room = m->room_from;

	if (array_fit(m->event_from, room, from) != 0 ||
	    array_fit(m->holder_from, m->room_from, from) != 0 ||
	    array_fit(m->events, m->room_events, pass->nr_events) != 0 ||
	    array_fit(m->holders, m->room_holders, pass->nr_holders) != 0 ||
	    array_fit(m->rows, m->room_rows, pass->nr_rings) != 0)
		return -ENOMEM;
	table_clear(&m->rings);
	return table_reserve(&m->rings, pass->nr_rings);
}

static void sort_pass(struct host_match *match)
{
	const struct host_pass *pass = match->pass;

	for (size_t i = 0; i < pass->nr_rings; i++)
		if (!table_find(&match->rings, pass->rings[i].key))
			table_add_index(&match->rings, pass->rings[i].key, i);
	sort(match, pass->nr_events, event_key, match->events,
	     match->event_from);
	sort(match, pass->nr_holders, holder_key, match->holders,
	     match->holder_from);
}

/* The tables have enough room. */
static void know_row(struct host_match *match, struct host_row_state *state)
{
	if (!table_find(&match->by_key, state->key))
		table_add(&match->by_key, state->key, state);
	for (size_t i = 0; i < state->nr_events; i++) {
		uint64_t id = state->events[i].seen.id;

		if (table_find(&match->by_event, id))
			continue;
		table_add_index(&match->by_event, id, match->nr_known);
		match->known[match->nr_known++] =
			(struct host_match_known){ .state = state, .at = i };
	}
}

/* Add present rows before gone ones, and of these the latest first. */
static int know_rows(struct host_match *match, const struct host_rows *rows)
{
	size_t events = 0;

	for (size_t i = 0; i < rows->nr; i++)
		events += rows->list[i]->nr_events;
	table_clear(&match->by_key);
	table_clear(&match->by_event);
	match->nr_known = 0;
	if (table_reserve(&match->by_key, rows->nr) != 0 ||
	    table_reserve(&match->by_event, events) != 0 ||
	    array_fit(match->known, match->room_known, events) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < rows->nr; i++)
		if (!rows->list[i]->row.gone)
			know_row(match, rows->list[i]);
	for (size_t i = rows->nr; i > 0; i--)
		if (rows->list[i - 1]->row.gone)
			know_row(match, rows->list[i - 1]);
	return 0;
}

struct host_event_entry *host_match_event(const struct host_match *match,
					  uint64_t id,
					  struct host_row_state **state)
{
	const struct table_entry *at = table_find(&match->by_event, id);
	const struct host_match_known *known;

	if (!at)
		return NULL;
	known = &match->known[at->index];
	*state = known->state;
	return &known->state->events[known->at];
}

/* The id of event @e in the order by ring. */
static uint64_t event_id(const struct host_match *match, uint32_t e)
{
	return match->pass->events[match->events[e]].event.id;
}

static bool shares_event(const struct host_match *match, size_t i,
			 const struct host_row_state *state)
{
	struct host_row_state *where;

	for (uint32_t e = match->event_from[i]; e < match->event_from[i + 1];
	     e++)
		if (host_match_event(match, event_id(match, e), &where) &&
		    where == state)
			return true;
	return false;
}

static bool is_held_by(const struct host_match *match, size_t i, pid_t pid)
{
	const struct host_pass_holder *holders = match->pass->holders;

	for (uint32_t h = match->holder_from[i]; h < match->holder_from[i + 1];
	     h++)
		if (holders[match->holders[h]].pid == pid)
			return true;
	return false;
}

/*
 * Whether a ring at the address of the row's ring is the same.  Freed memory is
 * reused; ids of events and maps are not.
 */
static bool is_same(const struct host_match *match, size_t i,
		    const struct host_row_state *state)
{
	if (state->row.kind != match->pass->rings[i].kind)
		return false;
	if (state->row.kind == RING_BPF)
		return true;
	if (state->nr_events &&
	    match->event_from[i] != match->event_from[i + 1])
		return shares_event(match, i, state);
	return is_held_by(match, i, state->row.pid);
}

static void claim(struct host_match *match, size_t i,
		  struct host_row_state *state)
{
	match->rows[i] = state;
	state->pass = match->number;
}

static bool is_claimed(const struct host_match *match,
		       const struct host_row_state *state)
{
	return state->pass == match->number;
}

static void claim_by_key(struct host_match *match, size_t i)
{
	struct host_row_state *state =
		table_get(&match->by_key, match->pass->rings[i].key);

	if (state && !is_claimed(match, state) && is_same(match, i, state))
		claim(match, i, state);
}

/* Give ring @i to the row whose ring was the mapping of the same event. */
static void claim_remapped(struct host_match *match, size_t i)
{
	for (uint32_t e = match->event_from[i]; e < match->event_from[i + 1];
	     e++) {
		const struct ring_event *event =
			&match->pass->events[match->events[e]].event;
		const struct host_event_entry *before;
		struct host_row_state *state;

		before = host_match_event(match, event->id, &state);
		if (!event->maps || !before || is_claimed(match, state) ||
		    !before->seen.maps)
			continue;
		claim(match, i, state);
		return;
	}
}

int host_match_make(struct host_match *match, const struct host_rows *rows,
		    const struct host_pass *pass, uint64_t number)
{
	match->pass = pass;
	match->number = number;
	if (make_room(match, pass) != 0 || know_rows(match, rows) != 0)
		return -ENOMEM;
	sort_pass(match);
	for (size_t i = 0; i < pass->nr_rings; i++) {
		match->rows[i] = NULL;
		claim_by_key(match, i);
	}
	for (size_t i = 0; i < pass->nr_rings; i++)
		if (!match->rows[i])
			claim_remapped(match, i);
	return 0;
}

void host_match_free(struct host_match *match)
{
	table_free(&match->rings);
	free(match->events);
	free(match->event_from);
	free(match->holders);
	free(match->holder_from);
	free(match->rows);
	table_free(&match->by_key);
	table_free(&match->by_event);
	free(match->known);
}
