/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes and threads there are, what they are called and what they have
 * mapped: the one reader of these parts of /proc.  @proc is "/proc" but in
 * tests.  What is read tells of now, and each file of another moment.
 */
#ifndef RBTOP_BASE_PROC_H
#define RBTOP_BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	PROC_COMM = 16,			/* TASK_COMM_LEN, with its NUL */
};

/*
 * The processes; the threads of @pid; in ascending order.  An array of *@nr for
 * the caller to free.  0; or -errno, with NULL and 0.
 */
int proc_processes(const char *proc, pid_t **pids, size_t *nr);
int proc_threads(const char *proc, pid_t pid, pid_t **tids, size_t *nr);

/*
 * The calling process as @proc calls it, which may belong to another pid
 * namespace than getpid(2) does; 0 where it is not in there.
 */
pid_t proc_self(const char *proc);

/* The process of a thread; @tid itself where that is not told. */
pid_t proc_process_of(const char *proc, pid_t tid);

/* Is there such a process, and such a thread of it? */
bool proc_has_process(const char *proc, pid_t pid);
bool proc_has_thread(const char *proc, pid_t pid, pid_t tid);

/*
 * The name of a thread of @pid, raw.  A thread's id serves for @pid, too.
 * False, and @comm as it was, where there is no such thread (any more).
 */
bool proc_comm(const char *proc, pid_t pid, pid_t tid, char comm[PROC_COMM]);

/*
 * The mappings as text, for the caller to free.  Its length, which is 0 of a
 * kernel thread; or -errno, -EFBIG over @most bytes.
 */
ssize_t proc_maps(const char *proc, pid_t pid, size_t most, char **text);

#endif
