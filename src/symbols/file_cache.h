/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that processes have mapped: opened (see mapped_file.h) and parsed
 * once each, whoever maps them, and let go when others need the room.  One that
 * takes long to load, or hangs, is not waited for.
 */
#ifndef RBTOP_SYMBOLS_FILE_CACHE_H
#define RBTOP_SYMBOLS_FILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "task/process_maps.h"

struct file_cache;
struct names;
struct process_table;
struct symbol_loader;

struct file_cache_opts {
	const char *proc;	/* "/proc" but in tests */
	const char *debug_root;	/* NULL: /usr/lib/debug */
	size_t max_bytes;	/* of one file's symbols */
	unsigned int workers;	/* as of struct symbol_loader_opts */
};

/* The strings of @opts are copied.  NULL when out of memory. */
struct file_cache *file_cache_new(const struct file_cache_opts *opts);
void file_cache_free(struct file_cache *cache);

/*
 * The function at @offset of the file that @map of process @pid is of: its
 * name and its start as a file offset; NULL where there is none.  A file that
 * cannot be had is tried again, but not within a second (by @now_ns).  May take
 * 0.2 s, but of all time no more than a third.
 */
const char *file_cache_find(struct file_cache *cache, pid_t pid,
			    struct process_map *map, uint64_t offset,
			    uint64_t now_ns, struct names *names,
			    uint64_t *start);

/* Whether there was none because the file of @map is yet to be loaded. */
bool file_cache_is_loading(const struct process_map *map);
/* What loads them: to be polled for what has come. */
struct symbol_loader *file_cache_loader(const struct file_cache *cache);

/* Let go the symbols not asked for longest.  False: one file's or less left. */
bool file_cache_evict(struct file_cache *cache);
/* Forget files that no process of @table maps any more. */
void file_cache_sweep(struct file_cache *cache, struct process_table *table);

/* Files whose symbols are held, how many bytes, how many were let go. */
size_t file_cache_len(const struct file_cache *cache);
size_t file_cache_bytes(const struct file_cache *cache);
uint64_t file_cache_evicted(const struct file_cache *cache);
/* Those held whose symbols are more than found room. */
size_t file_cache_cut(const struct file_cache *cache);
/* What mappings were found to be of: sweep where these grow many. */
size_t file_cache_known(const struct file_cache *cache);

#endif
