/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/file_cache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sys.h"
#include "samples/names.h"
#include "symbols/elf/jit_map.h"
#include "task/process_maps.h"
#include "task/process_table.h"

#define CHECK_NS 250000000ull		/* minimum between checks for new
					 * code */

enum {
	PARTS = 4,			/* a map may use 1/4 of the limit */
	ROUND_BYTES = 8 << 20,		/* read per round, all maps together */
};

struct jit_maps {
	char proc[PATH_MAX / 2];
	int64_t written;		/* if that is "" */
	struct process_table *table;
	struct names *names;
	size_t limit, bytes;
	size_t cut;			/* number of maps, at the last round */
	pid_t *pending;			/* processes whose maps the round
					 * reads */
	size_t nr_pending, next;
	size_t left;			/* bytes left to read in the round */
};

struct jit_maps *jit_maps_new(const char *proc, int64_t written,
			      struct process_table *table, struct names *names,
			      size_t limit)
{
	struct jit_maps *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	snprintf(j->proc, sizeof(j->proc), "%s", proc);
	j->written = written;
	j->table = table;
	j->names = names;
	j->limit = limit;
	return j;
}

void jit_maps_free(struct jit_maps *j)
{
	if (!j)
		return;
	free(j->pending);
	free(j);
}

/* Open it in the root of @p or, if that has ended, of its child @via. */
static void open_map(struct jit_maps *j, struct process *p, pid_t via)
{
	size_t max = j->limit / PARTS;

	if (j->bytes >= j->limit)
		return;
	if (!*j->proc ?
	    jit_map_open_recorded(p->pid, j->written, max, &p->jit) :
	    jit_map_open(j->proc, p->pid, p->pid, max, &p->jit) &&
	    (via == p->pid ||
	     jit_map_open(j->proc, p->pid, via, max, &p->jit)))
		return;
	j->bytes += jit_map_bytes(p->jit);
	process_table_changed(j->table, p);
}

/* Open the map of @p, or read on.  Returns the bytes read if it was open. */
static size_t read_map(struct jit_maps *j, struct process *p, pid_t via,
		       uint64_t now)
{
	ssize_t got;

	p->jit_tried = true;
	p->jit_checked = now;
	if (!p->jit) {
		open_map(j, p, via);
		return 0;
	}
	if (!*j->proc)
		return 0;
	got = jit_map_refresh(p->jit);
	process_table_changed(j->table, p);
	return got > 0 ? (size_t)got : 0;
}

static const char *find(struct jit_maps *j, struct process *p, pid_t via,
			uint64_t addr, uint64_t now, uint64_t *start)
{
	const char *name = NULL;

	if (p->jit)
		name = jit_map_find(p->jit, addr, j->names, start);
	if (name || (p->jit_tried && now < p->jit_checked + CHECK_NS))
		return name;
	read_map(j, p, via, now);
	return p->jit ? jit_map_find(p->jit, addr, j->names, start) : NULL;
}

static const char *path_of(struct jit_maps *j, struct process *p)
{
	char path[64];

	if (!p->jit_path) {
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", p->pid);
		p->jit_path = names_add(j->names, path);
	}
	return p->jit_path;
}

const char *jit_maps_find(struct jit_maps *j, struct process *p,
			  const struct process_map *map, uint64_t addr,
			  uint64_t now, uint64_t *start, const char **dso)
{
	const char *name = find(j, p, p->pid, addr, now, start);
	pid_t via = p->pid;

	if (!name && map->mapper > 0 && map->mapper != p->pid) {
		p = process_table_get(j->table, map->mapper);
		if (p)
			name = find(j, p, via, addr, now, start);
	}
	if (name)
		*dso = path_of(j, p);
	return name;
}

void jit_maps_round(struct jit_maps *j)
{
	size_t len = process_table_len(j->table);

	free(j->pending);
	j->pending = calloc(len + 1, sizeof(*j->pending));
	j->nr_pending = j->next = 0;
	j->left = ROUND_BYTES;
	j->bytes = j->cut = 0;
	for (size_t i = 0; i < len; i++) {
		struct process *p = process_table_at(j->table, i);

		if (!p->jit)
			continue;
		j->bytes += jit_map_bytes(p->jit);
		if (j->bytes > j->limit) {
			j->bytes -= jit_map_bytes(p->jit);
			jit_map_free(p->jit);
			p->jit = NULL;
			process_table_changed(j->table, p);
			continue;
		}
		j->cut += jit_map_cut(p->jit);
		if (j->pending)
			j->pending[j->nr_pending++] = p->pid;
	}
}

/* A slice of each in turn, so that a large map does not delay the others. */
bool jit_maps_go_on(struct jit_maps *j, uint64_t now, double until)
{
	while (j->nr_pending && j->left) {
		size_t i = j->next % j->nr_pending, got = 0;
		struct process *p = process_table_find(j->table, j->pending[i]);

		if (p && p->jit)
			got = read_map(j, p, p->pid, now);
		j->left -= got < j->left ? got : j->left;
		if (got >= JIT_MAP_SLICE)
			j->next = i + 1;
		else
			j->pending[i] = j->pending[--j->nr_pending];
		if (sys_now() >= until)
			return j->nr_pending && j->left;
	}
	return false;
}

size_t jit_maps_bytes(const struct jit_maps *j)
{
	return j->bytes;
}

size_t jit_maps_cut(const struct jit_maps *j)
{
	return j->cut;
}
