/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_table.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"
#include "host/table/host_events.h"
#include "host/table/host_figures.h"
#include "host/table/host_holders.h"
#include "host/table/host_match.h"
#include "host/table/host_picture.h"
#include "host/table/host_remedy.h"
#include "host/table/host_rows.h"
#include "host/table/host_tools.h"
#include "host/table/host_users.h"

struct host_table {
	struct host_table_opts opts;
	struct host_rows rows;
	struct host_users users;
	struct host_match match; /* of the pass being added */
	struct host_picture picture;
	struct host_tools tools;
	struct host_remedies remedies;
	uint64_t passes;
	double first, last;	/* times of passes, CLOCK_MONOTONIC seconds */
	double frame_last;	/* value of last at the previous picture */
	bool framed;
	uint64_t ringless, processes;	/* of the last pass that counted them */
};

struct host_table *host_table_new(const struct host_table_opts *opts)
{
	struct host_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->opts = *opts;
	table->rows.filter = &table->opts.filter;
	table->rows.linger = opts->linger;
	table->users.limit = UNKNOWN;
	table->picture.host.self = opts->self;
	table->remedies.uid = opts->uid;
	return table;
}

void host_table_free(struct host_table *table)
{
	if (!table)
		return;
	host_picture_free(&table->picture);
	host_match_free(&table->match);
	host_users_free(&table->users);
	host_rows_free(&table->rows);
	free(table);
}

bool host_table_unnamed(const struct host_table *table, uid_t *uid)
{
	return host_users_unnamed(&table->users, uid);
}

void host_table_name_user(struct host_table *table, uid_t uid,
			  const char *name)
{
	const char *called = host_users_tell(&table->users, uid, name);

	for (size_t i = 0; called && i < table->rows.nr; i++) {
		struct ring_row *row = &table->rows.list[i]->row;

		if (row->uid == uid)
			text_copy(row->user, sizeof(row->user), called);
	}
}

bool host_table_uncommanded(const struct host_table *table, pid_t *pid)
{
	return host_remedies_wants(&table->remedies, pid);
}

void host_table_command(struct host_table *table, pid_t pid, const char *argv,
			size_t len)
{
	host_remedies_tell(&table->remedies, pid, argv, len);
}

