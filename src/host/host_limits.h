/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel lets processes pin for rings (perf_mmap() in
 * kernel/events/core.c): perf_event_mlock_kb for each CPU online, counted per
 * user, and beyond it RLIMIT_MEMLOCK of the process, unless it has
 * CAP_IPC_LOCK or perf_event_paranoid is below 0.
 */
#ifndef RBTOP_HOST_HOST_LIMITS_H
#define RBTOP_HOST_HOST_LIMITS_H

#include <stddef.h>
#include <sys/types.h>

#include "host/table/host_pass.h"

/*
 * Fill in @pass->user_limit, paranoid, and a limit for each process that maps
 * a ring of the pass.  What cannot be read is left UNKNOWN.  @proc as
 * for host_proc_read.  0 or -ENOMEM.
 */
int host_limits_read(const char *proc, struct host_pass *pass);

/* A user's name, "" where there is none.  May take as long as a directory
 * server wants (getpwuid_r(3)). */
void host_limits_user_name(uid_t uid, char *buf, size_t size);

#endif
