/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file/file_place.h"

enum { SOMEBODY = 65534, OTHER = 65533 };

/* The root of all paths that the tests make. */
static char root[] = "/tmp/rbtop-test-place.XXXXXX";

static const char *at(const char *path)
{
	static char buf[4][512];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(buf[turn], sizeof(buf[turn]), "%s/%s", root, path);
	return buf[turn];
}

static int setup(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[80];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void make_dir(const char *path, mode_t mode, uid_t owner)
{
	assert_int_equal(mkdir(at(path), 0700), 0);
	assert_int_equal(chown(at(path), owner, owner), 0);
	assert_int_equal(chmod(at(path), mode), 0);
}

static void make_link(const char *target, const char *path, uid_t owner)
{
	assert_int_equal(symlink(target, at(path)), 0);
	assert_int_equal(lchown(at(path), owner, owner), 0);
}

static void make_file(const char *path)
{
	int fd = open(at(path), O_CREAT | O_WRONLY | O_EXCL, 0600);

	assert_true(fd >= 0);
	close(fd);
}

/* Check that the place of @path is NAME in the directory @dir. */
static void assert_place(const char *path, unsigned int flags,
			 const char *dir, const char *name)
{
	struct file_place place;
	struct err err = { 0 };
	struct stat st;

	if (file_place_open(path, flags, &place, &err))
		fail_msg("%s", err.text);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(place.dir_st.st_ino, st.st_ino);
	assert_int_equal(place.dir_st.st_dev, st.st_dev);
	assert_string_equal(place.name, name);
	file_place_close(&place);
}

static void assert_refused(const char *path, int code, const char *text)
{
	struct file_place place;
	struct err err = { 0 };

	assert_int_equal(file_place_open(path, FILE_PLACE_FOLLOW, &place,
					 &err), code);
	assert_int_equal(place.dir, -1);
	assert_non_null(strstr(err.text, path));
	if (!strstr(err.text, text))
		fail_msg("%s", err.text);
}

TEST(test_plain)
{
	make_dir("a", 0700, getuid());
	make_dir("a/b", 0700, getuid());
	assert_place(at("a/b/c"), 0, at("a/b"), "c");
	assert_place(at("a//b/./../b///c"), 0, at("a/b"), "c");
	assert_place("/c", 0, "/", "c");
	assert_place("//../c", 0, "/", "c");
	assert_int_equal(chdir(at("a")), 0);
	assert_place("c", 0, at("a"), "c");
	assert_place("./b/c", 0, at("a/b"), "c");
	assert_place("../c", 0, root, "c");
	assert_int_equal(chdir("/"), 0);
}

TEST(test_no_place)
{
	char name[NAME_MAX + 2], path[PATH_MAX + 2];

	make_dir("a", 0700, getuid());
	make_file("f");
	assert_refused("", -ENOENT, "No such file");
	assert_refused("/", -EISDIR, "Is a directory");
	assert_refused(at("a/"), -EISDIR, "Is a directory");
	assert_refused(at("a/."), -EISDIR, "Is a directory");
	assert_refused(at("a/.."), -EISDIR, "Is a directory");
	assert_refused(at("f/"), -ENOTDIR, "Not a directory");
	assert_refused(at("f/x"), -ENOTDIR, "Not a directory");
	assert_refused(at("no/x"), -ENOENT, "No such file");
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_refused(name, -ENAMETOOLONG, "too long");
	memset(path, '/', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(file_place_open(path, 0, &(struct file_place){ 0 },
					 NULL), -ENAMETOOLONG);
}

TEST(test_links)
{
	uid_t me = getuid();

	make_dir("a", 0700, me);
	make_dir("a/b", 0700, me);
	make_file("a/f");
	make_link("b", "a/rel", me);
	make_link(at("a/b"), "abs", me);
	make_link("a/rel/../f", "file", me);
	make_link("a/new", "nothing", me);
	make_link("loop", "loop", me);
	make_link("a/b/", "slash", me);
	assert_place(at("a/rel/x"), 0, at("a/b"), "x");
	assert_place(at("abs/x"), 0, at("a/b"), "x");
	assert_place(at("file"), FILE_PLACE_FOLLOW, at("a"), "f");
	assert_place(at("file"), 0, root, "file");
	assert_place(at("nothing"), FILE_PLACE_FOLLOW, at("a"), "new");
	assert_place(at("slash/x"), FILE_PLACE_FOLLOW, at("a/b"), "x");
	assert_refused(at("slash"), -EISDIR, "Is a directory");
	assert_refused(at("loop"), -ELOOP, "Too many levels");
	assert_refused(at("loop/x"), -ELOOP, "Too many levels");
}

/* Magic links of the kernel: their target, not their text. */
TEST(test_magic)
{
	char path[64];
	int fd;

	make_dir("a", 0700, getuid());
	make_file("f");
	fd = open(at("a"), O_PATH);
	snprintf(path, sizeof(path), "/proc/self/fd/%d/x", fd);
	assert_int_equal(rename(at("a"), at("moved")), 0);
	make_dir("a", 0700, getuid());
	assert_place(path, 0, at("moved"), "x");
	close(fd);
	fd = open(at("f"), O_WRONLY);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_refused(path, -EEXIST, "not a regular file");
	close(fd);
}

/* A link of another user in a directory that all can write. */
TEST(test_shared)
{
	uid_t me = getuid();

	if (me != 0)
		skip();
	make_dir("tmp", 01777, 0);
	make_dir("secret", 0700, 0);
	make_file("secret/f");
	make_link(at("secret/f"), "tmp/f", SOMEBODY);
	make_link(at("secret"), "tmp/d", SOMEBODY);
	make_link(at("secret/f"), "tmp/mine", 0);
	assert_refused(at("tmp/f"), -EACCES, "link of user 65534");
	assert_refused(at("tmp/d/f"), -EACCES, "'d' is a link");
	assert_refused(at("tmp/./d/f"), -EACCES, "'d' is a link");
	assert_refused(at("secret/../tmp/d/f"), -EACCES, "'d' is a link");
	assert_place(at("tmp/mine"), FILE_PLACE_FOLLOW, at("secret"), "f");
	/* what is replaced is the link */
	assert_place(at("tmp/f"), 0, at("tmp"), "f");
	/* through root's link into it */
	make_link("tmp", "run", 0);
	assert_place(at("run/new"), FILE_PLACE_FOLLOW, at("tmp"), "new");
	assert_refused(at("run/f"), -EACCES, "link of user 65534");
	assert_int_equal(chmod(at("tmp"), 0777), 0);
	assert_refused(at("tmp/f"), -EACCES, "link of user 65534");
	assert_int_equal(chmod(at("tmp"), 01775), 0);
	assert_refused(at("tmp/f"), -EACCES, "link of user 65534");
	/* a link of the directory's owner */
	assert_int_equal(chmod(at("tmp"), 01777), 0);
	assert_int_equal(chown(at("tmp"), SOMEBODY, 0), 0);
	assert_refused(at("tmp/f"), -EACCES, "leads outside");
}

/* In another user's directory, only to that user's files. */
TEST(test_others)
{
	if (getuid() != 0)
		skip();
	make_dir("home", 0755, SOMEBODY);
	make_dir("home/dots", 0755, SOMEBODY);
	make_dir("other", 0755, OTHER);
	make_dir("secret", 0700, 0);
	make_link("dots/rc", "home/rc", SOMEBODY);
	make_link("dots", "home/d", SOMEBODY);
	make_link("../secret/f", "home/out", SOMEBODY);
	make_link("../secret", "home/outdir", SOMEBODY);
	make_link(at("home/dots"), "other/hop", OTHER);
	make_link(at("other/hop"), "home/hops", SOMEBODY);
	assert_place(at("home/rc"), FILE_PLACE_FOLLOW, at("home/dots"), "rc");
	assert_place(at("home/d/rc"), FILE_PLACE_FOLLOW, at("home/dots"),
		     "rc");
	assert_refused(at("home/out"), -EACCES, "leads outside");
	assert_refused(at("home/outdir/f"), -EACCES, "leads outside");
	assert_refused(at("home/outdir/../secret/f"), -EACCES, "leads outside");
	assert_refused(at("home/hops/f"), -EACCES, "link of user 65533");
}

static void assert_owner(const char *path, uid_t owner)
{
	struct stat st;

	assert_int_equal(lstat(at(path), &st), 0);
	assert_int_equal(st.st_uid, owner);
	assert_int_equal(st.st_mode & 07777, 0700);
}

TEST(test_make)
{
	make_dir("a", 0700, getuid());
	assert_place(at("a/b/c/f"), FILE_PLACE_MAKE, at("a/b/c"), "f");
	assert_owner("a/b/c", getuid());
	assert_refused(at("a/no/f"), -ENOENT, "No such file");
	if (getuid() != 0)
		return;
	make_dir("home", 0700, SOMEBODY);
	assert_place(at("home/b/c/f"), FILE_PLACE_MAKE, at("home/b/c"), "f");
	assert_owner("home/b", SOMEBODY);
	assert_owner("home/b/c", SOMEBODY);
	make_dir("tmp", 01777, SOMEBODY);
	assert_place(at("tmp/b/f"), FILE_PLACE_MAKE, at("tmp/b"), "f");
	assert_owner("tmp/b", 0);
}

TEST_GROUP(file_place, .each_setup = setup, .each_teardown = teardown);
