/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users that own rings: names, pinned memory and limits. */
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
	bool told;		/* set by host_users_tell(); else the number */
	char name[32];
};

/* Sums of a user's rings. */
struct host_account {
	struct host_user user;
	uint64_t smallest;	/* smallest of its rings, all pages, bytes */
	double latest;		/* time of the reading of user.locked */
};

/* Zeroed, except for the limit, which starts as UNKNOWN. */
struct host_users {
	/* of the last pass with limits */
	struct host_pass_limit *limits;	/* by pid */
	size_t nr_limits, room_limits;
	uint64_t limit;		/* bytes that a user may pin for rings */
	bool paranoid;

	struct host_user_name *names;
	size_t nr_names, room_names;

	/* of the picture */
	struct host_account *accounts;
	size_t nr_accounts, room_accounts;
	struct host_user *list;	/* by uid; nr_accounts elements */
	size_t room;
};

void host_users_free(struct host_users *users);

/* Keep the limits of the pass, if it has any.  0 or -ENOMEM. */
int host_users_limits(struct host_users *users, const struct host_pass *pass);

/* Write the name of a user to @buf; "" for (uid_t)-1. */
void host_users_name(struct host_users *users, uid_t uid, char *buf,
		     size_t size);
/* See host_table_unnamed(). */
bool host_users_unnamed(const struct host_users *users, uid_t *uid);
/*
 * Set a user's name to @text; "": it has none.  Returns the name used from now
 * on; NULL if it was not requested.
 */
const char *host_users_tell(struct host_users *users, uid_t uid,
			    const char *text);

/* Compute the picture's users from all rows.  0 or -ENOMEM. */
int host_users_make(struct host_users *users, const struct host_rows *rows);
/*
 * Whether the row's owner may not map another ring of the size of its user's
 * smallest.  Call after host_users_make().
 */
bool host_users_refused(const struct host_users *users,
			const struct host_row_state *state);

#endif
