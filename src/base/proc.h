/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes, threads, their names and mappings: the only reader of these parts
 * of /proc.  @proc is "/proc" except in tests.  Each call reads the current
 * state, so two calls may not agree.
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
 * The processes, or the threads of @pid, in ascending order: an array of *@nr,
 * which the caller frees.  0, or -errno with NULL and 0.
 */
int proc_processes(const char *proc, pid_t **pids, size_t *nr);
int proc_threads(const char *proc, pid_t pid, pid_t **tids, size_t *nr);

/*
 * The calling process's id in @proc, which may belong to another pid namespace
 * than getpid(2); 0 if it is not in that namespace.
 */
pid_t proc_self(const char *proc);

/* The process of a thread; @tid itself if it cannot be read. */
pid_t proc_process_of(const char *proc, pid_t tid);

/* Whether @pid is @ancestor, or a child of it, of a child of it and so on. */
bool proc_descends(const char *proc, pid_t pid, pid_t ancestor);

/*
 * The real user id of a process (of the user who started it, and who may have
 * set up its root directory) and the effective one (which owns the files that
 * it writes).  0 or -errno.
 */
int proc_uids(const char *proc, pid_t pid, uid_t *real, uid_t *effective);

/* Whether there is such a process, or such a thread of it. */
bool proc_has_process(const char *proc, pid_t pid);
bool proc_has_thread(const char *proc, pid_t pid, pid_t tid);

/*
 * The name of a thread of @pid, raw.  @pid may also be a thread's id.  False,
 * with @comm unchanged, if there is no such thread.
 */
bool proc_comm(const char *proc, pid_t pid, pid_t tid, char comm[PROC_COMM]);

/*
 * The mappings as text, which the caller frees.  Returns the length (0 for a
 * kernel thread) or -errno; -EFBIG above @max bytes.
 */
ssize_t proc_maps(const char *proc, pid_t pid, size_t max, char **text);

/*
 * The arguments of a process, each with its NUL, in @buf.  Returns the length
 * (0 for a kernel thread) or -errno; -EFBIG above @size - 1 bytes.  This may
 * hang: a process that waits for a file system may hold the lock of its memory.
 */
ssize_t proc_cmdline(const char *proc, pid_t pid, char *buf, size_t size);

/*
 * Call @visit for each descriptor of a process, named @fd, with what it is:
 * "anon_inode:bpf-map", until it returns not 0.  Returns that, else 0, also if
 * the process has ended or may not be read.
 */
int proc_fds(const char *proc, pid_t pid,
	     int (*visit)(void *ctx, pid_t pid, const char *fd,
			  const char *target),
	     void *ctx);

/* Whether a signal that will end rbtop is pending, as it is blocked. */
bool proc_is_ended(void);

/*
 * Call @fn in a forked process, and wait at most @seconds for it: for code that
 * may open a file on a file system that does not respond.  A process waiting
 * for that cannot be ended, not even by SIGKILL; it is left alone, without any
 * of rbtop's files open.  @fn may change its copy of the memory, but only
 * @result, of @size bytes, is copied back.  0; -ETIMEDOUT; -EINTR if a signal
 * that would end rbtop is pending, as it is blocked; -EIO if the process has
 * died; or another -errno.
 */
int proc_aside(void (*fn)(void *ctx, void *result), void *ctx, void *result,
	       size_t size, double seconds);

#endif
