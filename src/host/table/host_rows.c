/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
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
	state->row.lost = kind == RING_BPF ? UNKNOWN : 0;
	state->row.wakeups = kind == RING_PERF ? 0 : UNKNOWN;
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

/* The users whose rings they are. */

enum { MAX_NAMES = 1024 };	/* limit of names kept */

void host_users_free(struct host_users *users)
{
	free(users->limits);
	free(users->names);
	free(users->list);
}

static void number_name(uid_t uid, char *buf, size_t size)
{
	snprintf(buf, size, "%u", (unsigned int)uid);
}

static struct host_user_name *find_name(const struct host_users *users,
					uid_t uid)
{
	for (size_t i = 0; i < users->nr_names; i++)
		if (users->names[i].uid == uid)
			return &users->names[i];
	return NULL;
}

/* Request a name; without memory, or beyond the limit, the number is shown. */
static void want_name(struct host_users *users, uid_t uid)
{
	struct host_user_name *name =
		array_add_max(users->names, users->nr_names,
			      users->names_cap, MAX_NAMES);

	if (!name)
		return;
	name->uid = uid;
	number_name(uid, name->name, sizeof(name->name));
}

void host_users_name(struct host_users *users, uid_t uid, char *buf,
		     size_t size)
{
	const struct host_user_name *name;

	buf[0] = '\0';
	if (uid == (uid_t)-1)
		return;
	name = find_name(users, uid);
	if (name) {
		text_copy(buf, size, name->name);
		return;
	}
	want_name(users, uid);
	number_name(uid, buf, size);
}

bool host_users_unnamed(const struct host_users *users, uid_t *uid)
{
	for (size_t i = 0; i < users->nr_names; i++) {
		if (users->names[i].known)
			continue;
		*uid = users->names[i].uid;
		return true;
	}
	return false;
}

const char *host_users_set_name(struct host_users *users, uid_t uid,
				const char *text)
{
	struct host_user_name *name = find_name(users, uid);

	if (!name)
		return NULL;
	name->known = true;
	if (*text)
		text_copy(name->name, sizeof(name->name), text);
	return name->name;
}

static int limit_by_pid(const void *a, const void *b)
{
	const struct host_pass_limit *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

int host_users_limits(struct host_users *users, const struct host_pass *pass)
{
	/* Not every pass reads limits. */
	if (!pass->nr_limits)
		return 0;
	if (array_fit(users->limits, users->limits_cap, pass->nr_limits) != 0)
		return -ENOMEM;
	memcpy(users->limits, pass->limits,
	       pass->nr_limits * sizeof(*users->limits));
	qsort(users->limits, pass->nr_limits, sizeof(*users->limits),
	      limit_by_pid);
	users->nr_limits = pass->nr_limits;
	users->limit = pass->user_limit;
	users->paranoid = pass->paranoid;
	return 0;
}

static const struct host_pass_limit *limit_of(const struct host_users *users,
					      pid_t pid)
{
	const struct host_pass_limit key = { .pid = pid };

	return users->nr_limits ? bsearch(&key, users->limits,
					  users->nr_limits, sizeof(key),
					  limit_by_pid) : NULL;
}

static bool is_exempt(const struct host_users *users,
		      const struct host_pass_limit *limit)
{
	return limit->ipc_lock || !users->paranoid;
}

/*
 * What exceeds the user's limit is charged to the process
 * (kernel/events/core.c, perf_mmap).
 */
static bool is_refused(const struct host_users *users, uint64_t locked,
		       const struct host_pass_limit *limit, uint64_t bytes)
{
	uint64_t left, beyond;

	if (is_exempt(users, limit) || locked == UNKNOWN ||
	    limit->memlock == UNKNOWN || limit->pinned == UNKNOWN ||
	    users->limit == UNKNOWN)
		return false;
	left = ring_delta(users->limit, locked);
	beyond = ring_delta(bytes, left);
	return beyond && limit->pinned + beyond > limit->memlock;
}

/* Whether the row's ring counts as pinned memory of its user. */
static bool counts(const struct host_row_state *state)
{
	return !state->row.gone && state->row.kind == RING_PERF &&
	       state->row.uid != (uid_t)-1;
}

static struct host_user *find_user(const struct host_users *users, uid_t uid)
{
	for (size_t i = 0; i < users->nr; i++)
		if (users->list[i].uid == uid)
			return &users->list[i];
	return NULL;
}

bool host_users_refused(const struct host_users *users,
			const struct host_row_state *state)
{
	const struct host_pass_limit *limit = limit_of(users, state->row.pid);
	const struct host_user *user;

	if (!counts(state) || !limit || is_exempt(users, limit))
		return false;
	user = find_user(users, state->row.uid);
	return user && is_refused(users, state->user_locked, limit,
				  user->smallest);
}

static struct host_user *add_user(struct host_users *users, uid_t uid)
{
	struct host_user *user = array_add(users->list, users->nr, users->room);

	if (!user)
		return NULL;
	*user = (struct host_user){
		.uid = uid,
		.locked = UNKNOWN,
		.limit = users->limit,
		.memlock = UNKNOWN,
		.exempt = true,
		.smallest = UNKNOWN,
	};
	host_users_name(users, uid, user->name, sizeof(user->name));
	return user;
}

/*
 * The user's figures are those of the process that pins most; a limited process
 * is preferred to an exempt one.
 */
static void add_limit(const struct host_users *users,
		      const struct host_row_state *state,
		      struct host_user *user)
{
	const struct host_pass_limit *limit = limit_of(users, state->row.pid);
	bool exempt;

	if (!limit)
		return;
	exempt = is_exempt(users, limit);
	if (exempt > user->exempt)
		return;
	if (exempt < user->exempt || limit->pinned >= user->pinned) {
		user->pinned = limit->pinned;
		user->memlock = limit->memlock;
	}
	user->exempt = exempt;
}

static void add_row(const struct host_users *users,
		    const struct host_row_state *state, struct host_user *user)
{
	user->rings++;
	if (state->row.locked < user->smallest)
		user->smallest = state->row.locked;
	/* Rows of one pass agree; the row of a missed ring is older. */
	if (state->user_locked != UNKNOWN &&
	    (user->locked == UNKNOWN ||
	     state->row.last_seen >= user->read_at)) {
		user->locked = state->user_locked;
		user->read_at = state->row.last_seen;
	}
	add_limit(users, state, user);
}

static int by_uid(const void *a, const void *b)
{
	const struct host_user *x = a, *y = b;

	return (x->uid > y->uid) - (x->uid < y->uid);
}

int host_users_make(struct host_users *users, const struct host_rows *rows)
{
	users->nr = 0;
	for (size_t i = 0; i < rows->nr; i++) {
		const struct host_row_state *state = rows->list[i];
		struct host_user *user;

		if (!counts(state))
			continue;
		user = find_user(users, state->row.uid);
		if (!user)
			user = add_user(users, state->row.uid);
		if (!user)
			return -ENOMEM;
		add_row(users, state, user);
	}
	if (users->nr)
		qsort(users->list, users->nr, sizeof(*users->list), by_uid);
	for (size_t i = 0; i < rows->nr; i++)
		if (host_users_refused(users, rows->list[i]))
			find_user(users, rows->list[i]->row.uid)->at_limit =
				true;
	return 0;
}
