/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's limits of memory pinned for rings (perf_mmap() in
 * kernel/events/core.c): perf_event_mlock_kb per online CPU, counted per user;
 * what exceeds it counts against RLIMIT_MEMLOCK of the process, unless it has
 * CAP_IPC_LOCK or perf_event_paranoid is below 0.
 */
#ifndef RBTOP_HOST_HOST_LIMITS_H
#define RBTOP_HOST_HOST_LIMITS_H

#include "host/table/host.h"

/*
 * Set @pass->user_limit, paranoid, and a limit for each process that maps a
 * ring of the pass.  What cannot be read is UNKNOWN.  @proc as for
 * host_proc_read.  0 or -ENOMEM.
 */
int host_limits_read(const char *proc, struct host_pass *pass);

#endif
