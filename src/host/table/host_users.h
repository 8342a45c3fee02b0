/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has rings: names, what they have pinned, and what they may. */
#ifndef RBTOP_HOST_TABLE_HOST_USERS_H
#define RBTOP_HOST_TABLE_HOST_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/table/host_pass.h"
#include "host/table/host_rows.h"

struct host_user_name {
	uid_t uid;
	bool told;		/* host_users_tell() was; else it is the
				 * number */
	char name[32];
};

/* A user's rings added up. */
struct host_account {
	struct host_user user;
	uint64_t smallest;	/* of its rings, with all pages */
	double latest;		/* look that told what it has locked */
};

/* Zeroed, but for the limit, which is UNKNOWN at first. */
struct host_users {
	/* of the last pass that told */
	struct host_pass_limit *limits;	/* by pid */
	size_t nr_limits, room_limits;
	uint64_t limit;		/* bytes that a user may pin for rings */
	bool paranoid;

	struct host_user_name *names;
	size_t nr_names, room_names;

	/* of the picture */
	struct host_account *accounts;
	size_t nr_accounts, room_accounts;
	struct host_user *list;	/* by uid; as many as accounts */
	size_t room;
};

void host_users_free(struct host_users *users);

/* Keep what the pass says of limits.  0 or -ENOMEM. */
int host_users_limits(struct host_users *users, const struct host_pass *pass);

/* The name of a user, into @buf; "" for (uid_t)-1. */
void host_users_name(struct host_users *users, uid_t uid, char *buf,
		     size_t size);
/* As host_table_unnamed(). */
bool host_users_unnamed(const struct host_users *users, uid_t *uid);
/*
 * A user's name is @text, or it has none ("").  What it is called from now on;
 * NULL: nobody asked.
 */
const char *host_users_tell(struct host_users *users, uid_t uid,
			    const char *text);

/* The picture's users, of all rows.  0 or -ENOMEM. */
int host_users_make(struct host_users *users, const struct host_rows *rows);
/*
 * Whether the row's owner may not map another ring like the smallest of its
 * user's, once host_users_make() was called.
 */
bool host_users_refused(const struct host_users *users,
			const struct host_row_state *state);

#endif
