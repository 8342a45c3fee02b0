/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory of small files below TMPDIR, as a fake sysfs or tracefs.  A test
 * writes what the kernel would show, and removes it all at the end.
 */
#ifndef RBTOP_TESTS_FAKE_TREE_H
#define RBTOP_TESTS_FAKE_TREE_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fake_tree {
	char root[256];
};

static inline void fake_tree_init(struct fake_tree *t)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(t->root, sizeof(t->root), "%.200s/rbtop-test-XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(t->root))
		abort();
}

/* ROOT/@path into @full, making the directories on the way. */
static inline void fake_tree_path(const struct fake_tree *t, const char *path,
				  char full[512])
{
	snprintf(full, 512, "%s/%s", t->root, path);
	for (char *s = full + strlen(t->root) + 1; *s; s++) {
		if (*s != '/')
			continue;
		*s = '\0';
		mkdir(full, 0755);
		*s = '/';
	}
}

/* Write @text to ROOT/@path. */
static inline void fake_tree_write(const struct fake_tree *t,
				   const char *path, const char *text)
{
	char full[512];
	FILE *f;

	fake_tree_path(t, path, full);
	f = fopen(full, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* Make ROOT/@path a symbolic link to @target. */
static inline void fake_tree_link(const struct fake_tree *t, const char *path,
				  const char *target)
{
	char full[512];

	fake_tree_path(t, path, full);
	if (symlink(target, full))
		abort();
}

static inline int fake_tree_remove(const char *path, const struct stat *st,
				   int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void fake_tree_free(struct fake_tree *t)
{
	nftw(t->root, fake_tree_remove, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
