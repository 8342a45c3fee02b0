/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "host/table/host_state.h"

enum { MAX_NAMES = 16 };	/* limit of different names, see
				 * other_names() */

/* Seconds over which the wait for a CPU is a mean. */
static const double wait_seconds = 2.5;
/* Readings, and seconds, that are enough to say how often it waits for its
 * output. */
enum { min_readings = 3 };
static const double output_seconds = 1;
/* Share of them from which a reader is not scheduled, and below which it is
 * again. */
static const double most_waiting = 0.5, still_waiting = 0.35;
/* Share of them, running included, from which a reader never sleeps. */
static const double most_busy = 0.9, still_busy = 0.75;

/* Which rows the rings of the pass have. */

/* Position of an event's entry: arrays of rows move when entries are added. */
struct host_match_known {
	struct host_row_state *state;
	size_t at;
};

static int make_room(struct host_match *m, const struct host_pass *pass)
{
	struct host_match_items *events = &m->events, *holders = &m->holders;

	if (array_fit(events->first, events->first_cap, pass->nr_rings) ||
	    array_fit(events->next, events->next_cap, pass->nr_events) ||
	    array_fit(holders->first, holders->first_cap, pass->nr_rings) ||
	    array_fit(holders->next, holders->next_cap, pass->nr_holders) ||
	    array_fit(m->rows, m->rows_cap, pass->nr_rings))
		return -ENOMEM;
	table_clear(&m->rings);
	table_clear(&m->ends);
	if (table_reserve(&m->ends, pass->nr_ends))
		return -ENOMEM;
	return table_reserve(&m->rings, pass->nr_rings);
}

/* Put item @i before the others of the ring with @key, which may be none. */
static void put_first(const struct host_match *match,
		      struct host_match_items *items, size_t i, uint64_t key)
{
	const struct table_entry *ring;

	ring = key ? table_find(&match->rings, key) : NULL;
	if (!ring)
		return;
	items->next[i] = items->first[ring->index];
	items->first[ring->index] = (uint32_t)i;
}

static void sort_pass(struct host_match *match)
{
	const struct host_pass *pass = match->pass;

	for (size_t i = 0; i < pass->nr_rings; i++) {
		match->events.first[i] = HOST_MATCH_END;
		match->holders.first[i] = HOST_MATCH_END;
		if (!table_find(&match->rings, pass->rings[i].key))
			table_add_index(&match->rings, pass->rings[i].key, i);
	}
	for (size_t i = 0; i < pass->nr_ends; i++)
		table_add_index(&match->ends, pass->ends[i].id, i);
	for (size_t i = pass->nr_events; i-- > 0;)
		put_first(match, &match->events, i, pass->events[i].ring);
	for (size_t i = pass->nr_holders; i-- > 0;)
		put_first(match, &match->holders, i, pass->holders[i].ring);
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
	    array_fit(match->known, match->known_cap, events) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < rows->nr; i++)
		if (!rows->list[i]->row.gone)
			know_row(match, rows->list[i]);
	for (size_t i = rows->nr; i > 0; i--)
		if (rows->list[i - 1]->row.gone)
			know_row(match, rows->list[i - 1]);
	return 0;
}

/*
 * The event's entry before the pass, with its row in *@state; NULL: the event
 * is new.  Valid until an event is added to the row.
 */
