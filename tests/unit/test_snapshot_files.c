/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/file/snapshot_files.h"
#include "base/err.h"
#include "hold_override.h"

static char dir[] = "/tmp/rbtop-test-snapshot-files.XXXXXX";
static struct snapshot_files files;

static int setup(void **state)
{
	(void)state;
	setenv("TZ", "UTC-2", 1);
	tzset();
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	return rmdir(dir);
}

static const char *path_of(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void create(const char *name)
{
	FILE *out = fopen(path_of(name), "w");

	assert_non_null(out);
	fputs(name, out);
	fclose(out);
}

static bool there(const char *name)
{
	return access(path_of(name), F_OK) == 0;
}

static int forget(void **state)
{
	static const char *const names[] = { "a", "a.aux", "b", "c", "d", "e" };

	(void)state;
	snapshot_files_free(&files);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(path_of(names[i]));
	return 0;
}

static uint64_t numbers[8];	/* of removed snapshots */
static size_t nr_numbers;

static void removed(void *ctx, uint64_t number)
{
	assert_ptr_equal(ctx, &files);
	numbers[nr_numbers++] = number;
}

/* Keep @nr; returns how many were removed, whose numbers are in @numbers. */
static size_t keep(unsigned int nr)
{
	nr_numbers = 0;
	snapshot_files_keep(&files, nr, removed, &files);
	return nr_numbers;
}

/* Add a file; "a" is number 1. */
static void add(const char *name, const char *beside)
{
	char other[PATH_MAX] = "";

	create(name);
	if (beside) {
		create(beside);
		snprintf(other, sizeof(other), "%s", path_of(beside));
	}
	assert_int_equal(snapshot_files_add(&files,
					    (uint64_t)(name[0] - 'a' + 1),
					    path_of(name), other), 0);
}

TEST_WITH(test_name, NULL, NULL)
{
	struct err err = { 0 };
	char path[64], small[8];

	assert_int_equal(snapshot_files_name("/out", 1700000000.75, 7, path,
					     sizeof(path), &err), 0);
	assert_string_equal(path, "/out/rbtop-20231115-001320-007.data");
	assert_int_equal(snapshot_files_name(".", 1700000000, 1234, path,
					     sizeof(path), &err), 0);
	assert_string_equal(path, "./rbtop-20231115-001320-1234.data");
	assert_int_equal(snapshot_files_name("/out", 0, 1, small,
					     sizeof(small), &err),
			 -ENAMETOOLONG);
	assert_non_null(strstr(err.text, "/out"));
}

TEST(test_keep)
{
	add("a", "a.aux");
	add("b", NULL);
	add("c", NULL);
	assert_int_equal(keep(0), 0);
	assert_int_equal(keep(3), 0);
	assert_true(there("a"));
	assert_int_equal(keep(2), 1);
	assert_int_equal(numbers[0], 1);
	assert_false(there("a"));
	assert_false(there("a.aux"));
	assert_true(there("b") && there("c"));
	add("d", NULL);
	add("e", NULL);
	assert_int_equal(keep(1), 3);
	assert_int_equal(numbers[0], 2);
	assert_int_equal(numbers[2], 4);
	assert_true(there("e"));
	assert_false(there("b") || there("c") || there("d"));
}

/* A file that replaced the one written is not removed. */
TEST(test_not_ours)
{
	char from[PATH_MAX];

	add("a", NULL);
	add("b", NULL);
	add("c", NULL);
	snprintf(from, sizeof(from), "%s", path_of("d"));
	create("d");
	assert_int_equal(rename(from, path_of("a")), 0);
	unlink(path_of("b"));
	assert_int_equal(symlink("c", path_of("b")), 0);
	assert_int_equal(keep(1), 0);
	assert_true(there("a") && there("b") && there("c"));
}

/*
 * As root in another user's directory: the user that made the files removes
 * them.
 */
TEST(test_foreign)
{
	size_t removes;
	int refused;

	add("a", "a.aux");
	add("b", NULL);
	if (chown(dir, 65534, (gid_t)-1) < 0)
		skip();
	hold_override(false);
	refused = unlink(path_of("b"));
	removes = keep(1);
	hold_override(true);
	assert_int_equal(chown(dir, 0, (gid_t)-1), 0);
	assert_int_equal(refused, -1);
	assert_int_equal(removes, 1);
	assert_false(there("a") || there("a.aux"));
	assert_true(there("b"));
}

TEST_GROUP(snapshot_files, .setup = setup, .teardown = teardown,
	   .each_teardown = forget);
