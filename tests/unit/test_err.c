/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

TEST(test_set)
{
	struct err err = { 0 };

	assert_int_equal(err_exit_status(&err), 0);
	assert_int_equal(err_set(&err, -EPERM, "mmap of %d pages", 4), -EPERM);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_int_equal(err.code, -EPERM);
	assert_string_equal(err.text, "mmap of 4 pages");
	assert_int_equal(err_exit_status(&err), 1);
}

TEST(test_errno)
{
	struct err err = { 0 };

	assert_int_equal(err_errno(&err, -ENOENT, "reading %s", "/x"), -ENOENT);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.text, "reading /x: No such file or directory");
	/* without a code: what err_set() makes of that */
	assert_int_equal(err_errno(&err, 0, "x"), -EIO);
	assert_string_equal(err.text, "x: Input/output error");
	/* the end is cut */
	assert_int_equal(err_errno(&err, -EPERM, "%0*d", 999, 0), -EPERM);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(err_errno(NULL, -EPERM, "x"), -EPERM);
}

TEST(test_set_without_code)
{
	struct err err = { 0 };

	assert_int_equal(err_set(&err, 0, "x"), -EIO);
	assert_int_equal(err.code, -EIO);
}

TEST(test_usage)
{
	struct err err = { 0 };

	assert_int_equal(err_usage(&err, "-m '%s'", "3T"), -EINVAL);
	assert_int_equal(err.code, -EINVAL);
	assert_string_equal(err.text, "-m '3T'");
	assert_int_equal(err_exit_status(&err), 2);
}

TEST(test_null)
{
	assert_int_equal(err_set(NULL, -ENOENT, "x"), -ENOENT);
	assert_int_equal(err_usage(NULL, "x"), -EINVAL);
	assert_true(err_prefix(NULL, "x") < 0);
}

TEST(test_prefix)
{
	struct err err = { 0 };

	err_usage(&err, "no such event");
	assert_int_equal(err_prefix(&err, "-e %s", "foo"), -EINVAL);
	assert_string_equal(err.text, "-e foo: no such event");
	assert_int_equal(err.kind, ERR_USAGE);
}

TEST(test_untrusted_bytes)
{
	struct err err = { 0 };

	err_set(&err, -EIO, "%s", "a\033[2Jb\nc");
	assert_string_equal(err.text, "a?[2Jb?c");
	err_prefix(&err, "%s", "\177");
	assert_string_equal(err.text, "?: a?[2Jb?c");
}

TEST(test_long_lines_are_cut)
{
	char longer[2 * sizeof(((struct err *)0)->text)];
	struct err err = { 0 };

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	err_set(&err, -EIO, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	err_prefix(&err, "ab");
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_memory_equal(err.text, "ab: xxx", 7);
	err_prefix(&err, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

/* It stays with the message that it was set for. */
TEST(test_doctor)
{
	struct err err = { 0 };

	err_set(&err, -EPERM, "x");
	assert_null(err.doctor);
	assert_int_equal(err_doctor(&err, -EPERM, "mlock"), -EPERM);
	assert_string_equal(err.doctor, "mlock");
	assert_string_equal(err.text, "x");
	err_prefix(&err, "y");
	assert_string_equal(err.doctor, "mlock");
	err_usage(&err, "z");
	assert_null(err.doctor);
	assert_int_equal(err_doctor(NULL, -EIO, "mlock"), -EIO);
}

TEST_GROUP(err);
