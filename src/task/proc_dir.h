/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes and threads there are, by the names in /proc. */
#ifndef RBTOP_TASK_PROC_DIR_H
#define RBTOP_TASK_PROC_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The processes below @proc ("/proc"); the threads of @pid.  An array of *@nr
 * for the caller to free, which may be NULL where there are none.
 */
pid_t *proc_dir_processes(const char *proc, size_t *nr);
pid_t *proc_dir_threads(const char *proc, pid_t pid, size_t *nr);

/* The process of a thread; @tid itself where that is not told. */
pid_t proc_dir_process_of(const char *proc, pid_t tid);

/* Is there such a process, and such a thread of it? */
bool proc_dir_has_process(const char *proc, pid_t pid);
bool proc_dir_has_thread(const char *proc, pid_t pid, pid_t tid);

#endif
