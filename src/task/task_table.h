/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each thread is called: by records, else by /proc. */
#ifndef RBTOP_TASK_TASK_TABLE_H
#define RBTOP_TASK_TASK_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/side_band.h"

struct names;
struct task_table;

/* @proc is "/proc" but in tests.  NULL when out of memory. */
struct task_table *task_table_new(const char *proc, struct names *names);
void task_table_free(struct task_table *t);

/* Records, at @time (ns).  A new thread is called what its parent is. */
void task_table_comm_record(struct task_table *t,
			    const struct side_band_comm *comm);
void task_table_fork(struct task_table *t, const struct side_band_task *fork);
void task_table_exit(struct task_table *t, const struct side_band_task *exit,
		     uint64_t time);

/*
 * Kept among the names from here on; "?" for no task, ":TID" for one nobody
 * knows.  What was learnt before the tick @since is read again.
 */
const char *task_table_comm(struct task_table *t, pid_t pid, pid_t tid,
			    uint64_t since, uint64_t time);
/* From this tick on is learnt what is not known to be stale. */
uint64_t task_table_tick(struct task_table *t);

/* Read the comms of @pid's threads that are not known. */
void task_table_scan(struct task_table *t, pid_t pid);
/* Records were lost: read each again when it is asked for. */
void task_table_resync(struct task_table *t);
/*
 * Who has not exited, as far as is known: an array of *@nr for the caller to
 * free, NULL when out of memory.  If @tid is not in /proc, it has, by @time.
 */
pid_t *task_table_running(const struct task_table *t, size_t *nr);
void task_table_check(struct task_table *t, pid_t tid, uint64_t time);
/* Forget who exited before @time and was not asked for since. */
void task_table_expire(struct task_table *t, uint64_t time);
size_t task_table_len(const struct task_table *t);
size_t task_table_bytes(const struct task_table *t);

#endif
