/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "host/table/host_state.h"

/* Limit of gone rows. */
enum { MAX_GONE = 1024 };

static void init(struct host_row_state *state, uint64_t id, enum ring_kind kind)
{
	state->row.id = id;
	state->row.kind = kind;
	state->row.enabled = true;
	state->row.cpu = -1;
	state->row.tid = state->row.pid = -1;
	state->row.uid = state->payer = (uid_t)-1;
	state->row.run_wait = state->row.run_share = NAN;
	state->row.output_wait = NAN;
	state->row.lost_bytes = UNKNOWN;
	state->row.lost_from = NAN;
	state->row.owner_uid = (uid_t)-1;
	state->user_locked = UNKNOWN;
	state->lost_known = kind != RING_BPF;
}

struct host_row_state *host_rows_add(struct host_rows *rows,
				     enum ring_kind kind)
{
	struct host_row_state *state = calloc(1, sizeof(*state));

	if (!state)
		return NULL;
	if (array_fit(rows->list, rows->room, rows->nr + 1) != 0) {
		free(state);
		return NULL;
	}
	init(state, ++rows->last_id, kind);
	rows->list[rows->nr++] = state;
	return state;
}

static void free_row(struct host_row_state *state)
{
	free(state->events);
	free(state->holders);
	free(state);
}

void host_rows_free(struct host_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free_row(rows->list[i]);
	free(rows->list);
	table_free(&rows->by_name);
}

void host_rows_set_gone(struct host_rows *rows, struct host_row_state *state,
			bool gone)
{
	rows->gone += gone;
	rows->gone -= state->row.gone;
	state->row.gone = gone;
}

static void grow(uint64_t *sum, uint64_t *counted, uint64_t now)
{
	uint64_t grown = ring_delta(unknown_as_zero(now), *counted);

	*sum += grown;
	*counted += grown;
}

void host_rows_count(struct host_rows *rows, struct host_row_state *state)
{
	const struct ring_row *row = &state->row;
	struct host_sums *sums = &rows->sums;
	struct host_counters *counted = &state->counted;
	uint64_t lost = sums->counters.lost;

	if (!row->known)
		return;
	grow(&sums->counters.bytes, &counted->bytes, row->bytes);
	grow(&sums->counters.wakeups, &counted->wakeups, row->wakeups);
	grow(&sums->counters.drains, &counted->drains, row->drains);
	grow(&sums->counters.lost, &counted->lost, row->lost);
	sums->perf |= row->kind == RING_PERF;
	if (row->kind != RING_PERF)
		sums->drops += sums->counters.lost - lost;
	sums->counts_lost |= row->kind == RING_PERF && row->lost != UNKNOWN;
	sums->counts_drops |= row->kind != RING_PERF && row->lost != UNKNOWN;
}

/* Its counts stay in the sums if it is shown. */
static void forget_row(struct host_rows *rows, struct host_row_state *state)
{
	if (host_filter_shows(rows->filter, &state->row)) {
		host_rows_count(rows, state);
		rows->sums.pending += unknown_as_zero(state->row.lost_pending);
		rows->sums.at_least |= state->row.known &&
				       !state->row.lost_final;
	}
	free_row(state);
	rows->gone--;
}

typedef bool drop_fn(const struct host_rows *rows,
		     const struct host_row_state *state, double mono);

/* Forget the gone rows that @drop selects; the others keep their order. */
static void forget(struct host_rows *rows, double mono, drop_fn *drop)
{
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		struct host_row_state *state = rows->list[i];

		if (state->row.gone && drop(rows, state, mono))
			forget_row(rows, state);
		else
			rows->list[nr++] = state;
	}
	rows->nr = nr;
}

/* The last frame, which may be in use, has the histories of its rows. */
static bool is_too_many(const struct host_rows *rows,
			const struct host_row_state *state, double mono)
{
	(void)mono;
	return rows->gone > MAX_GONE && !state->shown;
}

void host_rows_forget_unshown(struct host_rows *rows)
{
	if (rows->gone > MAX_GONE)
		forget(rows, 0, is_too_many);
}

static bool is_over(const struct host_rows *rows,
		    const struct host_row_state *state, double mono)
{
	bool lost = unknown_as_zero(ring_row_lost_since(&state->row)) > 0;

	if (state->replaced)
		return true;
	return !(rows->keeps_lost && lost) &&
	       (rows->gone > MAX_GONE ||
		mono - state->row.last_seen > rows->linger);
}

static bool is_one_too_many(const struct host_rows *rows,
			    const struct host_row_state *state, double mono)
{
	(void)state;
	(void)mono;
	return rows->gone > MAX_GONE;
}

/* The hash is the same for rings of one owner with the same label and event. */
static uint64_t name_of(const struct ring_row *row)
{
	const uint64_t parts[] = {
		(uint64_t)row->pid, row->kind,
		table_hash(row->label, strlen(row->label)),
		table_hash(row->event, strlen(row->event)),
	};

	return table_hash(parts, sizeof(parts));
}

/*
 * If an owner opens and closes a ring repeatedly, only its latest row is kept.
 */
static void find_replaced(struct host_rows *rows)
{
	table_clear(&rows->by_name);
	if (!rows->gone || table_reserve(&rows->by_name, rows->gone) != 0)
		return;
	for (size_t i = rows->nr; i > 0; i--) {
		struct host_row_state *state = rows->list[i - 1];
		const struct host_row_state *later;
		uint64_t name;

		if (!state->row.gone)
			continue;
		name = name_of(&state->row);
		later = table_get(&rows->by_name, name);
		state->replaced = later &&
				  later->row.first_seen > state->row.last_seen;
		if (!later)
			table_add(&rows->by_name, name, state);
	}
}

void host_rows_forget(struct host_rows *rows, double mono)
{
	find_replaced(rows);
	forget(rows, mono, is_over);
	forget(rows, mono, is_one_too_many);
}
