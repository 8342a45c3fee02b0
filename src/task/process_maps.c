/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/process_maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/proc.h"
#include "base/text.h"
#include "samples/names.h"

/*
 * No record reports munmap(2), so mappings of a process that maps and unmaps
 * code all the time accumulate.  The time to add one grows with their number,
 * and no program has so many code mappings at once.
 */
enum { MAPS_MAX = 4096 };

/*
 * Shared by processes from fork(2) until one of them maps.  There is free space
 * at both ends: mmap(2) goes downwards, programs are mapped upwards.
 */
struct shared_maps {
	size_t refs, head, len, size;
	struct process_map slots[];	/* @len of them in use, from @head on */
};

enum { GROWTH = 2 };		/* entries added at most by one mapping */

struct process_maps {
	struct shared_maps *shared;	/* NULL: none yet */
};

struct process_maps *process_maps_new(void)
{
	return calloc(1, sizeof(struct process_maps));
}

static void put_shared(struct shared_maps *shared)
{
	if (shared && !--shared->refs)
		free(shared);
}

void process_maps_free(struct process_maps *maps)
{
	if (!maps)
		return;
	put_shared(maps->shared);
	free(maps);
}

struct process_maps *process_maps_copy(const struct process_maps *maps)
{
	struct process_maps *copy = process_maps_new();

	if (!copy)
		return NULL;
	copy->shared = maps->shared;
	if (copy->shared)
		copy->shared->refs++;
	return copy;
}

void process_maps_clear(struct process_maps *maps)
{
	put_shared(maps->shared);
	maps->shared = NULL;
}

size_t process_maps_len(const struct process_maps *maps)
{
	return maps->shared ? maps->shared->len : 0;
}

size_t process_maps_bytes(const struct process_maps *maps)
{
	const struct shared_maps *s = maps->shared;

	return sizeof(*maps) +
	       (s ? s->size * sizeof(s->slots[0]) / s->refs : 0);
}

struct process_map *process_maps_at(struct process_maps *maps, size_t i)
{
	return &maps->shared->slots[maps->shared->head + i];
}

