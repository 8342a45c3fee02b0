/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/proc_mappings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Lines of anonymous inodes have no path, and so are short. */
enum { LINE_MAX_BYTES = 160 };

/*
 * How far from an AUX ring its data is looked for: perf maps one right after
 * the other.
 */
enum { NEIGHBOURS = 64 };

/*
 * Names that no path can be: those start with a slash.  Inodes of some kernels
 * have lost the prefix.
 */
static bool is_perf(const char *name)
{
	return !strcmp(name, "anon_inode:[perf_event]") ||
	       !strcmp(name, "[perf_event]");
}

static bool is_bpf(const char *name)
{
	return !strcmp(name, "anon_inode:bpf-map") ||
	       !strcmp(name, "anon_inode:[bpf-map]");
}

/* "start-end perms offset dev inode  name": fs/proc/task_mmu.c. */
static bool parse_line(const char *line, struct proc_mapping *map)
{
	uint64_t end;
	int used = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n",
		   &map->start, &end, &map->offset, &used) != 3 ||
	    !used || end <= map->start)
		return false;
	map->size = end - map->start;
	map->bpf = is_bpf(line + used);
	return map->bpf || is_perf(line + used);
}

static int add(struct proc_mappings *maps, const struct proc_mapping *map)
{
	struct proc_mapping *place;

	place = array_add(maps->all, maps->nr, maps->room);
	if (!place)
		return -ENOMEM;
	*place = *map;
	return 0;
}

static int add_line(struct proc_mappings *maps, const char *text, size_t len)
{
	char line[LINE_MAX_BYTES];
	struct proc_mapping map;

	if (len >= sizeof(line))
		return 0;
	memcpy(line, text, len);
	line[len] = '\0';
	return parse_line(line, &map) ? add(maps, &map) : 0;
}

/* Programs with 65,536 mappings are quick to look through by their names. */
int proc_mappings_parse(struct proc_mappings *maps, const char *text)
{
	static const char *const marks[] = { "perf_event]", "bpf-map" };
	int ret = 0;

	maps->nr = 0;
	while (*text && !ret) {
		size_t len = strcspn(text, "\n");

		for (size_t i = 0; i < 2; i++) {
			if (memmem(text, len, marks[i], strlen(marks[i]))) {
				ret = add_line(maps, text, len);
				break;
			}
		}
		text += len + (text[len] == '\n');
	}
	return ret;
}

void proc_mappings_free(struct proc_mappings *maps)
{
	free(maps->all);
	*maps = (struct proc_mappings){ 0 };
}

/* A user page and a power of two of pages of data: perf_mmap(). */
static bool is_whole(uint64_t size, uint64_t page_size)
{
	uint64_t pages = size / page_size;

	return pages > 1 && ((pages - 1) & (pages - 2)) == 0;
}

static bool continues(const struct proc_mapping *next,
		      const struct proc_mapping *map, uint64_t size)
{
	return !next->bpf && next->start == map->start + size &&
	       next->offset == map->offset + size;
}

/*
 * The size of the mapping at *@i and of the pieces that mprotect(2) or
 * munmap(2) has cut it into, which older kernels allow; *@i moves to the last.
 */
static uint64_t whole_size(const struct proc_mappings *maps, size_t *i,
			   uint64_t page_size)
{
	const struct proc_mapping *map = &maps->all[*i];
	uint64_t size = map->size;

	while (!is_whole(size, page_size) && *i + 1 < maps->nr &&
	       continues(&maps->all[*i + 1], map, size))
		size += maps->all[++*i].size;
	return size;
}

/* The ring @n places before or behind the first @at; NULL: none there. */
static struct proc_ring *neighbour(struct proc_ring *rings, size_t nr,
				   size_t at, size_t n)
{
	if (n % 2)
		return at + n / 2 < nr ? &rings[at + n / 2] : NULL;
	return n && n / 2 <= at ? &rings[at - n / 2] : NULL;
}

/*
 * Give an AUX mapping to the nearest ring that has none and leaves off where
 * it begins; @at is the first ring behind it.
 */
static void pair(struct proc_ring *rings, size_t nr, size_t at,
		 const struct proc_mapping *aux, uint64_t page_size)
{
	for (size_t n = 1; n < 2 * NEIGHBOURS; n++) {
		struct proc_ring *ring = neighbour(rings, nr, at, n);

		if (ring && !ring->aux_size &&
		    ring->size + page_size == aux->offset) {
			ring->aux_size = aux->size;
			return;
		}
	}
}

static void pair_all(const struct proc_mappings *maps, uint64_t page_size,
		     struct proc_ring *rings, size_t nr)
{
	size_t at = 0;

	for (size_t i = 0; i < maps->nr; i++) {
		const struct proc_mapping *map = &maps->all[i];

		while (at < nr && rings[at].start <= map->start)
			at++;
		if (!map->bpf && map->offset > page_size)
			pair(rings, nr, at, map, page_size);
	}
}

size_t proc_mappings_rings(const struct proc_mappings *maps, uint64_t page_size,
			   struct proc_ring *rings)
{
	size_t nr = 0;

	for (size_t i = 0; i < maps->nr; i++) {
		const struct proc_mapping *map = &maps->all[i];
		uint64_t size;

		if (map->bpf || map->offset)
			continue;
		size = whole_size(maps, &i, page_size);
		if (size > page_size)
			rings[nr++] = (struct proc_ring){
				.start = map->start,
				.size = size - page_size,
			};
	}
	pair_all(maps, page_size, rings, nr);
	return nr;
}

/*
 * libbpf maps the page with the consumer's position to write, and the
 * producer's with the data, which is there twice, to read:
 * ringbuf_map_mmap_kern(), kernel/bpf/ringbuf.c.
 */
bool proc_mappings_have_ringbuf(const struct proc_mappings *maps,
				uint64_t page_size, uint64_t size)
{
	for (size_t i = 0; i < maps->nr; i++) {
		const struct proc_mapping *map = &maps->all[i];

		if (map->bpf && map->offset == page_size &&
		    map->size == page_size + 2 * size)
			return true;
	}
	return false;
}
