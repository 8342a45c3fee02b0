/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Present names of processes for frames: from /proc, read again after some time
 * (an exec changes them), and from samples, which also name processes that were
 * never found in /proc.  The name of a process that has ended is kept.  Any
 * thread.
 */
#ifndef RBTOP_TASK_COMM_CACHE_H
#define RBTOP_TASK_COMM_CACHE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/proc.h"

struct comm_cache;

/* @proc: "/proc", except in tests.  NULL when out of memory. */
struct comm_cache *comm_cache_new(const char *proc);
void comm_cache_free(struct comm_cache *cache);

/*
 * Store the sanitized name of @pid, a process or thread, in @comm.  False and
 * "" if it was never known, or if its cache entry was reused.  @now: sys_now().
 */
bool comm_cache_get(struct comm_cache *cache, pid_t pid, double now,
		    char comm[PROC_COMM]);

/*
 * A sample of thread @tid of @pid has this name.  Threads may have names of
 * their own, so the leader's name, if known, is not replaced by one.
 */
void comm_cache_note(struct comm_cache *cache, pid_t pid, pid_t tid,
		     const char *comm);

#endif
