/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of tasks, from /proc/PID/comm: read once, read again when they
 * have grown old (an exec changes them), and kept when the task is gone.
 */
#ifndef RBTOP_TASK_COMM_CACHE_H
#define RBTOP_TASK_COMM_CACHE_H

#include <sys/types.h>

enum { COMM_CACHE_SIZE = 1024 };	/* tasks it remembers at the most */

struct comm_cache_entry {
	pid_t pid;		/* 0: free */
	double at;		/* when it was read, CLOCK_MONOTONIC seconds */
	char comm[16];
};

/* Empty when zeroed. */
struct comm_cache {
	struct comm_cache_entry entries[COMM_CACHE_SIZE];
};

/* The sanitized name of @pid, "" if it was never known.  @now: sys_now(). */
const char *comm_cache_get(struct comm_cache *cache, pid_t pid, double now);

#endif
