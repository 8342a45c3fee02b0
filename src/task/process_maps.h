/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The executable mappings of one process, with their files. */
#ifndef RBTOP_TASK_PROCESS_MAPS_H
#define RBTOP_TASK_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbols/elf/elf_symbols.h"

struct names;

/* Type of the memory that is mapped. */
enum map_kind {
	MAP_KIND_FILE,
	MAP_KIND_VDSO,
	MAP_KIND_VSYSCALL,
	MAP_KIND_ANONYMOUS,	/* JIT code, a stack, memfd, SysV shm */
};

/* Plain data. */
struct process_map {
	uint64_t start, end, pgoff;
	const char *path;	/* stored in names */
	enum map_kind kind;
	bool deleted;		/* the path was followed by " (deleted)" */
	uint64_t dev, inode;	/* 0: unknown; dev as in makedev(3) */
	struct elf_build_id build_id;	/* len 0: unknown */
	pid_t mapper;		/* process that mapped it, or a parent of it; 0:
				 * unknown */
	const char *shown;	/* used by the owner: @path as displayed;
				 * NULL */
	void *file;		/* used by the owner: found for the mapping */
};

struct process_maps;

struct process_maps *process_maps_new(void);
void process_maps_free(struct process_maps *maps);
/* A copy for a forked child.  NULL when out of memory. */
struct process_maps *process_maps_copy(const struct process_maps *maps);
void process_maps_clear(struct process_maps *maps);

/*
 * Add a mapping; the parts of older ones that it covers are removed.  0,
 * -ENOMEM, or -ENOSPC if there are so many that most of them must be stale.
 */
int process_maps_add(struct process_maps *maps,
		     const struct process_map *map);
/* The mapping that contains @addr; NULL if there is none. */
struct process_map *process_maps_find(struct process_maps *maps,
				      uint64_t addr);
size_t process_maps_len(const struct process_maps *maps);
/* Bytes; memory shared with copies counts in part. */
size_t process_maps_bytes(const struct process_maps *maps);
struct process_map *process_maps_at(struct process_maps *maps, size_t i);

/*
 * Read the executable mappings of a /proc/PID/maps text.  Other lines are
 * skipped, and so are mappings beyond the limit.  0 or -ENOMEM.
 */
int process_maps_parse(struct process_maps *maps, const char *text,
		       struct names *names);
/*
 * The same from /proc of @pid; nothing for a kernel thread.  0, or -errno if it
 * cannot be read or is longer than @max bytes.
 */
int process_maps_read(struct process_maps *maps, const char *proc, pid_t pid,
		      size_t max, struct names *names);
/* The kind of a mapping with this name, and whether it ends in " (deleted)". */
enum map_kind process_maps_kind(const char *name, bool *deleted);
/* Whether its path was stored, so that the names were not full. */
bool process_maps_is_named(const struct process_map *map);
/* Set path, kind and deleted of @map from @name.  0 or -ENOMEM. */
int process_maps_name(struct process_map *map, const char *name,
		      struct names *names);

#endif
