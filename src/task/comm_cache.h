/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What processes are called now, for frames: by /proc, read again when it has
 * grown old (an exec changes it), and by their samples, which also tell of who
 * was never found there.  The name of one that is gone is kept.  Any thread.
 */
#ifndef RBTOP_TASK_COMM_CACHE_H
#define RBTOP_TASK_COMM_CACHE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/proc.h"

struct comm_cache;

/* @proc is "/proc" but in tests.  NULL when out of memory. */
struct comm_cache *comm_cache_new(const char *proc);
void comm_cache_free(struct comm_cache *cache);

/*
 * The sanitized name of @pid, a process or a thread, to @comm.  False and ""
 * where it was never known, or others have had its place since.  @now:
 * sys_now().
 */
bool comm_cache_get(struct comm_cache *cache, pid_t pid, double now,
		    char comm[PROC_COMM]);

/*
 * A sample of @pid's thread @tid has this name.  A thread may be called
 * something of its own: where the leader's name is known, that counts.
 */
void comm_cache_note(struct comm_cache *cache, pid_t pid, pid_t tid,
		     const char *comm);

#endif
