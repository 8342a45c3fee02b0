/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files in a temporary directory, with O_TMPFILE and as on a file system
 * without it; for the tests of base/new_file.
 */
#ifndef RBTOP_TESTS_NEW_FILE_RIG_H
#define RBTOP_TESTS_NEW_FILE_RIG_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file/new_file.h"
#include "base/sys.h"

static char dir[256];
static char path[300], other[300];
static bool no_unnamed;	/* pretend that the file system has no O_TMPFILE */

/* In a directory below TMPDIR, since file systems differ. */
static inline int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(dir, sizeof(dir), "%s/rbtop-test-new-file.XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	return 0;
}

static inline int set_unnamed(void **state)
{
	int at = open(dir, O_PATH | O_DIRECTORY);
	int fd = sys_open_unnamed(at);

	(void)state;
	no_unnamed = fd < 0;
	close(fd);
	close(at);
	return 0;
}

static inline int set_named(void **state)
{
	(void)state;
	no_unnamed = true;
	return 0;
}

static inline struct new_file *open_file(const char *name, unsigned int flags,
					 struct err *err)
{
	sys_fail_at(SYS_OPEN_UNNAMED, no_unnamed, EOPNOTSUPP);
	return new_file_open(name, flags, err);
}

static inline int teardown(void **state)
{
	(void)state;
	return rmdir(dir);
}

static inline int remove_files(void **state)
{
	(void)state;
	unlink(path);
	unlink(other);
	return 0;
}

static inline void remove_entries(void)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	assert_non_null(d);
	while ((entry = readdir(d)))
		unlinkat(dirfd(d), entry->d_name, 0);
	closedir(d);
}

/* The number of directory entries, including files left behind. */
static inline int entries(void)
{
	DIR *d = opendir(dir);
	int nr = -2;

	assert_non_null(d);
	while (readdir(d))
		nr++;
	closedir(d);
	return nr;
}

static inline void assert_content(const char *name, const char *want)
{
	char text[64] = "";
	FILE *in = fopen(name, "r");

	assert_non_null(in);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, in), strlen(want));
	fclose(in);
	assert_string_equal(text, want);
}

static inline int write_file(const char *text, bool replace, struct err *err)
{
	struct new_file *file = open_file(path, 0, err);

	assert_non_null(file);
	fputs(text, new_file_stream(file));
	return new_file_commit(file, replace, err);
}

/* A test with O_TMPFILE; ... */
#define ON_UNNAMED(test) TEST_WITH(test, set_unnamed, remove_files)

/* ... and two, with and without it. */
#define ON_BOTH(test)                                                       \
	TEST_FUNCTION(test);                                                \
	TEST_ENTRY(test##_named, #test ", named", test, true, set_named,    \
		   remove_files)                                            \
	ON_UNNAMED(test)

#endif
