/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of files, loaded in the background: a few processes open and parse
 * them (load_worker.h).  Files of one device never occupy all of them.
 *
 * Used from one thread.
 */
#ifndef RBTOP_SYMBOLS_SYMBOL_LOADER_H
#define RBTOP_SYMBOLS_SYMBOL_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "symbols/load_worker.h"

struct elf_build_id;
struct elf_symbols;
struct process_map;
struct symbol_loader;

/* Callbacks for a request; @want is passed through. */
struct symbol_loader_ops {
	/*
	 * The file is @st; with opts.build_ids, @id is its build-id (len 0: it
	 * has none), else NULL.  Returns whether its symbols are wanted.
	 */
	bool (*found)(void *ctx, void *want, const struct stat *st,
		      const struct elf_build_id *id);
	/*
	 * The request is done: @elf, which the callee owns, or NULL with
	 * @error, -errno of opening or parsing; or NULL as not wanted.
	 */
	void (*done)(void *ctx, void *want, int error,
		     struct elf_symbols *elf);
};

struct symbol_loader_opts {
	struct load_worker_opts files;	/* the strings are borrowed; the budget
					 * is the loader's */
	unsigned int workers;	/* processes; 0: files are loaded by the caller,
				 * which may block */
	const struct symbol_loader_ops *ops;
	void *ctx;
};

/*
 * NULL when out of memory.  If no process can be started, files are loaded by
 * the caller.
 */
struct symbol_loader *symbol_loader_new(const struct symbol_loader_opts *opts);
/* Pending requests are dropped without a callback.  NULL is fine. */
void symbol_loader_free(struct symbol_loader *loader);

/*
 * Load the file behind @map of process @pid.  0: done() will be or was called;
 * -EBUSY: try again later.
 */
int symbol_loader_ask(struct symbol_loader *loader, pid_t pid,
		      const struct process_map *map, void *want);
/* Never call back for @want; a file that hangs goes on occupying a process. */
void symbol_loader_forget(struct symbol_loader *loader, const void *want);
/*
 * End the process that loads @want, which is done with -ETIMEDOUT, and start
 * another one, unless that was done too often.
 */
void symbol_loader_give_up(struct symbol_loader *loader, const void *want);
/* Handle replies, waiting up to @ms for one. */
void symbol_loader_poll(struct symbol_loader *loader, int ms);

/* The pids of the processes, up to @max.  Returns their number. */
size_t symbol_loader_pids(const struct symbol_loader *loader, pid_t *pids,
			  size_t max);

struct symbol_loader_stats {
	size_t loading;		/* files requested and not done */
	const char *oldest;	/* path of the oldest request; NULL */
	uint64_t since;		/* its time, ns, CLOCK_MONOTONIC */
	double cpu;		/* CPU seconds of the processes */
};
void symbol_loader_read_stats(const struct symbol_loader *loader,
			      struct symbol_loader_stats *stats);

#endif
