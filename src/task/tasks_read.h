/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc says of tasks now, put into what is known of them. */
#ifndef RBTOP_TASK_TASKS_READ_H
#define RBTOP_TASK_TASKS_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process;
struct tasks;
struct thread;

/* A thread's name.  False where there is no such thread (any more). */
bool tasks_read_comm(struct tasks *t, const char *proc, struct thread *thread);
/* The names of all threads of @pid, but for those since the tick @since. */
void tasks_read_comms(struct tasks *t, const char *proc, pid_t pid,
		      uint64_t since);
/*
 * The mappings of a process.  0; or -ENOENT where it has none, being a kernel
 * thread or gone, or -ENOMEM: then those known stay.
 */
int tasks_read_maps(struct tasks *t, const char *proc, struct process *p);
/*
 * All of a process, in place of what was known of it, as of @now (ns of the
 * records' clock; 0: not known).  Who is gone by then is left out.  0 or
 * -ENOMEM.
 */
int tasks_read_process(struct tasks *t, const char *proc, pid_t pid,
		       uint64_t now);

#endif