static struct host_event_entry *find_event(const struct host_match *match,
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

static bool shares_event(const struct host_match *match, size_t i,
			 const struct host_row_state *state)
{
	const struct host_pass_event *events = match->pass->events;
	struct host_row_state *where;

	for (uint32_t e = match->events.first[i]; e != HOST_MATCH_END;
	     e = match->events.next[e])
		if (find_event(match, events[e].event.id, &where) &&
		    where == state)
			return true;
	return false;
}

static bool is_held_by(const struct host_match *match, size_t i, pid_t pid)
{
	for (uint32_t h = match->holders.first[i]; h != HOST_MATCH_END;
	     h = match->holders.next[h])
		if (match->pass->holders[h].pid == pid)
			return true;
	return false;
}

/*
 * Whether a ring at the address of the row's ring is the same.  Freed memory is
 * reused; ids of events, maps and tracefs directories are not, nor soon inode
 * numbers of sockets.  An io_uring has only its address, and its holder.
 */
static bool is_same(const struct host_match *match, size_t i,
		    const struct host_row_state *state)
{
	if (state->row.kind != match->pass->rings[i].kind)
		return false;
	if (state->row.kind == RING_PACKET)
		return state->inode == match->pass->rings[i].packet.inode;
	if (state->row.gone && state->row.kind == RING_URING)
		return false;
	if (state->row.kind == RING_BPF || state->row.kind == RING_FTRACE)
		return true;
	if (state->nr_events && match->events.first[i] != HOST_MATCH_END)
		return shares_event(match, i, state);
	return is_held_by(match, i, state->row.pid);
}

static void claim(struct host_match *match, size_t i,
		  struct host_row_state *state)
{
	match->rows[i] = state;
	state->pass = match->number;
}

static void claim_by_key(struct host_match *match, size_t i)
{
	struct host_row_state *state =
		table_get(&match->by_key, match->pass->rings[i].key);

	if (state && state->pass != match->number && is_same(match, i, state))
		claim(match, i, state);
}

/* Give ring @i to the row whose ring was the mapping of the same event. */
static void claim_remapped(struct host_match *match, size_t i)
{
	for (uint32_t e = match->events.first[i]; e != HOST_MATCH_END;
	     e = match->events.next[e]) {
		const struct ring_event *event = &match->pass->events[e].event;
		const struct host_event_entry *before;
		struct host_row_state *state;

		before = find_event(match, event->id, &state);
		if (!event->maps || !before || state->pass == match->number ||
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
	table_free(&match->ends);
	free(match->events.first);
	free(match->events.next);
	free(match->holders.first);
	free(match->holders.next);
	free(match->rows);
	table_free(&match->by_key);
	table_free(&match->by_event);
	free(match->known);
}

/* Events of a row. */

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
		       const struct ring_event *now,
		       struct host_increments *more)
{
	uint64_t hits;

	if (!now->period)
		return;
	if (now->freq || now->tid >= 0 || now->lost == UNKNOWN ||
	    now->period != last->seen.period) {
		more->counted = false;
		return;
	}
	hits = last->hits + ring_delta(now->count, last->seen.count);
	more->made += hits / now->period;
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

	to = array_add(state->events, state->nr_events, state->events_cap);
	if (!to)
		return -ENOMEM;
	if (before)
		*to = *before;
	else
		*to = (struct host_event_entry){ .seen.tid = -1 };
	to->left = to->ended = false;
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
static int take_event(const struct host_match *match,
		      struct host_row_state *state,
		      const struct host_pass_event *now,
		      struct host_increments *more)
{
	struct host_row_state *where = NULL;
	struct host_event_entry *before, copy;
	uint64_t *lost;

	before = find_event(match, now->event.id, &where);
	if (now->event.lost == UNKNOWN)
		state->row.lost = UNKNOWN;
	if (!before || where != state)
		more->counted = false;
	if (!before) {
		lost = state->made_after > 0 ? &more->lost : &state->row.lost;
		if (state->row.lost != UNKNOWN)
			*lost += now->event.lost;
		return append(state, match->number, now, NULL);
	}
	more->lost += lost_since(&now->event, &before->seen);
	if (where == state) {
		before->inside = true;
		count_made(before, &now->event, more);
		update(before, now, match->number);
		return 0;
	}
	copy = *before;
	before->left = true;
	return append(state, match->number, now, &copy);
}

/* Whether pass number @pass saw all events of the row. */
static bool is_complete(const struct host_row_state *state, uint64_t pass)
{
	for (size_t i = 0; i < state->nr_events; i++)
		if (state->events[i].inside && state->events[i].pass != pass)
			return false;
	return true;
}

static int take_events(const struct host_match *match,
		       struct host_row_state *state, size_t i,
		       struct host_increments *more)
{
	int ret = 0;

	*more = (struct host_increments){ .counted = true };
	for (uint32_t e = match->events.first[i];
	     e != HOST_MATCH_END && ret == 0; e = match->events.next[e])
		ret = take_event(match, state, &match->pass->events[e], more);
	more->counted &= is_complete(state, match->number);
	if (state->row.lost != UNKNOWN)
		state->row.lost += more->lost;
	return ret;
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

void host_match_name(struct host_row_state *state)
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
	} else if (row->kind == RING_URING) {
		snprintf(row->event, sizeof(row->event), "io_uring %s",
			 state->key & 1 ? "CQ" : "SQ");
	}
	if (!ring_row_label(row))
		text_copy(row->label, sizeof(row->label),
			  row->kind == RING_BPF ? "all CPUs" : "");
}

/* Holders of a row. */

static int by_pid(const void *a, const void *b)
{
	const struct host_pass_holder *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Combine mapping and descriptors of a process; returns the number left. */
static size_t unite(struct host_pass_holder *holders, size_t nr)
{
	size_t n = 0;

	qsort(holders, nr, sizeof(*holders), by_pid);
	for (size_t i = 0; i < nr; i++) {
		if (n && holders[n - 1].pid == holders[i].pid) {
			holders[n - 1].maps |= holders[i].maps;
			holders[n - 1].stopped |= holders[i].stopped;
		} else {
			holders[n++] = holders[i];
		}
	}
	return n;
}

/* Update a holder from @now, NULL if not found.  Returns whether it stays. */
static bool stays(const struct host_pass *pass,
		  struct host_pass_holder *known,
		  const struct host_pass_holder *now)
{
	bool mappings = pass->parts & HOST_MAPPINGS;
	bool files = pass->parts & HOST_FILES;

	if (now) {
		bool maps = now->maps || (!mappings && known->maps);

		*known = *now;
		known->maps = maps;
		return true;
	}
	/* The pass did not cover the way in which it holds the ring. */
	return !pass->whole || !(known->maps ? mappings : files);
}

/*
 * Make @found, which must have room for the known holders too, the union of
 * both.  Returns their number.
 */
static size_t merge(const struct host_pass *pass,
		    struct host_row_state *state,
		    struct host_pass_holder *found, size_t nr)
{
	size_t all = nr;

	for (size_t i = 0; i < state->nr_holders; i++) {
		struct host_pass_holder *known = &state->holders[i], *now;

		now = bsearch(known, found, nr, sizeof(*found), by_pid);
		if (!stays(pass, known, now))
			continue;
		if (now)
			*now = *known;
		else
			found[all++] = *known;
	}
	qsort(found, all, sizeof(*found), by_pid);
	return all;
}

/*
 * Prefer a process that maps the ring to one with only a descriptor, then the
 * previous owner, then the oldest.
 */
static const struct host_pass_holder *
owner_of(const struct host_row_state *state)
{
	const struct host_pass_holder *owner = NULL;
	int best = -1;

	for (size_t i = 0; i < state->nr_holders; i++) {
		const struct host_pass_holder *h = &state->holders[i];
		int rank = 2 * h->maps + (h->pid == state->row.pid);

		if (rank > best) {
			owner = h;
			best = rank;
		}
	}
	return owner;
}

/* A clock of the thread, from @from to @to ns, as a share of @dt seconds. */
static double share_of_time(uint64_t from, uint64_t to, double dt)
{
	if (from == UNKNOWN || to == UNKNOWN || to < from)
		return NAN;
	return fmin((double)(to - from) / (dt * 1e9), 1);
}

/* Over some readings at least, so maybe over some times that long. */
static void measure_output(struct host_row_state *state,
			   const struct host_pass_holder *owner, bool same)
{
	struct host_thread *thread = &state->thread;

	if (!same) {
		state->row.output_wait = NAN;
		thread->readings = thread->waits = 0;
		thread->readings_from = owner->read_at;
	}
	thread->readings += owner->output != HOST_OUTPUT_UNKNOWN;
	thread->waits += owner->output == HOST_OUTPUT_WAITS;
	if (thread->readings < min_readings ||
	    owner->read_at - thread->readings_from < output_seconds)
		return;
	state->row.output_wait = (double)thread->waits / thread->readings;
	thread->readings = thread->waits = 0;
	thread->readings_from = owner->read_at;
}

/*
 * The parts of the last seconds that the owner's main thread ran, and waited
 * for a CPU or its output.
 */
static void measure_thread(struct host_row_state *state,
			   const struct host_pass_holder *owner)
{
	struct host_thread *thread = &state->thread;
	struct ring_row *row = &state->row;
	double dt = owner->read_at - thread->from, runnable;
	bool same = thread->pid == owner->pid;

	thread->ran = !same || owner->run_time == UNKNOWN ? 0 :
		      ring_delta(owner->run_time, thread->run_time_last);
	thread->run_time_last = owner->run_time;
	thread->busy &= owner->run_time != UNKNOWN;
	measure_output(state, owner, same);
	/* another reader has another limit */
	if (!same && thread->pid) {
		state->limit = (struct host_limit){ 0 };
		state->gaps.busy = (struct host_span){ 0 };
	}
	/* what it lost and waited before says nothing about a new priority */
	if (same && thread->priority != owner->priority) {
		host_figures_new_reader(state);
		state->limit = (struct host_limit){ 0 };
		thread->starved = same = false;
	}
	thread->priority = owner->priority;
	if (same && dt < wait_seconds && owner->run_delay != UNKNOWN &&
	    owner->run_delay >= thread->run_delay)
		return;
	row->run_wait = !same ? NAN : share_of_time(thread->run_delay,
						    owner->run_delay, dt);
	row->run_share = !same ? NAN : share_of_time(thread->run_time,
						     owner->run_time, dt);
	runnable = row->run_share + row->run_wait;
	thread->starved = row->run_wait >= (thread->starved ? still_waiting :
							      most_waiting);
	thread->busy = runnable >= (thread->busy ? still_busy : most_busy);
	thread->pid = owner->pid;
	thread->run_delay = owner->run_delay;
	thread->run_time = owner->run_time;
	thread->from = owner->read_at;
}

static void set_owner(struct host_row_state *state, pid_t self)
{
	const struct host_pass_holder *owner = owner_of(state);
	struct ring_row *row = &state->row;

	row->mapped = owner && owner->maps;
	row->stopped = owner && owner->stopped;
	if (state->payer != (uid_t)-1)
		row->uid = state->payer;
	/* A ring whose holders have ended keeps the last owner. */
	if (!owner && row->kind == RING_FTRACE) {
		row->pid = -1;
		row->comm[0] = '\0';
	}
	if (!owner)
		return;
	if (row->kind == RING_FTRACE && row->pid != owner->pid)
		host_figures_new_reader(state);
	row->pid = owner->pid;
	row->owner_uid = owner->uid;
	memcpy(row->comm, owner->comm, sizeof(row->comm));
	if (state->payer == (uid_t)-1)
		row->uid = owner->uid;
	row->self = owner->pid == self;
	measure_thread(state, owner);
}

static int take_holders(const struct host_match *match,
			struct host_row_state *state, size_t i, pid_t self)
{
	const struct host_pass *pass = match->pass;
	struct host_pass_holder *found;
	size_t nr = 0;

	for (uint32_t h = match->holders.first[i]; h != HOST_MATCH_END;
	     h = match->holders.next[h])
		nr++;
	found = calloc(nr + state->nr_holders + 1, sizeof(*found));
	if (!found)
		return -ENOMEM;
	nr = 0;
	for (uint32_t h = match->holders.first[i]; h != HOST_MATCH_END;
	     h = match->holders.next[h], nr++) {
		const struct host_pass_holder *from = &pass->holders[h];

		found[nr] = *from;
		found[nr].read_at = pass->mono;
		text_copy_field(found[nr].comm, sizeof(from->comm),
				from->comm, sizeof(from->comm));
	}
	nr = unite(found, nr);
	/* who reads an ftrace buffer is always known at once */
	if (state->row.kind != RING_FTRACE)
		nr = merge(pass, state, found, nr);
	free(state->holders);
	state->holders = found;
	state->nr_holders = nr;
	set_owner(state, self);
	return 0;
}

static void list_holder(struct ring_row *row, unsigned int at,
			const struct host_pass_holder *from)
{
	row->holders[at].pid = from->pid;
	row->holders[at].maps = from->maps;
	memcpy(row->holders[at].comm, from->comm, sizeof(from->comm));
}

void host_match_list_holders(const struct host_row_state *state,
			     struct ring_row *row)
{
	const struct host_pass_holder *owner = owner_of(state);
	unsigned int nr = 0;

	if (owner)
		list_holder(row, nr++, owner);
	for (size_t i = 0; i < state->nr_holders && nr < RING_HOLDERS; i++)
		if (&state->holders[i] != owner)
			list_holder(row, nr++, &state->holders[i]);
	row->nr_holders = (unsigned int)state->nr_holders;
}

/* "ftrace", "ftrace:INSTANCE" */
static void name_ftrace(struct ring_row *row, const struct host_pass_ring *ring)
{
	snprintf(row->event, sizeof(row->event), "ftrace%s%s",
		 ring->ftrace.instance[0] ? ":" : "", ring->ftrace.instance);
	row->cpu = ring->ftrace.cpu;
}

int host_match_take(const struct host_match *match,
		    struct host_row_state *state, size_t i, pid_t self,
		    struct host_increments *more)
{
	int ret;

	state->pass = match->number;
	if (state->row.kind == RING_FTRACE)
		name_ftrace(&state->row, &match->pass->rings[i]);
	if (state->row.kind == RING_PACKET)
		snprintf(state->row.event, sizeof(state->row.event),
			 "packet%s%s",
			 *match->pass->rings[i].packet.dev ? " " : "",
			 match->pass->rings[i].packet.dev);
	ret = take_events(match, state, i, more);
	return ret ? ret : take_holders(match, state, i, self);
}

/* What the pass did not find. */

/*
 * Keep an event between two rings with its last figures (without a ring they
 * are not read), so that its losses so far are not counted again in the next
 * ring.  It stays in the frame as long as its old ring is missing too.
 */
static void keep_ringless(const struct host_match *match)
{
	const struct host_pass *pass = match->pass;

	for (size_t i = 0; i < pass->nr_events; i++) {
		const struct host_pass_event *now = &pass->events[i];
		struct host_row_state *where = NULL;
		struct host_event_entry *known;

		if (now->ring && table_find(&match->rings, now->ring))
			continue;
		known = find_event(match, now->event.id, &where);
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

/* Note how the row's ring was found: see host_table_wants(). */
static void settle(struct host_row_state *state, const struct host_pass *pass)
{
	bool complete = is_complete(state, state->pass);

	if (state->row.kind == RING_FTRACE)
		return;
	if (pass->parts & HOST_MAPPINGS) {
		state->by_mapping |= state->missed && complete;
		state->unsettled = false;
		state->missed &= !complete && !pass->whole;
	} else {
		state->by_mapping &= !complete;
		state->unsettled |= state->changed;
		state->missed |= !complete;
	}
}

bool host_match_is_all(const struct host_pass *pass)
{
	const unsigned int needed = HOST_FILES | HOST_MAPPINGS;

	return pass->whole && (pass->parts & needed) == needed;
}

static void miss(const struct host_pass *pass, struct host_rows *rows,
		 struct host_row_state *state)
{
	enum ring_kind kind = state->row.kind;

	if (state->row.gone)
		return;
	/* Maps are always read completely. */
	host_rows_set_gone(rows, state,
			   kind == RING_BPF    ? pass->parts & HOST_MAPS :
			   kind == RING_FTRACE ? pass->parts & HOST_FTRACE :
						 host_match_is_all(pass));
	state->missed = kind == RING_PERF || kind == RING_URING ||
			kind == RING_PACKET;
	state->gone_at = pass->mono;
}

/*
 * Add what the row's events lost until they ended: also to rows that are gone,
 * as a ring is unmapped before its events end.
 */
static void take_ends(const struct host_match *match,
		      struct host_row_state *state)
{
	uint64_t more = 0;

	for (size_t i = 0; i < state->nr_events; i++) {
		struct host_event_entry *event = &state->events[i];
		const struct table_entry *at =
			table_find(&match->ends, event->seen.id);
		uint64_t lost = at ? match->pass->ends[at->index].lost : 0;

		/* a count never decreases */
		if (!at || event->left || event->seen.lost == UNKNOWN ||
		    lost < event->seen.lost)
			continue;
		more += lost - event->seen.lost;
		event->seen.lost = lost;
		event->ended = true;
	}
	if (more)
		host_figures_end(state, more);
}

/* Whether the row's ring is gone, and what it lost is known to its end. */
static bool is_final(const struct host_row_state *state)
{
	for (size_t i = 0; i < state->nr_events; i++)
		if (!state->events[i].ended)
			return false;
	return state->row.gone && state->nr_events &&
	       state->row.lost != UNKNOWN;
}

void host_match_end(const struct host_match *match, struct host_rows *rows)
{
	keep_ringless(match);
	for (size_t i = 0; i < rows->nr; i++) {
		struct host_row_state *state = rows->list[i];

		if (state->pass == match->number)
			settle(state, match->pass);
		else
			miss(match->pass, rows, state);
		if (match->pass->nr_ends)
			take_ends(match, state);
		drop_over(state, host_match_is_all(match->pass), match->number);
		state->row.lost_final = is_final(state);
	}
}
