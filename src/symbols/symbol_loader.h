/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files' symbols, loaded while the caller goes on: a few processes open and
 * parse them (load_worker.h), of which files of one device never take all.
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

struct elf_symbols;
struct process_map;
struct symbol_loader;

/* How a request is answered; @want is its caller's. */
struct symbol_loader_ops {
	/* Which file it is.  Whether its symbols are wanted. */
	bool (*found)(void *ctx, void *want, const struct stat *st);
	/*
	 * The end of it: @elf, taken over, if they were; else NULL, with the
	 * @error of opening or of parsing, -errno.
	 */
	void (*done)(void *ctx, void *want, int error,
		     struct elf_symbols *elf);
};

struct symbol_loader_opts {
	const char *proc, *debug_root;	/* borrowed */
	size_t max_bytes;	/* of one file's symbols */
	unsigned int workers;	/* processes; 0: each is loaded when asked for,
				 * and may keep the caller waiting */
	const struct symbol_loader_ops *ops;
	void *ctx;
};

/*
 * NULL when out of memory.  Where no process can be started, files are loaded
 * when asked for.
 */
struct symbol_loader *symbol_loader_new(const struct symbol_loader_opts *opts);
/* Nothing is done any more for what was asked for.  NULL is fine. */
void symbol_loader_free(struct symbol_loader *loader);

/*
 * Load what @map of process @pid is of.  0: it will be done, or is already;
 * -EBUSY: ask again later.
 */
int symbol_loader_ask(struct symbol_loader *loader, pid_t pid,
		      const struct process_map *map, void *want);
/* Take what has come, waiting for @ms at most. */
void symbol_loader_poll(struct symbol_loader *loader, int ms);

/* The processes: up to @max pids.  Their number. */
size_t symbol_loader_pids(const struct symbol_loader *loader, pid_t *pids,
			  size_t max);

struct symbol_loader_stats {
	size_t loading;		/* files asked for and not done */
	const char *oldest;	/* path of the one asked for first; NULL */
	uint64_t since;		/* when: ns, CLOCK_MONOTONIC */
	double cpu;		/* seconds that the processes have used */
};
void symbol_loader_read_stats(const struct symbol_loader *loader,
			      struct symbol_loader_stats *stats);

#endif
