/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child process that opens and parses files which other processes have
 * mapped, so that a read that hangs (a file server that does not answer, a
 * dying disk) or a crash in libelf does not affect rbtop.  A thread is not
 * enough: with one in an uninterruptible wait, rbtop could not exit.
 *
 * Protocol: a request; a reply that says which file it is, which is all for
 * build-ids; a byte from rbtop that says whether its symbols are wanted; if so,
 * a reply with these.
 */
#ifndef RBTOP_SYMBOLS_LOAD_WORKER_H
#define RBTOP_SYMBOLS_LOAD_WORKER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "task/process_maps.h"

struct debug_budget;
struct elf_symbols;

struct load_request {
	pid_t pid;
	struct process_map map;		/* its pointers are not valid */
	char path[PATH_MAX];
};

struct load_reply {
	int error;		/* 0 or -errno */
	struct stat st;		/* the first: which file was opened ... */
	struct elf_build_id id;	/* ... and with opts.build_ids: its own, len 0
				 * if it has none */
	double cpu;		/* the second: seconds used so far, of all */
};

struct load_worker_opts {
	const char *proc, *debug_root;	/* see struct resolver_opts */
	size_t max_bytes;	/* limit of one file's symbols */
	bool build_ids;		/* no symbols are ever wanted, only these */
	struct debug_budget *budget;	/* each worker has a copy */
};

/* A worker, as used by rbtop. */
struct load_worker {
	pid_t pid;		/* 0: none */
	int sock;		/* requests and replies, one a message */
	int memory;		/* memfd: the symbols of the last reply */
};

/* Start one.  0 or -errno. */
int load_worker_start(struct load_worker *w,
		      const struct load_worker_opts *opts);
/*
 * Kill the worker; reap waits until it has ended, at most until @until (ns,
 * CLOCK_MONOTONIC).  A worker that hangs in the kernel is left behind: it has
 * none of rbtop's files open, and no shell waits for it.
 */
void load_worker_kill(struct load_worker *w);
void load_worker_reap(struct load_worker *w, uint64_t until);

/*
 * Read a file that @pid has mapped, in the worker or, without one, in the
 * caller.
 */
int load_worker_read(int fd, pid_t pid, const char *path, const char *root,
		     const struct load_worker_opts *opts,
		     struct elf_symbols **elf);

/*
 * Opening the file that a process has mapped.
 *
 * Its path is not reliable: files are deleted and replaced, and a container has
 * paths of its own.  So the mapping itself is opened if the kernel permits it
 * (/proc/PID/map_files), else the path in the root of the process, out of which
 * no link leads, else in ours; and it must be the mapped file, by build-id if
 * that is known, else by inode and device, else by name.
 *
 * A descriptor of the file behind @map of process @pid, with *@st; or -errno.
 * @root, of @size bytes, is set to the root directory of the process,
 * "@proc/PID/root", or to "" if that is not accessible.
 */
int mapped_file_open(const char *proc, pid_t pid,
		     const struct process_map *map, char *root, size_t size,
		     struct stat *st);

/*
 * What a process that parses other programs' files may ask of the kernel
 * (seccomp(2)).  A file that takes over its parser, through a bug in libelf
 * or liblzma, gets little of rbtop's privileges: it can start, trace and signal
 * nothing, connect to nothing, and write only to what is open already.  It can
 * still read: with root's rights or CAP_SYS_PTRACE also the memory of other
 * processes.
 *
 * For the rest of this process, which has one thread and cannot gain privileges
 * (PR_SET_NO_NEW_PRIVS): allow the calls that reading files and answering take,
 * and let all others fail with EPERM.  It should have no other files open than
 * those that it answers to.  Safe after fork() in a process with threads.
 *
 * 0 or -errno: -EINVAL on a kernel without CONFIG_SECCOMP_FILTER, -ENOSYS in a
 * build without a filter (architectures and sanitizers, see the .c file).
 */
int load_filter_install(void);

#endif