/* The index of the first mapping that ends beyond @addr. */
static size_t first_beyond(struct process_maps *maps, uint64_t addr)
{
	size_t lo = 0, hi = process_maps_len(maps);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (process_maps_at(maps, mid)->end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

struct process_map *process_maps_find(struct process_maps *maps,
				      uint64_t addr)
{
	size_t i = first_beyond(maps, addr);
	struct process_map *map;

	if (i == process_maps_len(maps))
		return NULL;
	map = process_maps_at(maps, i);
	return map->start <= addr ? map : NULL;
}

/* Make the maps unshared, with space at both ends.  0 or -errno. */
static int own(struct process_maps *maps)
{
	struct shared_maps *old = maps->shared, *grown;
	size_t len = process_maps_len(maps);
	size_t size = len + len / 2 + 4 * GROWTH;

	if (len + GROWTH > MAPS_MAX)
		return -ENOSPC;
	if (old && old->refs == 1 && old->head >= GROWTH &&
	    old->size - old->head - len >= GROWTH)
		return 0;
	grown = malloc(sizeof(*grown) + size * sizeof(grown->slots[0]));
	if (!grown)
		return -ENOMEM;
	*grown = (struct shared_maps){
		.refs = 1,
		.head = (size - len) / 2,
		.len = len,
		.size = size,
	};
	if (len)
		memcpy(grown->slots + grown->head, old->slots + old->head,
		       len * sizeof(old->slots[0]));
	put_shared(old);
	maps->shared = grown;
	return 0;
}

/*
 * Replace the mappings from @first up to @last by @n others; the shorter side
 * is moved.
 */
static void replace(struct shared_maps *s, size_t first, size_t last,
		    const struct process_map *put, size_t n)
{
	struct process_map *old = s->slots + s->head, *maps = old;
	size_t gone = last - first, after = s->len - last;

	if (first < after) {
		maps = old + gone - n;
		memmove(maps, old, first * sizeof(*maps));
		s->head = (size_t)(maps - s->slots);
	} else {
		memmove(maps + first + n, maps + last, after * sizeof(*maps));
	}
	memcpy(maps + first, put, n * sizeof(*maps));
	s->len = first + n + after;
}

/* The part of @map from @start on. */
static struct process_map tail_of(const struct process_map *map,
				  uint64_t start)
{
	struct process_map tail = *map;

	tail.pgoff += start - map->start;
	tail.start = start;
	return tail;
}

int process_maps_add(struct process_maps *maps, const struct process_map *map)
{
	struct process_map put[1 + GROWTH], *old;
	size_t first, last, n = 0;
	int ret;

	if (map->start >= map->end)
		return 0;
	/* at worst one mapping is split in two, with the new one between */
	ret = own(maps);
	if (ret)
		return ret;
	first = last = first_beyond(maps, map->start);
	while (last < process_maps_len(maps) &&
	       process_maps_at(maps, last)->start < map->end)
		last++;
	old = process_maps_at(maps, 0);
	if (first < last && old[first].start < map->start) {
		put[n] = old[first];
		put[n++].end = map->start;
	}
	put[n++] = *map;
	if (first < last && old[last - 1].end > map->end)
		put[n++] = tail_of(&old[last - 1], map->end);
	replace(maps->shared, first, last, put, n);
	return 0;
}

/* Names that the kernel gives to memory without a file (shmem, hugetlb). */
static bool is_anonymous(const char *name)
{
	static const char *const prefixes[] = {
		"//anon", "/anon_hugepage", "/dev/zero", "/memfd:", "/SYSV",
	};

	if (name[0] != '/')	/* "", "[heap]", "[stack]", "[anon:...]" */
		return true;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (text_begins(name, prefixes[i]))
			return true;
	}
	return false;
}

#define DELETED " (deleted)"

enum map_kind process_maps_kind(const char *name, bool *deleted)
{
	size_t len = strlen(name), tail = strlen(DELETED);

	*deleted = name[0] == '/' && len > tail &&
		   !strcmp(name + len - tail, DELETED);
	if (!strcmp(name, "[vdso]"))
		return MAP_KIND_VDSO;
	if (!strcmp(name, "[vsyscall]"))
		return MAP_KIND_VSYSCALL;
	return is_anonymous(name) ? MAP_KIND_ANONYMOUS : MAP_KIND_FILE;
}

int process_maps_name(struct process_map *map, const char *name,
		      struct names *names)
{
	char *path;

	map->kind = process_maps_kind(name, &map->deleted);
	/* the name that the kernel's records use; /proc has none */
	if (!name[0])
		name = "//anon";
	path = strndup(name, strlen(name) -
				     (map->deleted ? strlen(DELETED) : 0));
	if (!path)
		return -ENOMEM;
	map->path = names_add(names, path);
	free(path);
	return 0;
}

bool process_maps_is_named(const struct process_map *map)
{
	return strcmp(map->path, NAMES_FULL) != 0;
}

/*
 * Parse a line of /proc/PID/maps, "start-end perms offset dev inode path"
 * (fs/proc/task_mmu.c).  False if it is invalid, or not an executable mapping.
 */
static bool parse_line(const char *line, struct process_map *map,
		       const char **path)
{
	unsigned int maj, min;
	char perms[5];
	int used = 0;

	*map = (struct process_map){ 0 };
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64
		   "%n",
		   &map->start, &map->end, perms, &map->pgoff, &maj, &min,
		   &map->inode, &used) != 7)
		return false;
	if (strlen(perms) != 4 || perms[2] != 'x')
		return false;
	map->dev = makedev(maj, min);
	*path = line + used + strspn(line + used, " ");
	return true;
}

static int add_line(struct process_maps *maps, const char *line,
		    struct names *names)
{
	struct process_map map;
	const char *path;
	int ret;

	if (!parse_line(line, &map, &path))
		return 0;
	ret = process_maps_name(&map, path, names);
	return ret ? ret : process_maps_add(maps, &map);
}

int process_maps_parse(struct process_maps *maps, const char *text,
		       struct names *names)
{
	char *line;
	int ret = 0;

	while (*text && !ret) {
		size_t len = strcspn(text, "\n");

		line = strndup(text, len);
		if (!line)
			return -ENOMEM;
		ret = add_line(maps, line, names);
		free(line);
		text += len + (text[len] == '\n');
	}
	return ret == -ENOSPC ? 0 : ret;
}

int process_maps_read(struct process_maps *maps, const char *proc, pid_t pid,
		      size_t max, struct names *names)
{
	char *text;
	ssize_t len = proc_maps(proc, pid, max, &text);
	int ret = len < 0 ? (int)len : process_maps_parse(maps, text, names);

	free(text);
	return ret;
}
