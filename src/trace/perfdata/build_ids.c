/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/build_ids.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sys.h"
#include "base/table.h"
#include "perf/abi/record.h"
#include "perf/abi/side_band.h"
#include "trace/perfdata/perfdata_writer.h"
#include "symbols/elf/elf_symbols.h"

enum { FILES_MAX = 1 << 16 };

struct file {
	pid_t pid;		/* a process that mapped it */
	uint64_t inode;		/* 0: not known */
	char path[];
};

struct build_ids {
	const char *proc;
	struct file **files;
	size_t nr, room;
	struct table by_path;	/* index of files by the hash of the path */
};

struct build_ids *build_ids_new(const char *proc)
{
	struct build_ids *b = calloc(1, sizeof(*b));

	if (b)
		b->proc = proc;
	return b;
}

void build_ids_free(struct build_ids *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr; i++)
		free(b->files[i]);
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

	if (b->nr == FILES_MAX || has_file(b, map->name, hash))
		return 0;
	file = malloc(sizeof(*file) + size);
	if (!file)
		return -ENOMEM;
	file->pid = map->pid;
	file->inode = map->has_inode ? map->inode : 0;
	memcpy(file->path, map->name, size);
	if (array_fit(b->files, b->room, b->nr + 1) ||
	    table_add(&b->by_path, hash, file)) {
		free(file);
		return -ENOMEM;
	}
	b->files[b->nr++] = file;
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
 * Open the path below the root directory of its process if that can be read,
 * else in rbtop's own.  The file may have been replaced, for example by an
 * upgrade.
 */
static int open_file(const struct build_ids *b, const struct file *file)
{
	char path[2 * PATH_MAX];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/%d/root%s", b->proc, file->pid,
		 file->path);
	fd = sys_open_plain(AT_FDCWD, path, O_NOFOLLOW, &st);
	if (fd < 0)
		fd = sys_open_plain(AT_FDCWD, file->path, O_NOFOLLOW, &st);
	if (fd < 0 || !file->inode || st.st_ino == file->inode)
		return fd;
	sys_close(fd);
	return -ESTALE;
}

int build_ids_write(const struct build_ids *b, struct perfdata_writer *w)
{
	int ret = 0;

	for (size_t i = 0; i < b->nr && !ret; i++) {
		const struct file *f = b->files[i];
		struct elf_build_id id;
		int fd = open_file(b, f);

		if (fd < 0)
			continue;
		if (!elf_symbols_build_id(fd, &id))
			ret = perfdata_writer_dso(w, f->path, &id);
		sys_close(fd);
	}
	return ret;
}
