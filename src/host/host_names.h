/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of users, looked up on a separate thread: the user database may be a
 * directory server that does not answer, which must delay neither passes over
 * rings nor the exit of rbtop.
 */
#ifndef RBTOP_HOST_HOST_NAMES_H
#define RBTOP_HOST_HOST_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { HOST_NAMES_SIZE = 32 };

struct host_names;

/* The name of @uid into @buf, "" if it has none.  May block forever. */
typedef void host_names_fn(uid_t uid, char *buf, size_t size);
/* That of the system: getpwuid_r(3). */
host_names_fn host_names_user;

/* The thread is started by the first request.  NULL when out of memory. */
struct host_names *host_names_new(host_names_fn *look_up);

/*
 * Ends the thread; if that takes longer than HOST_NAMES_PATIENCE seconds, it is
 * detached and frees its memory when the lookup returns.  NULL is fine.
 */
#define HOST_NAMES_PATIENCE 0.5
void host_names_free(struct host_names *names);

/*
 * Request a name.  True: host_names_get() has it now.  False: there is no
 * answer yet, after waiting 0.1 s for a new request; an earlier request is
 * pending; or there is no thread.
 */
bool host_names_ask(struct host_names *names, uid_t uid);

/* The next answer with its user; each answer is returned once. */
bool host_names_get(struct host_names *names, uid_t *uid,
		    char name[HOST_NAMES_SIZE]);

#endif
