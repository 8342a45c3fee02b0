/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_holders.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Seconds over which the wait for a CPU is a mean. */
static const double wait_seconds = 2.5;

static int by_pid(const void *a, const void *b)
{
	const struct host_holder_entry *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void fill(struct host_holder_entry *to,
		 const struct host_pass_holder *from, double mono)
{
	text_copy_field(to->comm, sizeof(to->comm), from->comm,
			sizeof(from->comm));
	to->pid = from->pid;
	to->uid = from->uid;
	to->stopped = from->stopped;
	to->maps = from->maps;
	to->run_delay = from->run_delay;
	to->read_at = mono;
}

/* Combine mapping and descriptors of a process; returns the number left. */
static size_t unite(struct host_holder_entry *holders, size_t nr)
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
		  struct host_holder_entry *known,
		  const struct host_holder_entry *now)
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
		    struct host_holder_entry *found, size_t nr)
{
	size_t all = nr;

	for (size_t i = 0; i < state->nr_holders; i++) {
		struct host_holder_entry *known = &state->holders[i], *now;

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
static const struct host_holder_entry *
owner_of(const struct host_row_state *state)
{
	const struct host_holder_entry *owner = NULL;
	int best = -1;

	for (size_t i = 0; i < state->nr_holders; i++) {
		const struct host_holder_entry *h = &state->holders[i];
		int rank = 2 * h->maps + (h->pid == state->row.pid);

		if (rank > best) {
			owner = h;
			best = rank;
		}
	}
	return owner;
}

/* The part of the last seconds that the owner waited for a CPU. */
static void measure_wait(struct host_row_state *state,
			 const struct host_holder_entry *owner)
{
	struct host_wait *wait = &state->wait;
	double dt = owner->read_at - wait->from;

	if (wait->pid != owner->pid || owner->run_delay < wait->run_delay ||
	    owner->run_delay == UNKNOWN)
		state->row.run_wait = NAN;
	else if (dt < wait_seconds)
		return;
	else
		state->row.run_wait =
			fmin((double)(owner->run_delay - wait->run_delay) /
			     (dt * 1e9), 1);
	*wait = (struct host_wait){ owner->pid, owner->run_delay,
				    owner->read_at };
}

static void set_owner(struct host_row_state *state, pid_t self)
{
	const struct host_holder_entry *owner = owner_of(state);
	struct ring_row *row = &state->row;

	row->mapped = owner && owner->maps;
	row->stopped = owner && owner->stopped;
	if (state->payer != (uid_t)-1)
		row->uid = state->payer;
	/* A ring whose holders have ended keeps the last owner. */
	if (!owner)
		return;
	row->pid = owner->pid;
	memcpy(row->comm, owner->comm, sizeof(row->comm));
	if (state->payer == (uid_t)-1)
		row->uid = owner->uid;
	row->self = owner->pid == self;
	measure_wait(state, owner);
}

int host_holders_take(const struct host_match *match,
		      struct host_row_state *state, size_t i, pid_t self)
{
	const struct host_pass_holder *holders = match->pass->holders;
	uint32_t from = match->holder_from[i];
	size_t nr = match->holder_from[i + 1] - from;
	struct host_holder_entry *found;

	found = calloc(nr + state->nr_holders + 1, sizeof(*found));
	if (!found)
		return -ENOMEM;
	for (size_t h = 0; h < nr; h++)
		fill(&found[h], &holders[match->holders[from + h]],
		     match->pass->mono);
	nr = merge(match->pass, state, found, unite(found, nr));
	free(state->holders);
	state->holders = found;
	state->nr_holders = nr;
	set_owner(state, self);
	return 0;
}

static void name(struct ring_row *row, unsigned int at,
		 const struct host_holder_entry *from)
{
	row->holders[at].pid = from->pid;
	row->holders[at].maps = from->maps;
	memcpy(row->holders[at].comm, from->comm, sizeof(from->comm));
}

void host_holders_list(const struct host_row_state *state,
		       struct ring_row *row)
{
	const struct host_holder_entry *owner = owner_of(state);
	unsigned int nr = 0;

	if (owner)
		name(row, nr++, owner);
	for (size_t i = 0; i < state->nr_holders && nr < RING_HOLDERS; i++)
		if (&state->holders[i] != owner)
			name(row, nr++, &state->holders[i]);
	row->nr_holders = (unsigned int)state->nr_holders;
}
