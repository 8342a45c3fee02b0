/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/build_ids.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "perf/abi/record.h"
#include "perf/abi/side_band.h"
#include "trace/perfdata/perfdata_writer.h"
#include "symbols/elf/elf_symbols.h"

enum { FILES_MAX = 1 << 16 };

struct file {
	struct file *next;
	pid_t pid;		/* a process that mapped it */
	uint64_t inode;		/* 0: not known */
	char path[];
};

struct build_ids {
	const char *proc;
	struct file *files;
	void *paths;		/* the same, tsearch(3) */
	size_t nr;
};

struct build_ids *build_ids_new(const char *proc)
{
	struct build_ids *b = calloc(1, sizeof(*b));

	if (b)
		b->proc = proc;
	return b;
}

static void leave_file(void *file)
{
	(void)file;
}

void build_ids_free(struct build_ids *b)
{
	if (!b)
		return;
	tdestroy(b->paths, leave_file);
	while (b->files) {
		struct file *file = b->files;

		b->files = file->next;
		free(file);
	}
	free(b);
}

static int by_path(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static int add_file(struct build_ids *b, const struct side_band_map *map)
{
	size_t size = strlen(map->name) + 1;
	struct file *file, **found;

	if (b->nr == FILES_MAX)
		return 0;
	file = malloc(sizeof(*file) + size);
	if (!file)
		return -ENOMEM;
	*file = (struct file){
		.next = b->files,
		.pid = map->pid,
		.inode = map->has_inode ? map->inode : 0,
	};
	memcpy(file->path, map->name, size);
	found = tsearch(file, &b->paths, by_path);
	if (!found || *found != file) {
		free(file);
		return found ? 0 : -ENOMEM;
	}
	b->files = file;
	b->nr++;
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

size_t build_ids_len(const struct build_ids *b)
{
	return b->nr;
}

/*
 * Below the root of its process, if that is still there and ours to see.  By
 * then it may be another file: an upgrade puts a new one in its place.
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

	for (const struct file *f = b->files; f && !ret; f = f->next) {
		struct elf_build_id id;
		int fd = open_file(b, f);

		if (fd < 0)
			continue;
		if (!elf_symbols_build_id(fd, &id))
			ret = perfdata_writer_dso(w, f->path, id.bytes, id.len,
						  false);
		sys_close(fd);
	}
	return ret;
}
