/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The executable mappings of one process, and what file each is of. */
#ifndef RBTOP_TASK_PROCESS_MAPS_H
#define RBTOP_TASK_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbols/elf/elf_symbols.h"

struct names;

/* What a mapping's bytes are. */
enum map_kind {
	MAP_KIND_FILE,
	MAP_KIND_VDSO,
	MAP_KIND_VSYSCALL,
	MAP_KIND_ANONYMOUS,	/* a JIT's code, a stack, memfd, SysV shm */
};

/* Plain data. */
struct process_map {
	uint64_t start, end, pgoff;
	const char *path;	/* kept among the names */
	enum map_kind kind;
	bool deleted;		/* " (deleted)" stood behind the path */
	uint64_t dev, inode;	/* 0: not known; dev as makedev(3) */
	struct elf_build_id build_id;	/* len 0: not known */
	pid_t mapper;		/* who mapped it, be it a parent; 0: unknown */
	const char *shown;	/* of the owner: @path as it is shown; NULL */
	void *file;		/* of the owner: what was found for it */
};

struct process_maps;

struct process_maps *process_maps_new(void);
void process_maps_free(struct process_maps *maps);
/* A forked child's.  NULL when out of memory. */
struct process_maps *process_maps_copy(const struct process_maps *maps);
void process_maps_clear(struct process_maps *maps);

/*
 * A new mapping; what it covers of older ones is gone.  0, -ENOMEM, or -ENOSPC
 * where there are so many that most of them must be gone.
 */
int process_maps_add(struct process_maps *maps,
		     const struct process_map *map);
/* The mapping that @addr lies in; NULL for none. */
struct process_map *process_maps_find(struct process_maps *maps,
				      uint64_t addr);
size_t process_maps_len(const struct process_maps *maps);
/* Its part of what it may have in common with copies. */
size_t process_maps_bytes(const struct process_maps *maps);
struct process_map *process_maps_at(struct process_maps *maps, size_t i);

/*
 * Read the executable mappings of a /proc/PID/maps text.  Lines that are none
 * are left out, and what there is no room for.  0 or -ENOMEM.
 */
int process_maps_parse(struct process_maps *maps, const char *text,
		       struct names *names);
/*
 * The same of what /proc tells of @pid now, which is nothing of a kernel
 * thread.  0, or -errno where it tells nothing or more than @most bytes.
 */
int process_maps_read(struct process_maps *maps, const char *proc, pid_t pid,
		      size_t most, struct names *names);
/* What a mapping of this name is, and whether it ends in " (deleted)". */
enum map_kind process_maps_kind(const char *name, bool *deleted);
/* Whether there was room among the names for its path. */
bool process_maps_is_named(const struct process_map *map);
/* Set what @name says of @map: path, kind, deleted.  0 or -ENOMEM. */
int process_maps_name(struct process_map *map, const char *name,
		      struct names *names);

#endif
