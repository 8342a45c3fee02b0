/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/snapshot_files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file/new_file.h"

/* A name, and which file bore it when it was written. */
struct named {
	char *path;		/* NULL: none */
	dev_t dev;
	ino_t inode;
};

struct snapshot_file {
	uint64_t number;
	struct named file, beside;
};

int snapshot_files_name(const char *dir, double time, uint64_t number,
			char *path, size_t size, struct err *err)
{
	time_t seconds = (time_t)time;
	char stamp[32];
	struct tm tm;
	int len;

	if (!localtime_r(&seconds, &tm) ||
	    strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm) == 0)
		return err_set(err, -EOVERFLOW,
			       "naming a file: the clock is wrong");
	len = snprintf(path, size, "%s/rbtop-%s-%03llu.data", dir, stamp,
		       (unsigned long long)number);
	if (len < 0 || (size_t)len >= size)
		return err_set(err, -ENAMETOOLONG, "naming a file in %s: %s",
			       dir, strerror(ENAMETOOLONG));
	return 0;
}

/* 0 or -ENOMEM.  What is not there any more has no name. */
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
		       const char *path, const char *beside)
{
	struct snapshot_file fresh = { .number = number }, *list;

	list = reallocarray(files->files, files->nr + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	files->files = list;
	if (name_of(&fresh.file, path))
		return -ENOMEM;
	if (name_of(&fresh.beside, beside)) {
		free(fresh.file.path);
		return -ENOMEM;
	}
	list[files->nr++] = fresh;
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
		remove_named(&files->files[i].beside);
	}
	files->nr = keep;
	memmove(files->files, files->files + gone,
		keep * sizeof(*files->files));
}

void snapshot_files_free(struct snapshot_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		free(files->files[i].file.path);
		free(files->files[i].beside.path);
	}
	free(files->files);
	*files = (struct snapshot_files){ 0 };
}
