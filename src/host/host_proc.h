/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings as found in /proc, used if BPF is not available: mappings of perf
 * events in /proc/PID/maps (owner and size), BPF ring buffers in
 * /proc/PID/fdinfo, and the number of descriptors of events.  Events, heads,
 * tails and losses are unknown.  And what BPF cannot tell: how often BPF programs
 * run, and the limits of pinned memory.
 */
#ifndef RBTOP_HOST_HOST_PROC_H
#define RBTOP_HOST_HOST_PROC_H

#include "host/table/host.h"

struct err;

/*
 * Visit all processes below @proc (NULL: /proc) or, if @nr is not 0, only the
 * @nr in @pids and the descendants of the first.  Fill @pass, which must be
 * empty, except for mono and limits.  The key of a perf ring is made of its pid
 * and the address at which it is mapped.  Processes whose maps are not readable
 * (CAP_SYS_PTRACE) are counted in *@hidden.  0 or -errno with @err.
 */
int host_proc_read(const char *proc, const pid_t *pids, size_t nr,
		   struct host_pass *pass, unsigned int *hidden,
		   struct err *err);

/*
 * While kernel.bpf_stats_enabled is 1, set the runs of the BPF programs in @pass
 * of which the holders of its rings have descriptors; this visits the
 * descriptors of these processes.
 */
void host_proc_runs(const char *proc, struct host_pass *pass);

/*
 * The kernel's limits of memory pinned for rings (perf_mmap() in
 * kernel/events/core.c): perf_event_mlock_kb per online CPU, counted per user;
 * what exceeds it counts against RLIMIT_MEMLOCK of the process, unless it has
 * CAP_IPC_LOCK or perf_event_paranoid is below 0.
 *
 * Set @pass->user_limit, paranoid, and a limit for each process that maps a
 * ring of the pass.  What cannot be read is UNKNOWN.  @proc as for
 * host_proc_read.  0 or -ENOMEM.
 */
int host_limits_read(const char *proc, struct host_pass *pass);

#endif
