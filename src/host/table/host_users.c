/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "host/table/host_table_impl.h"

enum { MAX_NAMES = 1024 };	/* remembered */

static void number_name(uid_t uid, char *buf, size_t size)
{
	snprintf(buf, size, "%u", (unsigned int)uid);
}

static struct host_user_known *find_name(const struct host_table *table,
					 uid_t uid)
{
	for (size_t i = 0; i < table->nr_names; i++)
		if (table->names[i].uid == uid)
			return &table->names[i];
	return NULL;
}

/* A name to be asked for; without memory, or of too many, the number does. */
static void want_name(struct host_table *table, uid_t uid)
{
	struct host_user_known *grown, *name;

	if (table->nr_names >= MAX_NAMES)
		return;
	grown = reallocarray(table->names, table->nr_names + 1,
			     sizeof(*grown));
	if (!grown)
		return;
	table->names = grown;
	name = &grown[table->nr_names++];
	*name = (struct host_user_known){ .uid = uid };
	number_name(uid, name->name, sizeof(name->name));
}

void host_users_name(struct host_table *table, uid_t uid, char *buf,
		     size_t size)
{
	const struct host_user_known *name;

	buf[0] = '\0';
	if (uid == (uid_t)-1)
		return;
	name = find_name(table, uid);
	if (name) {
		text_copy(buf, size, name->name);
		return;
	}
	want_name(table, uid);
	number_name(uid, buf, size);
}

bool host_table_unnamed(const struct host_table *table, uid_t *uid)
{
	for (size_t i = 0; i < table->nr_names; i++) {
		if (table->names[i].told)
			continue;
		*uid = table->names[i].uid;
		return true;
	}
	return false;
}

void host_table_name_user(struct host_table *table, uid_t uid,
			  const char *text)
{
	struct host_user_known *name = find_name(table, uid);

	if (!name)
		return;
	name->told = true;
	if (*text)
		text_copy(name->name, sizeof(name->name), text);
	for (size_t i = 0; i < table->nr_rows; i++)
		if (table->rows[i]->row.uid == uid)
			text_copy(table->rows[i]->row.user,
				  sizeof(table->rows[i]->row.user),
				  name->name);
}

