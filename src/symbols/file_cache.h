/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that processes have mapped: each is opened (mapped_file_open()) and
 * parsed once, whichever processes map it, and evicted when others need the
 * memory.  A file that is slow to load, or hangs, does not block.
 */
#ifndef RBTOP_SYMBOLS_FILE_CACHE_H
#define RBTOP_SYMBOLS_FILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "task/process_maps.h"

struct elf_symbols;
struct file_cache;
struct process_table;
struct symbol_loader;

struct file_cache_opts {
	const char *proc;	/* "/proc", except in tests; "": only paths,
				 * and each file is waited for, up to
				 * 5 s */
	const char *debug_root;	/* NULL: /usr/lib/debug */
	size_t max_bytes;	/* of one file's symbols */
	unsigned int workers;	/* see struct symbol_loader_opts */
};

/* The strings of @opts are copied.  NULL when out of memory. */
struct file_cache *file_cache_new(const struct file_cache_opts *opts);
void file_cache_free(struct file_cache *cache);

/*
 * The symbols of the file of @map in process @pid, until the next call; NULL if
 * there are none.  A file that cannot be opened is tried again, at most once
 * per second (@now_ns).  May block for 0.2 s, but at most a third of the time.
 */
struct elf_symbols *file_cache_symbols(struct file_cache *cache, pid_t pid,
				       struct process_map *map,
				       uint64_t now_ns);

/* Whether it returned NULL because the file of @map is still being loaded. */
bool file_cache_is_loading(const struct process_map *map);
/* Any thread: no file is waited for any more. */
void file_cache_stop(struct file_cache *cache);
/* The loader, whose results must be polled. */
struct symbol_loader *file_cache_loader(const struct file_cache *cache);

/* Evict the least recently used file.  False if fewer than two have symbols. */
bool file_cache_evict(struct file_cache *cache);
/* Forget files that no process of @table maps. */
void file_cache_sweep(struct file_cache *cache, struct process_table *table);

/* Number of files with symbols, their bytes, and the number of evictions. */
size_t file_cache_len(const struct file_cache *cache);
size_t file_cache_bytes(const struct file_cache *cache);
uint64_t file_cache_evicted(const struct file_cache *cache);
/* Number of files whose symbols were cut at the limit. */
size_t file_cache_cut(const struct file_cache *cache);
/* Number of files found for mappings; sweep if it grows. */
size_t file_cache_known(const struct file_cache *cache);

/*
 * The JIT maps of all processes: opened at the first address without a file,
 * read in slices, with a common memory limit.
 */

struct jit_maps;
struct names;
struct process;

/*
 * @proc as in jit_map_open(), or "" with @written as in jit_map_open_recorded();
 * at most @limit bytes.  NULL: out of memory.
 */
struct jit_maps *jit_maps_new(const char *proc, int64_t written,
			      struct process_table *table, struct names *names,
			      size_t limit);
void jit_maps_free(struct jit_maps *j);

/*
 * The function at @addr in @map of @p: from the map of @p, else from that of
 * the process that mapped it, if @p inherited the mapping by fork(2).  Returns
 * the name, with its start and *@dso, the map's path; or NULL.  @now (ns)
 * limits how often a map is checked for new lines.
 */
const char *jit_maps_find(struct jit_maps *j, struct process *p,
			  const struct process_map *map, uint64_t addr,
			  uint64_t now, uint64_t *start, const char **dso);

/*
 * Start to look for new code, and for other code at known addresses.  If all
 * maps together have become too large, some are dropped.
 */
void jit_maps_round(struct jit_maps *j);
/* Continue the round until @until (s); true if there is more to do. */
bool jit_maps_go_on(struct jit_maps *j, uint64_t now, double until);

/* At the last round, plus what was opened since. */
size_t jit_maps_bytes(const struct jit_maps *j);
/* Maps whose names were cut at the limit, at the last round. */
size_t jit_maps_cut(const struct jit_maps *j);

#endif
