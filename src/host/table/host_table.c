/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/table/host_table_impl.h"

/* Rows that are gone, whatever comes and goes. */
enum { MAX_GONE = 1024 };

int host_table_room(void *items, size_t *room, size_t nr, size_t size)
{
	size_t more = nr < 2 * *room ? 2 * *room : nr;
	void *grown;

	/* @items is the address of a pointer of whatever type. */
	memcpy(&grown, items, sizeof(grown));
	if (nr <= *room && grown)
		return 0;
	grown = reallocarray(grown, more ? more : 1, size);
	if (!grown)
		return -ENOMEM;
	memcpy(items, &grown, sizeof(grown));
	*room = more ? more : 1;
	return 0;
}

struct host_table *host_table_new(const struct host_table_opts *opts)
{
	struct host_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->opts = *opts;
	table->host.self = opts->self;
	table->user_limit = UNKNOWN;
	table->next_id = 1;
	return table;
}

static void free_row(struct host_row_state *state)
{
	free(state->events);
	free(state->holders);
	free(state);
}

void host_table_free(struct host_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->nr_rows; i++)
		free_row(table->rows[i]);
	free(table->rows);
	host_groups_free(&table->groups);
	free(table->claims);
	host_map_free(&table->by_key);
	host_map_free(&table->by_event);
	free(table->known);
	free(table->limits);
	free(table->names);
	free(table->accounts);
	free(table->host.rows);
	free(table->host.users);
	free(table->states);
	free(table->events);
	free(table->evidence);
	free(table);
}

static struct host_row_state *new_row(struct host_table *table,
				      const struct host_pass_ring *ring)
{
	struct host_row_state *state = calloc(1, sizeof(*state));

	if (!state)
		return NULL;
	if (host_table_room(&table->rows, &table->room_rows,
			    table->nr_rows + 1, sizeof(state)) != 0) {
		free(state);
		return NULL;
	}
	state->row.id = table->next_id++;
	state->row.kind = ring->kind;
	state->row.enabled = true;
	state->row.cpu = -1;
	state->row.tid = state->row.pid = -1;
	state->row.uid = state->payer = (uid_t)-1;
	state->user_locked = UNKNOWN;
	state->lost_known = ring->kind == RING_PERF;
	table->rows[table->nr_rows++] = state;
	return state;
}

/* How the row's ring was found: see host_table_wants(). */
static void settle(const struct host_table *table,
		   struct host_row_state *state, const struct host_pass *pass)
{
	bool complete = host_events_complete(state, table->passes);

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

static enum host_change change_of(const struct host_row_state *state,
				  const struct host_pass_ring *ring)
{
	if (state->key != ring->key || host_figures_differ(state, ring))
		return HOST_CHANGE_REMAPPED;
	return HOST_CHANGE_SAME;
}

/* Ring @i of the pass is that of the row. */
static int take_ring(struct host_table *table, struct host_row_state *state,
		     const struct host_pass *pass, size_t i,
		     enum host_change change)
{
	const struct host_pass_ring *ring = &pass->rings[i];
	struct host_came came;
	int ret;

