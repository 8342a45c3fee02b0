/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/proc_status.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sys.h"
#include "base/text.h"
#include "host/table/host.h"

enum {
	/* a process may be in 65,536 groups, all of which are listed */
	STATUS_MAX = 1 << 20,
	/* lines of anonymous inodes have no path, so they are short */
	LINE_MAX_BYTES = 160,
	/*
	 * how many rings from an AUX ring its data ring is searched: perf maps
	 * one right after the other
	 */
	NEIGHBOURS = 64,
};

/* The text after "\nNAME:\t"; NULL if there is no such line. */
static const char *value_of(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? line + strlen(name) : NULL;
}

/*
 * Newlines and backslashes are escaped as \n and \\, so that a name cannot
 * imitate a line: proc_task_name(), fs/proc/array.c.
 */
static void read_comm(const char *text, char comm[16])
{
	char raw[16];
	size_t n = 0;

	while (*text && *text != '\n' && n < sizeof(raw) - 1) {
		raw[n] = *text++;
		if (raw[n] == '\\' && *text != '\n')
			raw[n] = *text++ == 'n' ? '\n' : '\\';
		n++;
	}
	raw[n] = '\0';
	text_copy(comm, 16, raw);
}

static int parse(const char *text, struct proc_status *status)
{
	const char *name = value_of(text, "Name:\t");
	const char *state = value_of(text, "\nState:\t");
	const char *uid = value_of(text, "\nUid:\t");
	const char *caps = value_of(text, "\nCapEff:\t");
	const char *pinned = value_of(text, "\nVmPin:\t");
	const char *threads = value_of(text, "\nThreads:\t");
	uint64_t kb;

	*status = (struct proc_status){ .pinned = UNKNOWN };
	if (!name || !uid || sscanf(uid, "%u", &status->uid) != 1)
		return -EBADMSG;
	read_comm(name, status->comm);
	status->alone = threads && !strncmp(threads, "1\n", 2);
	status->stopped = state && (*state == 'T' || *state == 't');
	if (caps && sscanf(caps, "%" SCNx64, &status->caps) != 1)
		status->caps = 0;
	if (pinned && sscanf(pinned, " %" SCNu64, &kb) == 1)
		status->pinned = kb * 1024;
	return 0;
}

int proc_status_read(const char *proc, pid_t pid, struct proc_status *status)
{
	char path[PATH_MAX], *text;
	ssize_t n;
	int ret;

	snprintf(path, sizeof(path), "%s/%d/status", proc, pid);
	n = sys_read_file_alloc(path, STATUS_MAX, &text);
	if (n < 0)
		return (int)n;
	ret = parse(text, status);
	free(text);
	return ret;
}

void proc_status_times(const char *proc, pid_t pid, uint64_t *run,
		       uint64_t *wait)
{
	char path[PATH_MAX], text[80];

	snprintf(path, sizeof(path), "%s/%d/task/%d/schedstat", proc, pid, pid);
	if (sys_read_file(path, text, sizeof(text)) <= 0 ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, run, wait) != 2)
		*run = *wait = UNKNOWN;
}

/*
 * No path can have these names: paths start with a slash.  Some kernels omit
 * the prefix.
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

static int add_line(struct proc_mappings *maps, const char *text, size_t len)
{
	char line[LINE_MAX_BYTES];
	struct proc_mapping map, *place;

	if (len >= sizeof(line))
		return 0;
	memcpy(line, text, len);
	line[len] = '\0';
	if (!parse_line(line, &map))
		return 0;
	place = array_add(maps->all, maps->nr, maps->room);
	if (!place)
		return -ENOMEM;
	*place = map;
	return 0;
}

/* A fast search for the names: programs may have 65,536 mappings. */
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

/* A user page and a power of two of data pages: perf_mmap(). */
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
 * The size of the mapping at *@i, together with the pieces into which
 * mprotect(2) or munmap(2) split it, which older kernels allow.  *@i is
 * advanced to the last piece.
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

/* The ring @n places before or after the first @at; NULL: none. */
static struct proc_ring *neighbour(struct proc_ring *rings, size_t nr,
				   size_t at, size_t n)
{
	if (n % 2)
		return at + n / 2 < nr ? &rings[at + n / 2] : NULL;
	return n && n / 2 <= at ? &rings[at - n / 2] : NULL;
}

/*
 * Assign an AUX mapping to the nearest ring without one whose data ends at the
 * mapping's offset; @at is the first ring after it.
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
 * libbpf maps the consumer page for writing, and the producer page with the
 * data, which is mapped twice, for reading: ringbuf_map_mmap_kern(),
 * kernel/bpf/ringbuf.c.
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
