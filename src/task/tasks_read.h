/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds what /proc has to the model of tasks. */
#ifndef RBTOP_TASK_TASKS_READ_H
#define RBTOP_TASK_TASKS_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process;
struct tasks;
struct thread;

/* Read a thread's name.  False if there is no such thread (any more). */
bool tasks_read_comm(struct tasks *t, const char *proc, struct thread *thread);
/* Read the names of all threads of @pid, except those as of tick @since. */
void tasks_read_comms(struct tasks *t, const char *proc, pid_t pid,
		      uint64_t since);
/*
 * Read the mappings of a process.  0; -ENOENT if it has none (a kernel thread,
 * or ended); or -ENOMEM.  On error the known ones are kept.
 */
int tasks_read_maps(struct tasks *t, const char *proc, struct process *p);
/*
 * Read all of a process, replacing what was known, as of @now (ns of the
 * records' clock; 0: unknown).  A process that has ended is left out.  0 or
 * -ENOMEM.
 */
int tasks_read_process(struct tasks *t, const char *proc, pid_t pid,
		       uint64_t now);

#endif
