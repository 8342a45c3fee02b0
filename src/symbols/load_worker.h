/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that opens and parses a file which others have mapped, so that
 * one that hangs (a file system whose server does not answer, a dying disk)
 * or that libelf does not survive holds up nothing here.  A thread would not
 * do: where such a wait cannot be interrupted, rbtop could not exit either.
 *
 * Each request is answered by a reply that says which file it is, a byte that
 * says whether its symbols are wanted, and a reply with these.
 */
#ifndef RBTOP_SYMBOLS_LOAD_WORKER_H
#define RBTOP_SYMBOLS_LOAD_WORKER_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "symbols/process_maps.h"

struct elf_symbols;

struct load_request {
	pid_t pid;
	struct process_map map;		/* its pointers mean nothing */
	char path[PATH_MAX];
};

struct load_reply {
	int error;		/* 0 or -errno */
	struct stat st;		/* the first: which file was opened */
	double cpu;		/* the second: seconds used so far, of all */
};

struct load_worker_opts {
	const char *proc, *debug_root;
	size_t max_bytes;	/* of one file's symbols */
};

/* A worker, seen from rbtop. */
struct load_worker {
	pid_t pid;		/* 0: none */
	int sock;		/* requests and replies, one a message */
	int memory;		/* memfd: the symbols of the last reply */
};

/* Start one.  0 or -errno. */
int load_worker_start(struct load_worker *w,
		      const struct load_worker_opts *opts);
/*
 * End it, and wait for that until @until (ns, CLOCK_MONOTONIC).  One that
 * hangs in the kernel is left to end when it can: it has none of our files
 * open, and no shell waits for it.
 */
void load_worker_kill(struct load_worker *w);
void load_worker_reap(struct load_worker *w, uint64_t until);

/* What a request is answered with; also for who asks no process. */
int load_worker_read(int fd, const char *path, const char *root,
		     const struct load_worker_opts *opts,
		     struct elf_symbols **elf);

#endif
