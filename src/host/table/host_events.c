/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum { MAX_NAMES = 16 };	/* limit of different names, see
				 * other_names() */

/* Records lost since @last; an event's count never decreases. */
static uint64_t lost_since(const struct ring_event *now,
			   const struct ring_event *last)
{
	if (now->lost == UNKNOWN || last->lost == UNKNOWN)
		return 0;
	return ring_delta(now->lost, last->lost);
}

/*
 * An event makes a record per period of hits.  Not known for frequency mode, in
 * which the kernel varies the period, nor for an event that follows a thread:
 * its count excludes its children, but their records may be in the ring.
 */
static void count_made(struct host_event_entry *last,
		       const struct ring_event *now, struct host_came *came)
{
	uint64_t hits;

	if (!now->period)
		return;
	if (now->freq || now->tid >= 0 || now->lost == UNKNOWN ||
	    now->period != last->seen.period) {
		came->counted = false;
		return;
	}
	hits = last->hits + ring_delta(now->count, last->seen.count);
	came->made += hits / now->period;
	last->hits = hits % now->period;
}

static void update(struct host_event_entry *to,
		   const struct host_pass_event *now, uint64_t pass)
{
	pid_t tid = to->seen.tid;

	to->seen = now->event;
	/* The id of a task that has ended is no longer readable. */
	if (now->event.tid < 0 && now->event.state == RING_EVENT_GONE)
		to->seen.tid = tid;
	to->seen.lost_per_s = 0;
	to->wakeup_events = now->wakeup_events;
	to->largest = now->largest;
	to->usual = now->usual;
	to->pass = pass;
}

/* Add an event to the row; @before is its entry in another row, or NULL. */
static int append(struct host_row_state *state, uint64_t pass,
		  const struct host_pass_event *now,
		  const struct host_event_entry *before)
{
	struct host_event_entry *to;

	to = array_add(state->events, state->nr_events, state->room_events);
	if (!to)
		return -ENOMEM;
	if (before)
		*to = *before;
	else
		*to = (struct host_event_entry){ .seen.tid = -1 };
	to->left = false;
	to->hits = 0;
	to->lost_mark = now->event.lost;
	if (before && before->seen.lost != UNKNOWN)
		to->lost_mark = before->seen.lost;
	update(to, now, pass);
	to->inside = true;
	return 0;
}

/*
 * All losses of an event not seen before are counted in this row; those of an
 * event from another row that it had there stay there.
 */
static int take(const struct host_match *match, struct host_row_state *state,
		const struct host_pass_event *now, struct host_came *came)
{
	struct host_row_state *where = NULL;
	struct host_event_entry *before, copy;

	before = host_match_event(match, now->event.id, &where);
	if (now->event.lost == UNKNOWN)
		state->lost_known = false;
	if (!before || where != state)
		came->counted = false;
	if (!before) {
		if (state->lost_known)
			state->lost_sum += now->event.lost;
		return append(state, match->number, now, NULL);
	}
	came->lost += lost_since(&now->event, &before->seen);
	if (where == state) {
		before->inside = true;
		count_made(before, &now->event, came);
		update(before, now, match->number);
		return 0;
	}
	copy = *before;
	before->left = true;
	return append(state, match->number, now, &copy);
}

int host_events_take(const struct host_match *match,
		     struct host_row_state *state, size_t i,
		     struct host_came *came)
{
	const struct host_pass_event *events = match->pass->events;
	int ret = 0;

	*came = (struct host_came){ .counted = true };
	for (uint32_t e = match->event_from[i];
	     e < match->event_from[i + 1] && ret == 0; e++)
		ret = take(match, state, &events[match->events[e]], came);
	came->counted &= host_events_complete(state, match->number);
	state->lost_sum += came->lost;
	return ret;
}

/*
 * Keep an event between two rings with its last figures (without a ring they
 * are not read), so that its losses so far are not counted again in the next
 * ring.  It stays in the picture as long as its old ring is missing too.
 */
