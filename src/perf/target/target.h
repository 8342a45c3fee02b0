/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target: perf's four modes, and the rings and (pid, CPU) pairs that result
 * from them.
 */
#ifndef RBTOP_PERF_TARGET_TARGET_H
#define RBTOP_PERF_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/cpulist.h"

struct err;

enum target_mode {
	TARGET_SYSTEM,		/* -a: every task, one ring per online CPU */
	TARGET_CPUS,		/* -C LIST: every task, one ring per CPU of it */
	TARGET_TASKS,		/* default, -p, -t: those tasks and what they
				 * start, one ring per CPU */
	TARGET_THREADS,		/* --per-thread: one ring per thread */
};

/* The target of the command line, before it is resolved. */
struct target {
	enum target_mode mode;
	struct cpulist cpus;	/* -C; empty: all online CPUs */
	pid_t *pids;		/* -p: each with all its threads */
	size_t nr_pids;
	pid_t *tids;		/* -t, and a workload's pid */
	size_t nr_tids;
	bool by_uid;		/* -u: the processes of @uid at the time when it
				 * is resolved */
	uid_t uid;
	bool inherit;		/* off with --no-inherit and --per-thread */
};

/* Whether it is tasks, rather than CPUs with every task on them. */
static inline bool target_by_task(const struct target *target)
{
	return target->mode == TARGET_TASKS || target->mode == TARGET_THREADS;
}

/* The threads and CPUs of the target.  Free with target_free_map. */
struct target_map {
	struct cpulist cpus;	/* empty in TARGET_THREADS: cpu -1 */
	pid_t *tids;		/* empty in TARGET_SYSTEM, _CPUS: pid -1 */
	size_t nr_tids, tids_cap;
};

/*
 * Find the threads of the pids, and the online CPUs.  Fails if a CPU of a -C
 * list is offline or does not exist.  Returns 0, or -errno with @err (ESRCH:
 * "no such process").
 */
int target_resolve(const struct target *target, struct target_map *map,
		   struct err *err);
void target_free_map(struct target_map *map);
void target_free(struct target *target);

/* "system-wide", "CPUs 0-3", "pid 42 and what it starts", ... */
char *target_describe(const struct target *target, char *buf, size_t size);

/*
 * Write to @path where the cgroups that perf events use are mounted: the
 * perf_event controller of version 1, else version 2, where it is always
 * enabled (cgroups(7)).  0, -ENOENT if neither is mounted, or -errno.
 */
int target_cgroup_mount(char *path, size_t size);

/*
 * Open the cgroup @name for perf_event_open(2): a path below the mounted
 * hierarchy (also with a leading slash, as in /proc/PID/cgroup), else an
 * absolute path.  A fd, or -errno with @err.
 */
int target_open_cgroup(const char *name, struct err *err);

#endif