/* Note how the row's ring was found: see host_table_wants(). */
static void settle(struct host_row_state *state, const struct host_pass *pass)
{
	bool complete = host_events_complete(state, state->pass);

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

/* Update the row with ring @i of the pass. */
static int take_ring(struct host_table *table, struct host_row_state *state,
		     const struct host_pass *pass, size_t i,
		     enum host_change change)
{
	const struct host_pass_ring *ring = &pass->rings[i];
	struct host_came came;
	int ret;

	state->pass = table->passes;
	state->key = ring->key;
	host_rows_set_gone(&table->rows, state, false);
	state->payer = ring->uid;
	state->user_locked = ring->user_locked;
	ret = host_events_take(&table->match, state, i, &came);
	if (ret == 0)
		ret = host_holders_take(&table->match, state, i,
					table->opts.self);
	host_figures_look(state, ring, &came, change, pass->mono);
	host_events_name(state);
	host_users_name(&table->users, state->row.uid, state->row.user,
			sizeof(state->row.user));
	state->changed = change != HOST_CHANGE_SAME;
	return ret;
}

static int take_rings(struct host_table *table, const struct host_pass *pass)
{
	int ret = 0;

	for (size_t i = 0; i < pass->nr_rings; i++) {
		enum host_change change = HOST_CHANGE_NEW;
		struct host_row_state *state = table->match.rows[i];
		int failed = -ENOMEM;

		if (state)
			change = change_of(state, &pass->rings[i]);
		else
			state = host_rows_add(&table->rows,
					      pass->rings[i].kind);
		if (state)
			failed = take_ring(table, state, pass, i, change);
		ret = failed ? failed : ret;
	}
	return ret;
}

/* Whether a ring that the pass did not find is gone. */
static bool is_gone(const struct host_pass *pass, enum ring_kind kind)
{
	const unsigned int needed = HOST_FILES | HOST_MAPPINGS;

	/* Maps are always read completely. */
	if (kind == RING_BPF)
		return pass->parts & HOST_MAPS;
	return pass->whole && (pass->parts & needed) == needed;
}

static void miss_rows(struct host_table *table, const struct host_pass *pass)
{
	struct host_rows *rows = &table->rows;

	for (size_t i = 0; i < rows->nr; i++) {
		struct host_row_state *state = rows->list[i];

		if (state->row.gone || state->pass == table->passes)
			continue;
		host_rows_set_gone(rows, state,
				   is_gone(pass, state->row.kind));
		state->missed = state->row.kind == RING_PERF;
	}
}

static void settle_rows(struct host_table *table,
			const struct host_pass *pass)
{
	const struct host_rows *rows = &table->rows;

	host_events_ringless(&table->match);
	for (size_t i = 0; i < rows->nr; i++)
		if (rows->list[i]->pass == table->passes)
			settle(rows->list[i], pass);
	host_events_drop(&table->match, rows);
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
	table->processes = array_unique(pids, pass->nr_holders);
	free(pids);
	table->ringless = 0;
	for (size_t i = 0; i < pass->nr_events; i++)
		table->ringless += !pass->events[i].ring;
	return 0;
}

int host_table_add(struct host_table *table, const struct host_pass *pass)
{
	int ret;

	table->passes++;
	ret = host_match_make(&table->match, &table->rows, pass,
			      table->passes);
	if (ret != 0)
		return ret;
	if (table->passes == 1 || !(table->first > 0))
		table->first = pass->mono;
	table->last = pass->mono;
	ret = take_rings(table, pass);
	miss_rows(table, pass);
	settle_rows(table, pass);
	host_rows_forget_unshown(&table->rows);
	if (host_users_limits(&table->users, pass) != 0 ||
	    count_files(table, pass) != 0)
		ret = -ENOMEM;
	return ret;
}

unsigned int host_table_wants(const struct host_table *table)
{
	if (!table->passes)
		return HOST_MAPPINGS;
	for (size_t i = 0; i < table->rows.nr; i++) {
		const struct host_row_state *state = table->rows.list[i];

		if (!state->row.gone && (state->missed || state->by_mapping ||
					 state->unsettled))
			return HOST_MAPPINGS;
	}
	return 0;
}

size_t host_table_pids(const struct host_table *table, pid_t *pids, size_t max)
{
	const struct host_rows *rows = &table->rows;
	size_t nr = 0, n;
	pid_t *all;

	for (size_t i = 0; i < rows->nr; i++)
		nr += rows->list[i]->nr_holders;
	all = calloc(nr + 1, sizeof(*all));
	if (!all)
		return 0;
	nr = 0;
	for (size_t i = 0; i < rows->nr; i++)
		for (size_t h = 0; !rows->list[i]->row.gone &&
				   h < rows->list[i]->nr_holders; h++)
			all[nr++] = rows->list[i]->holders[h].pid;
	n = array_unique(all, nr);
	for (size_t i = 0; i < n && i < max; i++)
		pids[i] = all[i];
	free(all);
	return n;
}

void host_table_reset(struct host_table *table)
{
	for (size_t i = 0; i < table->rows.nr; i++)
		host_figures_reset(table->rows.list[i]);
	table->rows.sums.lost_before = table->rows.sums.counters.lost;
}

/* The interval is the time between passes. */
static void set_times(struct host_table *table, double wall)
{
	struct host *host = &table->picture.host;
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
	struct host_picture *picture = &table->picture;
	struct host *host = &picture->host;
	const struct host_notes_to to = {
		.note = note, .ctx = ctx, .mono = table->last,
		.tools = &table->tools, .first = !table->framed,
	};

	host_rows_forget(&table->rows, mono);
	host->status = *status;
	host->status.ringless = table->ringless;
	host->status.processes = table->processes;
	if (host_picture_make(picture, &table->rows, &table->users,
			      table->opts.page_size) != 0)
		return NULL;
	host_remedies_set(&table->remedies, host->rows, host->nr_rows,
			  table->opts.page_size);
	host_notes_tell(picture, &to);
	set_times(table, wall);
	return host;
}
