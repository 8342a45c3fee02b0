/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each thread is called: by records, else by /proc. */
#ifndef RBTOP_SYMBOLS_TASK_TABLE_H
#define RBTOP_SYMBOLS_TASK_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/side_band.h"

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

/* Kept among the names; "?" for no task, ":TID" for one nobody knows. */
const char *task_table_comm(struct task_table *t, pid_t pid, pid_t tid,
			    uint64_t time);

/* Read the comms of @pid's threads that are not known. */
void task_table_scan(struct task_table *t, pid_t pid);
/* Records were lost: read each again when it is asked for. */
void task_table_resync(struct task_table *t);
/* Who is not in /proc has exited, by @time. */
void task_table_find_exited(struct task_table *t, uint64_t time);
/* Forget who exited before @time and was not asked for since. */
void task_table_expire(struct task_table *t, uint64_t time);
size_t task_table_len(const struct task_table *t);
size_t task_table_bytes(const struct task_table *t);

#endif