	state->pass = table->passes;
	state->key = ring->key;
	table->gone -= state->row.gone;
	state->row.gone = false;
	state->payer = ring->uid;
	state->user_locked = ring->user_locked;
	ret = host_events_take(table, state, pass, i, &came);
	if (ret == 0)
		ret = host_holders_take(table, state, pass, i);
	host_figures_look(state, ring, &came, change, pass->mono);
	host_events_name(state);
	host_users_name(table, state->row.uid, state->row.user,
			sizeof(state->row.user));
	state->changed = change != HOST_CHANGE_SAME;
	return ret;
}

static int take_rings(struct host_table *table, const struct host_pass *pass)
{
	int ret = 0;

	for (size_t i = 0; i < pass->nr_rings; i++) {
		enum host_change change = HOST_CHANGE_NEW;
		struct host_row_state *state;
		int failed = -ENOMEM;

		if (table->claims[i] != HOST_MAP_NONE) {
			state = table->rows[table->claims[i]];
			change = change_of(state, &pass->rings[i]);
		} else {
			state = new_row(table, &pass->rings[i]);
		}
		if (state)
			failed = take_ring(table, state, pass, i, change);
		ret = failed ? failed : ret;
	}
	return ret;
}

/* Whether a ring that the pass did not find is not there. */
static bool is_gone(const struct host_pass *pass, enum ring_kind kind)
{
	const unsigned int needed = HOST_FILES | HOST_MAPPINGS;

	/* The list of all maps is always whole. */
	if (kind == RING_BPF)
		return pass->parts & HOST_MAPS;
	return pass->whole && (pass->parts & needed) == needed;
}

static void miss_rows(struct host_table *table, const struct host_pass *pass)
{
	for (size_t i = 0; i < table->nr_rows; i++) {
		struct host_row_state *state = table->rows[i];

		if (state->row.gone || state->pass == table->passes)
			continue;
		state->row.gone = is_gone(pass, state->row.kind);
		table->gone += state->row.gone;
		state->missed = state->row.kind == RING_PERF;
	}
}

static void settle_rows(struct host_table *table,
			const struct host_pass *pass)
{
	host_events_ringless(table, pass);
	for (size_t i = 0; i < table->nr_rows; i++)
		if (table->rows[i]->pass == table->passes)
			settle(table, table->rows[i], pass);
	host_events_drop(table, pass);
}

static int pid_order(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sort @pids; how many different ones there are, which then stand first. */
static size_t unique(pid_t *pids, size_t nr)
{
	size_t n = 0;

	if (nr)
		qsort(pids, nr, sizeof(*pids), pid_order);
	for (size_t i = 0; i < nr; i++)
		if (!n || pids[n - 1] != pids[i])
			pids[n++] = pids[i];
	return n;
}

static int count_files(struct host_table *table, const struct host_pass *pass)
{
	pid_t *pids;

	if (!pass->whole || !(pass->parts & HOST_FILES))
		return 0;
	pids = calloc(pass->nr_holders + 1, sizeof(*pids));
	if (!pids)
		return -ENOMEM;
	for (size_t i = 0; i < pass->nr_holders; i++)
		pids[i] = pass->holders[i].pid;
	table->processes = unique(pids, pass->nr_holders);
	free(pids);
	table->ringless = 0;
	for (size_t i = 0; i < pass->nr_events; i++)
		table->ringless += !pass->events[i].ring;
	return 0;
}

/* Forget the rows that @drop says; what is left stays in order. */
static void forget(struct host_table *table, double mono,
		   bool (*drop)(struct host_table *table,
				const struct host_row_state *state,
				double mono))
{
	size_t nr = 0;

	for (size_t i = 0; i < table->nr_rows; i++) {
		struct host_row_state *state = table->rows[i];

		if (state->row.gone && drop(table, state, mono)) {
			host_totals_forget(table, state);
			free_row(state);
			table->gone--;
		} else {
			table->rows[nr++] = state;
		}
	}
	table->nr_rows = nr;
}

/* A picture that may be looked at has the histories of what it shows. */
static bool is_too_many(struct host_table *table,
			const struct host_row_state *state, double mono)
{
	(void)mono;
	return table->gone > MAX_GONE && !state->shown;
}

static bool is_over(struct host_table *table,
		    const struct host_row_state *state, double mono)
{
	return table->gone > MAX_GONE || state->replaced ||
	       mono - state->row.last_seen > table->opts.linger;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	while (*text)
		hash = (hash ^ (unsigned char)*text++) *
		       UINT64_C(0x100000001b3);
	return hash;
}

/* Rings of one owner that are called the same have the same. */
static uint64_t name_of(const struct ring_row *row)
{
	uint64_t hash = hash_text((uint64_t)row->pid, row->label);

	return hash_text(hash * 31 + row->kind, row->event);
}

/*
 * An owner that opens and closes a ring again and again leaves one row behind:
 * the latest, not one for each time.
 */
static void find_replaced(struct host_table *table)
{
	uint32_t later;

	if (!table->gone || host_map_begin(&table->by_key, table->gone) != 0)
		return;
	for (size_t i = table->nr_rows; i > 0; i--) {
		struct host_row_state *state = table->rows[i - 1];
		uint64_t name = name_of(&state->row);

		if (!state->row.gone)
			continue;
		later = host_map_get(&table->by_key, name);
		state->replaced = later != HOST_MAP_NONE &&
				  table->rows[later]->row.first_seen >
					  state->row.last_seen;
		host_map_put(&table->by_key, name, (uint32_t)(i - 1));
	}
}

void host_table_forget(struct host_table *table, double mono)
{
	find_replaced(table);
	forget(table, mono, is_over);
}

int host_table_add(struct host_table *table, const struct host_pass *pass)
{
	int ret;

	table->passes++;
	ret = host_match(table, pass);
	if (ret != 0)
		return ret;
	if (table->passes == 1 || !(table->first > 0))
		table->first = pass->mono;
	table->last = pass->mono;
	ret = take_rings(table, pass);
	miss_rows(table, pass);
	settle_rows(table, pass);
	if (table->gone > MAX_GONE)
		forget(table, pass->mono, is_too_many);
	if (host_users_limits(table, pass) != 0 ||
	    count_files(table, pass) != 0)
		ret = -ENOMEM;
	return ret;
}

unsigned int host_table_wants(const struct host_table *table)
{
	if (!table->passes)
		return HOST_MAPPINGS;
	for (size_t i = 0; i < table->nr_rows; i++) {
		const struct host_row_state *state = table->rows[i];

		if (!state->row.gone && (state->missed || state->by_mapping ||
					 state->unsettled))
			return HOST_MAPPINGS;
	}
	return 0;
}

size_t host_table_pids(const struct host_table *table, pid_t *pids, size_t max)
{
	size_t nr = 0, n;
	pid_t *all;

	for (size_t i = 0; i < table->nr_rows; i++)
		nr += table->rows[i]->nr_holders;
	all = calloc(nr + 1, sizeof(*all));
	if (!all)
		return 0;
	nr = 0;
	for (size_t i = 0; i < table->nr_rows; i++)
		for (size_t h = 0; !table->rows[i]->row.gone &&
				   h < table->rows[i]->nr_holders; h++)
			all[nr++] = table->rows[i]->holders[h].pid;
	n = unique(all, nr);
	for (size_t i = 0; i < n && i < max; i++)
		pids[i] = all[i];
	free(all);
	return n;
}

void host_table_reset(struct host_table *table)
{
	for (size_t i = 0; i < table->nr_rows; i++)
		host_figures_reset(table->rows[i]);
}
