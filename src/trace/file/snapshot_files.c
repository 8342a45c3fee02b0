/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/snapshot_files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file/new_file.h"
#include "base/units.h"

/* A path, and the file it named when it was written. */
struct named {
	char *path;		/* NULL: none */
	dev_t dev;
	ino_t inode;
};

struct snapshot_file {
	uint64_t number;
	struct named file, aux_file;
};

int snapshot_files_name(const char *dir, double time, uint64_t number,
			char *path, size_t size, struct err *err)
{
	char stamp[32];
	int len;

	if (!units_clock(stamp, sizeof(stamp), time, UNITS_CLOCK_STAMP))
		return err_set(err, -EOVERFLOW,
			       "naming a file: the clock is wrong");
	len = snprintf(path, size, "%s/rbtop-%s-%03llu.data", dir, stamp,
		       (unsigned long long)number);
	if (len < 0 || (size_t)len >= size)
		return err_errno(err, -ENAMETOOLONG, "naming a file in %s",
				 dir);
	return 0;
}

/* 0 or -ENOMEM.  The path is NULL if the file no longer exists. */
static int name_of(struct named *n, const char *path)
{
	struct stat st;

	*n = (struct named){ 0 };
	if (!path[0] || lstat(path, &st) < 0)
		return 0;
	n->dev = st.st_dev;
	n->inode = st.st_ino;
	n->path = strdup(path);
	return n->path ? 0 : -ENOMEM;
}

int snapshot_files_add(struct snapshot_files *files, uint64_t number,
		       const char *path, const char *aux_path)
{
	struct snapshot_file fresh = { .number = number };

	if (array_fit(files->files, files->room, files->nr + 1) ||
	    name_of(&fresh.file, path))
		return -ENOMEM;
	if (name_of(&fresh.aux_file, aux_path)) {
		free(fresh.file.path);
		return -ENOMEM;
	}
	files->files[files->nr++] = fresh;
	return 0;
}

static bool remove_named(struct named *n)
{
	struct stat st;
	bool removed;

	if (!n->path)
		return false;
	removed = lstat(n->path, &st) == 0 && S_ISREG(st.st_mode) &&
		  st.st_dev == n->dev && st.st_ino == n->inode &&
		  new_file_remove(n->path) == 0;
	free(n->path);
	return removed;
}

void snapshot_files_keep(struct snapshot_files *files, unsigned int keep,
			 void (*removed)(void *ctx, uint64_t number),
			 void *ctx)
{
	size_t gone;

	if (!keep || files->nr <= keep)
		return;
	gone = files->nr - keep;
	for (size_t i = 0; i < gone; i++) {
		if (remove_named(&files->files[i].file))
			removed(ctx, files->files[i].number);
		remove_named(&files->files[i].aux_file);
	}
	array_remove(files->files, files->nr, 0, gone);
}

void snapshot_files_free(struct snapshot_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		free(files->files[i].file.path);
		free(files->files[i].aux_file.path);
	}
	free(files->files);
	*files = (struct snapshot_files){ 0 };
}
