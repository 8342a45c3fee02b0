/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is watched: perf's four modes, and the rings and (pid, CPU) pairs that
 * follow from them.
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

/* What the command line asked for, before it is resolved. */
struct target {
	enum target_mode mode;
	struct cpulist cpus;	/* -C; empty: all that are online */
	pid_t *pids;		/* -p: each stands for all its threads */
	size_t nr_pids;
	pid_t *tids;		/* -t, and a workload's pid */
	size_t nr_tids;
	bool by_uid;		/* -u: the processes of @uid, found when it is
				 * resolved */
	uid_t uid;
	bool inherit;		/* off with --no-inherit and --per-thread */
};

/* Whether it names tasks, rather than CPUs with every task on them. */
static inline bool target_by_task(const struct target *target)
{
	return target->mode == TARGET_TASKS || target->mode == TARGET_THREADS;
}

/* The threads and CPUs that it means now.  Free with target_free_map. */
struct target_map {
	struct cpulist cpus;	/* empty in TARGET_THREADS: cpu -1 */
	pid_t *tids;		/* empty in TARGET_SYSTEM, _CPUS: pid -1 */
	size_t nr_tids, room_tids;
};

/*
 * Look the target up: threads of the pids, CPUs that are online.  A -C list
 * with a CPU that is offline or not there fails.  Returns 0 or -errno with
 * @err (ESRCH: "no such process").
 */
int target_resolve(const struct target *target, struct target_map *map,
		   struct err *err);
void target_free_map(struct target_map *map);
void target_free(struct target *target);

/* "system-wide", "CPUs 0-3", "pid 42 and what it starts", ... */
char *target_describe(const struct target *target, char *buf, size_t size);

/*
 * Where cgroups that perf events know are mounted, into @path: the perf_event
 * controller of version 1, else version 2, where it is always on (cgroups(7)).
 * 0, or -ENOENT where neither is, or -errno.
 */
int target_cgroup_mount(char *path, size_t size);

/*
 * Open the cgroup @name, a path below the mounted hierarchy (with a leading
 * slash too, as /proc/PID/cgroup has it) or else an absolute one, as
 * perf_event_open(2) wants it.  A fd, or -errno with @err.
 */
int target_open_cgroup(const char *name, struct err *err);

#endif