void host_events_ringless(const struct host_match *match)
{
	const struct host_pass *pass = match->pass;

	for (size_t i = 0; i < pass->nr_events; i++) {
		const struct host_pass_event *now = &pass->events[i];
		struct host_row_state *where = NULL;
		struct host_event_entry *known;

		if (now->ring && table_find(&match->rings, now->ring))
			continue;
		known = host_match_event(match, now->event.id, &where);
		if (!known)
			continue;
		known->inside = where->pass != match->number;
		known->pass = match->number;
	}
}

/* @all: the pass covered files and mappings of all processes. */
static bool is_over(const struct host_row_state *state,
		    const struct host_event_entry *event, bool all,
		    uint64_t pass)
{
	/* A missing ring keeps its events. */
	return event->left ||
	       (all && state->pass == pass && event->pass != pass);
}

static void drop_over(struct host_row_state *state, bool all, uint64_t pass)
{
	size_t nr = 0;

	for (size_t i = 0; i < state->nr_events; i++)
		if (!is_over(state, &state->events[i], all, pass))
			state->events[nr++] = state->events[i];
	state->nr_events = nr;
}

void host_events_drop(const struct host_match *match,
		      const struct host_rows *rows)
{
	const unsigned int needed = HOST_FILES | HOST_MAPPINGS;
	const struct host_pass *pass = match->pass;
	bool all = pass->whole && (pass->parts & needed) == needed;

	for (size_t i = 0; i < rows->nr; i++)
		drop_over(rows->list[i], all, match->number);
}

bool host_events_complete(const struct host_row_state *state, uint64_t pass)
{
	for (size_t i = 0; i < state->nr_events; i++)
		if (state->events[i].inside && state->events[i].pass != pass)
			return false;
	return true;
}

/* A dummy event has only side-band records. */
static bool is_dummy(const struct ring_event *event)
{
	return text_begins(event->name, "dummy");
}

/*
 * The event that gives the row its name: preferably not a dummy event; then one
 * whose mapping is the ring, not a redirected one.
 */
static const struct ring_event *leader(const struct host_row_state *state)
{
	const struct ring_event *best = NULL;
	int best_rank = -1;

	for (size_t i = 0; i < state->nr_events; i++) {
		const struct ring_event *event = &state->events[i].seen;
		int rank = event->maps + 2 * !is_dummy(event);

		if (!state->events[i].inside || rank < best_rank ||
		    (rank == best_rank && event->id > best->id))
			continue;
		best = event;
		best_rank = rank;
	}
	return best;
}

/* The number of names besides @leading; at most MAX_NAMES - 1. */
static unsigned int other_names(const struct host_row_state *state,
				const char *leading)
{
	const char *names[MAX_NAMES] = { leading };
	unsigned int nr = 1, n;

	for (size_t i = 0; i < state->nr_events && nr < MAX_NAMES; i++) {
		if (!state->events[i].inside ||
		    is_dummy(&state->events[i].seen))
			continue;
		for (n = 0; n < nr; n++)
			if (!strcmp(names[n], state->events[i].seen.name))
				break;
		if (n == nr)
			names[nr++] = state->events[i].seen.name;
	}
	return nr - 1;
}

/* -1 unless all events follow the same task. */
static pid_t common_tid(const struct host_row_state *state, pid_t tid)
{
	for (size_t i = 0; i < state->nr_events; i++)
		if (state->events[i].inside && state->events[i].seen.tid != tid)
			return -1;
	return tid;
}

void host_events_name(struct host_row_state *state)
{
	const struct ring_event *first = leader(state);
	struct ring_row *row = &state->row;
	char name[sizeof(row->event) - 16];
	unsigned int others;

	row->dummies = first && is_dummy(first);
	if (first) {
		row->cpu = first->cpu;
		row->tid = common_tid(state, first->tid);
		text_copy(name, sizeof(name), first->name);
		others = other_names(state, first->name);
		if (others)
			snprintf(row->event, sizeof(row->event), "%s +%u",
				 name, others);
		else
			snprintf(row->event, sizeof(row->event), "%s", name);
	} else if (row->kind == RING_BPF) {
		text_copy(row->event, sizeof(row->event), row->map);
	}
	if (!ring_row_label(row))
		text_copy(row->label, sizeof(row->label),
			  row->kind == RING_BPF ? "all CPUs" : "");
}
