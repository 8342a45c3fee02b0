/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "host/table/host_state.h"

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
