/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/build_ids.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/sysmacros.h>

#include "base/array.h"
#include "base/sys.h"
#include "base/table.h"
#include "perf/abi/record.h"
#include "perf/abi/side_band.h"
#include "symbols/symbol_loader.h"
#include "task/process_maps.h"
#include "trace/perfdata/perfdata_writer.h"

enum {
	FILES_MAX = 1 << 16,
	REFUSED_MAX = 1 << 10,	/* files that have to wait */
};

enum file_state {
	WAITING,
	ASKED,
	DONE,
};

struct file {
	struct build_ids *of;
	enum file_state state;
	struct elf_build_id id;		/* len 0: not read */
	pid_t pid;			/* a process that mapped it */
	struct process_map map;
	char path[];
};

struct build_ids {
	struct symbol_loader *loader;
	struct file **files;
	size_t nr, room;
	size_t first, left;	/* files not done: the first, their number */
	struct table by_path;	/* files by the hash of the path */
};

static bool on_found(void *ctx, void *want, const struct stat *st,
		     const struct elf_build_id *id)
{
	struct file *file = want;

	(void)ctx;
	(void)st;
	file->id = *id;
	return false;
}

static void on_done(void *ctx, void *want, int error, struct elf_symbols *elf)
{
	struct file *file = want;

	(void)ctx;
	(void)error;
	(void)elf;
	file->state = DONE;
	file->of->left--;
}

struct symbol_loader *build_ids_loader(const char *proc, unsigned int workers)
{
	static const struct symbol_loader_ops ops = {
		.found = on_found,
		.done = on_done,
	};
	const struct symbol_loader_opts opts = {
		.proc = proc,
		.build_ids = true,
		.workers = workers,
		.ops = &ops,
	};

	return symbol_loader_new(&opts);
}

struct build_ids *build_ids_new(struct symbol_loader *loader)
{
	struct build_ids *b = calloc(1, sizeof(*b));

	if (b)
		b->loader = loader;
	return b;
}

void build_ids_free(struct build_ids *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr; i++) {
		if (b->files[i]->state == ASKED)
			symbol_loader_forget(b->loader, b->files[i]);
		free(b->files[i]);
	}
	free(b->files);
	table_free(&b->by_path);
	free(b);
}

static bool has_file(const struct build_ids *b, const char *path,
		     uint64_t hash)
{
	const struct table_entry *entry = table_find(&b->by_path, hash);

	for (; entry; entry = table_again(&b->by_path, entry)) {
		const struct file *file = entry->item;

		if (!strcmp(file->path, path))
			return true;
	}
	return false;
}

static int add_file(struct build_ids *b, const struct side_band_map *map)
{
	size_t size = strlen(map->name) + 1;
	uint64_t hash = table_hash(map->name, size);
	struct file *file;
	bool deleted;

	if (b->nr == FILES_MAX || has_file(b, map->name, hash))
		return 0;
	file = calloc(1, sizeof(*file) + size);
	if (!file)
		return -ENOMEM;
	memcpy(file->path, map->name, size);
	file->of = b;
	file->pid = map->pid;
	file->map = (struct process_map){
		.start = map->start,
		.end = map->start + map->len,
		.pgoff = map->pgoff,
		.path = file->path,
		.kind = process_maps_kind(file->path, &deleted),
	};
	file->map.deleted = deleted;
	if (map->has_inode) {
		file->map.dev = makedev(map->major, map->minor);
		file->map.inode = map->inode;
	}
	if (array_fit(b->files, b->room, b->nr + 1) ||
	    table_add(&b->by_path, hash, file)) {
		free(file);
		return -ENOMEM;
	}
	b->files[b->nr++] = file;
	b->left++;
	return 0;
}

int build_ids_record(struct build_ids *b, const void *record, size_t size)
{
	struct perf_event_header header;
	struct side_band band;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, record, sizeof(header));
	if (header.type != PERF_RECORD_MMAP && header.type != PERF_RECORD_MMAP2)
		return 0;
	if (side_band_parse(record, size, &side_band_own, &band) ||
	    band.map.kernel || !band.map.executable ||
	    band.map.name[0] != '/' ||
	    strnlen(band.map.name, PATH_MAX) == PATH_MAX)
		return 0;
	return add_file(b, &band.map);
}

/*
 * Ask for files that wait, also for some of those after one that has to wait
 * longer: the loader does not let files of one device occupy it.
 */
static void ask(struct build_ids *b)
{
	unsigned int refused = 0;

	while (b->first < b->nr && b->files[b->first]->state == DONE)
		b->first++;
	for (size_t i = b->first; i < b->nr && refused < REFUSED_MAX; i++) {
		struct file *file = b->files[i];

		if (file->state != WAITING)
			continue;
		/* it may call on_done() */
		file->state = ASKED;
		if (symbol_loader_ask(b->loader, file->pid, &file->map, file)) {
			file->state = WAITING;
			refused++;
		}
	}
}

size_t build_ids_read(struct build_ids *b, double seconds)
{
	double now = sys_now(), until = now + seconds;

	if (!b->left)
		return 0;
	ask(b);
	do {
		symbol_loader_poll(b->loader, (int)ceil((until - now) * 1000));
		ask(b);
		now = sys_now();
	} while (b->left && now < until);
	return b->left;
}

int build_ids_write(const struct build_ids *b, struct perfdata_writer *w)
{
	int ret = 0;

	for (size_t i = 0; i < b->nr && !ret; i++)
		if (b->files[i]->id.len)
			ret = perfdata_writer_dso(w, b->files[i]->path,
						  &b->files[i]->id);
	return ret;
}