static int limit_by_pid(const void *a, const void *b)
{
	const struct host_pass_limit *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

int host_users_limits(struct host_table *table, const struct host_pass *pass)
{
	struct host_pass_limit *limits;

	/* They are not read in each pass. */
	if (!pass->nr_limits)
		return 0;
	limits = reallocarray(table->limits, pass->nr_limits,
			      sizeof(*limits));
	if (!limits)
		return -ENOMEM;
	memcpy(limits, pass->limits, pass->nr_limits * sizeof(*limits));
	qsort(limits, pass->nr_limits, sizeof(*limits), limit_by_pid);
	table->limits = limits;
	table->nr_limits = pass->nr_limits;
	table->user_limit = pass->user_limit;
	table->paranoid = pass->paranoid;
	return 0;
}

static const struct host_pass_limit *limit_of(const struct host_table *table,
					      pid_t pid)
{
	const struct host_pass_limit key = { .pid = pid };

	return table->nr_limits ? bsearch(&key, table->limits,
					  table->nr_limits, sizeof(key),
					  limit_by_pid) : NULL;
}

static bool is_exempt(const struct host_table *table,
		      const struct host_pass_limit *limit)
{
	return limit->ipc_lock || !table->paranoid;
}

/*
 * What is beyond the user's limit is charged to the process
 * (kernel/events/core.c, perf_mmap).
 */
static bool is_refused(const struct host_table *table, uint64_t locked,
		       const struct host_pass_limit *limit, uint64_t bytes)
{
	uint64_t left, beyond;

	if (is_exempt(table, limit) || locked == UNKNOWN ||
	    limit->memlock == UNKNOWN || limit->pinned == UNKNOWN ||
	    table->user_limit == UNKNOWN)
		return false;
	left = host_delta(table->user_limit, locked);
	beyond = host_delta(bytes, left);
	return beyond && limit->pinned + beyond > limit->memlock;
}

/* Whether a row counts for what users have pinned. */
static bool counts(const struct host_row_state *state)
{
	return !state->row.gone && state->row.kind == RING_PERF &&
	       state->row.uid != (uid_t)-1;
}

static struct host_account *find_account(const struct host_table *table,
					 uid_t uid)
{
	for (size_t i = 0; i < table->nr_accounts; i++)
		if (table->accounts[i].user.uid == uid)
			return &table->accounts[i];
	return NULL;
}

bool host_users_refused(const struct host_table *table,
			const struct host_row_state *state)
{
	const struct host_pass_limit *limit = limit_of(table, state->row.pid);
	const struct host_account *account;

	if (!counts(state) || !limit || is_exempt(table, limit))
		return false;
	account = find_account(table, state->row.uid);
	return account && is_refused(table, state->user_locked, limit,
				     account->smallest);
}

static struct host_account *add_account(struct host_table *table, uid_t uid)
{
	struct host_account *account;

	if (host_table_room(&table->accounts, &table->room_accounts,
			    table->nr_accounts + 1, sizeof(*account)) != 0)
		return NULL;
	account = &table->accounts[table->nr_accounts++];
	*account = (struct host_account){
		.user = {
			.uid = uid,
			.locked = UNKNOWN,
			.limit = table->user_limit,
			.memlock = UNKNOWN,
			.exempt = true,
		},
		.smallest = UNKNOWN,
	};
	host_users_name(table, uid, account->user.name,
			sizeof(account->user.name));
	return account;
}

/*
 * The process that pins most stands for its user; one that is limited before
 * those that are not.
 */
static void add_limit(const struct host_table *table,
		      const struct host_row_state *state,
		      struct host_user *user)
{
	const struct host_pass_limit *limit = limit_of(table, state->row.pid);
	bool exempt;

	if (!limit)
		return;
	exempt = is_exempt(table, limit);
	if (exempt > user->exempt)
		return;
	if (exempt < user->exempt || limit->pinned >= user->pinned) {
		user->pinned = limit->pinned;
		user->memlock = limit->memlock;
	}
	user->exempt = exempt;
}

static void add_row(const struct host_table *table,
		    const struct host_row_state *state,
		    struct host_account *account)
{
	struct host_user *user = &account->user;

	user->rings++;
	if (state->row.locked < account->smallest)
		account->smallest = state->row.locked;
	/* Rows of one pass agree; one that was missed is older. */
	if (state->user_locked != UNKNOWN &&
	    (user->locked == UNKNOWN ||
	     state->row.last_seen >= account->latest)) {
		user->locked = state->user_locked;
		account->latest = state->row.last_seen;
	}
	add_limit(table, state, user);
}

static int by_uid(const void *a, const void *b)
{
	const struct host_user *x = a, *y = b;

	return (x->uid > y->uid) - (x->uid < y->uid);
}

static int make_accounts(struct host_table *table)
{
	table->nr_accounts = 0;
	for (size_t i = 0; i < table->nr_rows; i++) {
		const struct host_row_state *state = table->rows[i];
		struct host_account *account;

		if (!counts(state))
			continue;
		account = find_account(table, state->row.uid);
		if (!account)
			account = add_account(table, state->row.uid);
		if (!account)
			return -ENOMEM;
		add_row(table, state, account);
	}
	return 0;
}

int host_users_make(struct host_table *table)
{
	struct host *host = &table->host;

	host->nr_users = 0;
	if (make_accounts(table) != 0 ||
	    host_table_room(&host->users, &table->room_users,
			    table->nr_accounts, sizeof(*host->users)) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < table->nr_rows; i++)
		if (host_users_refused(table, table->rows[i]))
			find_account(table, table->rows[i]->row.uid)
				->user.at_limit = true;
	for (size_t i = 0; i < table->nr_accounts; i++)
		host->users[host->nr_users++] = table->accounts[i].user;
	if (host->nr_users)
		qsort(host->users, host->nr_users, sizeof(*host->users),
		      by_uid);
	return 0;
}
