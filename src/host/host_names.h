/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of users, asked for on a thread of their own: the user database may be
 * a directory server that does not answer, and neither looks at rings nor the
 * end of rbtop may wait for that.
 */
#ifndef RBTOP_HOST_HOST_NAMES_H
#define RBTOP_HOST_HOST_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { HOST_NAMES_SIZE = 32 };

struct host_names;

/* The name of @uid into @buf, "": it has none.  May take for ever. */
typedef void host_names_fn(uid_t uid, char *buf, size_t size);

/* The thread begins with the first question.  NULL when out of memory. */
struct host_names *host_names_new(host_names_fn *look_up);

/*
 * Ends the thread; after HOST_NAMES_PATIENCE seconds it is left to itself and
 * frees what it has if it ever returns.  NULL is fine.
 */
#define HOST_NAMES_PATIENCE 0.5
void host_names_free(struct host_names *names);

/*
 * Ask for a name.  True: host_names_get() has it now.  False: no answer yet
 * (a new question is waited for a tenth of a second), one before it has none,
 * or there is no thread.
 */
bool host_names_ask(struct host_names *names, uid_t uid);

/* An answer that came, once, with the user that it is of. */
bool host_names_get(struct host_names *names, uid_t *uid,
		    char name[HOST_NAMES_SIZE]);

#endif
