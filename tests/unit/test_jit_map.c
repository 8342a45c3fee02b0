/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"
#include "fake_tree.h"
#include "samples/names.h"
#include "symbols/elf/jit_map.h"

enum { PLENTY = 16 << 20 };

static struct fake_tree tree;
static struct names *names;

static int set_up(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	names = names_new(64 << 20);
	return names ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	names_free(names);
	fake_tree_free(&tree);
	return 0;
}

enum { PID = 50 };

/* Write /proc/PID/status of a process that runs as @uid. */
static void status_as(int pid, uid_t uid, const char *inner)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "%d/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\tjava\nTgid:\t%d\nUid:\t%u\t%u\t%u\t%u\n%s", pid, 4711,
		 uid, uid, uid, inner);
	fake_tree_write(&tree, path, text);
}

static void status_of(int pid, const char *inner)
{
	status_as(pid, getuid(), inner);
}

/* Make the map of PID; returns its fd, to append to it. */
static int file_of(const char *text, size_t len)
{
	char path[512];
	int fd;

	status_of(PID, "");
	fake_tree_path(&tree, "50/root/tmp/perf-50.map", path);
	unlink(path);
	fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	return fd;
}

static struct jit_map *open_map(size_t max_bytes)
{
	struct jit_map *map = NULL;

	assert_int_equal(jit_map_open(tree.root, PID, PID, max_bytes, &map),
			 0);
	return map;
}

static struct jit_map *map_of(const char *text)
{
	close(file_of(text, strlen(text)));
	return open_map(PLENTY);
}

/* Read all that there is, in slices; returns how much. */
static size_t read_on(struct jit_map *map)
{
	size_t sum = 0;
	ssize_t got;

	for (; (got = jit_map_refresh(map)) > 0; sum += (size_t)got)
		;
	assert_int_equal(got, 0);
	return sum;
}

static void expect(struct jit_map *map, uint64_t addr, const char *name,
		   uint64_t start)
{
	uint64_t got_start = 0;
	const char *got = jit_map_find(map, addr, names, &got_start);

	if (!name) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	assert_string_equal(got, name);
	assert_int_equal(got_start, start);
}

TEST(test_lines)
{
	struct jit_map *map = map_of(
		"7f0000001000 20 Interpreter:main\n"
		"7F0000002000 8 LazyCompile:*run /srv/app.js:10:4\r\n"
		"7f0000003000 0 entry\n"
		"7f0000004000 10 esc\033[31m\n"
		"7f0000001010 4 newer\n");

	expect(map, 0x7f0000001000, NULL, 0);
	expect(map, 0x7f0000001013, "newer", 0x7f0000001010);
	expect(map, 0x7f0000001014, NULL, 0);
	expect(map, 0x7f0000002007, "LazyCompile:*run /srv/app.js:10:4",
	       0x7f0000002000);
	expect(map, 0x7f0000002008, NULL, 0);
	expect(map, 0x7f0000003000, "entry", 0x7f0000003000);
	expect(map, 0x7f0000004000, "esc?[31m", 0x7f0000004000);
	jit_map_free(map);
}

TEST(test_bad_lines)
{
	static const char *const bad[] = {
		"\n", "x\n", "1000\n", "1000 10\n", "1000 10 \n",
		" 1000 10 a\n", "0x1000 10 a\n", "1000 -10 a\n",
		"1000  10 a\n", "1000\t10\ta\n", "g000 10 a\n",
		"1000 1g a\n", "11112222333344445 10 a\n",
		"1000 11112222333344445 a\n", "1000 ffffffffffffffff a\n",
		"ffffffffffffffff 2 a\n", "1000 40000001 a\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[128];
		struct jit_map *map;

		snprintf(text, sizeof(text), "%s2000 10 good\n", bad[i]);
		map = map_of(text);
		expect(map, 0x2000, "good", 0x2000);
		expect(map, 0x1000, NULL, 0);
		jit_map_free(map);
	}
}

/* A NUL in a line, and a line without end: each is one bad line. */
TEST(test_strange_bytes)
{
	static const char text[] = "1000 10 a\0b\n2000 10 good\n";
	size_t size = 300000;
	char *line = malloc(size);
	struct jit_map *map;

	close(file_of(text, sizeof(text) - 1));
	map = open_map(PLENTY);
	expect(map, 0x1000, NULL, 0);
	expect(map, 0x2000, "good", 0x2000);
	jit_map_free(map);

	assert_non_null(line);
	memset(line, 'a', size);
	memcpy(line, "1000 10 ", 8);
	memcpy(line + size - 14, "\n2000 10 good\n", 14);
	close(file_of(line, size));
	map = open_map(PLENTY);
	read_on(map);
	expect(map, 0x1000, NULL, 0);
	expect(map, 0x2000, "good", 0x2000);
	jit_map_free(map);
	free(line);
}

static void append(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

/* Appended lines are read, an incomplete line once it is complete. */
TEST(test_refresh)
{
	int fd = file_of("", 0);
	struct jit_map *map = open_map(PLENTY);

	append(fd, "1000 10 one\n2000 10 t");
	assert_int_equal(jit_map_refresh(map), 21);
	assert_int_equal(jit_map_refresh(map), 0);
	expect(map, 0x1000, "one", 0x1000);
	expect(map, 0x2000, NULL, 0);
	append(fd, "wo\n");
	read_on(map);
	expect(map, 0x2000, "two", 0x2000);
	/* later lines win */
	append(fd, "1008 20 three\n");
	read_on(map);
	expect(map, 0x1000, NULL, 0);
	expect(map, 0x1010, "three", 0x1008);
	/* a new process with the same file */
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	append(fd, "5000 10 anew\n");
	read_on(map);
	expect(map, 0x1010, NULL, 0);
	expect(map, 0x5000, "anew", 0x5000);
	jit_map_free(map);
	close(fd);
}

/* A sparse gigabyte: a bounded read, then no more of it. */
TEST(test_sparse_gigabyte)
{
	int fd = file_of("1000 10 one\n", 12);
	double begun = sys_thread_cpu();
	struct jit_map *map;

	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	map = open_map(PLENTY);
	/* 4096 pieces of 64 KiB, none of which has the end of a line */
	assert_in_range(read_on(map), 255 << 20, 330 << 20);
	assert_int_equal(jit_map_refresh(map), 0);
	expect(map, 0x1000, "one", 0x1000);
	assert_true(jit_map_bytes(map) < 65536);
	assert_true(sys_thread_cpu() - begun < 5);
	jit_map_free(map);
	close(fd);
}

/* A gigabyte that begins with random bytes. */
TEST(test_noise)
{
	size_t size = 8 << 20;
	char *noise = malloc(size);
	unsigned int seed = 7;
	double begun;
	struct jit_map *map;
	int fd;

	assert_non_null(noise);
	for (size_t i = 0; i < size; i++)
		noise[i] = (char)(rand_r(&seed) >> 8);
	fd = file_of(noise, size);
	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	begun = sys_thread_cpu();
	map = open_map(PLENTY);
	assert_in_range(read_on(map), 1, 64 << 20);
	assert_true(jit_map_bytes(map) < PLENTY);
	assert_true(sys_thread_cpu() - begun < 5);
	jit_map_free(map);
	close(fd);
	free(noise);
}

/* Good lines without end: memory stays within the bound. */
TEST(test_bound)
{
	struct jit_map *map;
	size_t used = 0, size = 8 << 20;
	unsigned int nr = 0;
	char *text = malloc(size);
	int fd;

	assert_non_null(text);
	for (; used < size - 64; nr++)
		used += (size_t)snprintf(text + used, 64, "%x 10 f%u\n",
					 0x10000 + nr * 16, nr);
	fd = file_of(text, used);
	map = open_map(1 << 20);
	for (;;) {
		ssize_t got = jit_map_refresh(map);

		assert_in_range(got, 0, JIT_MAP_SLICE);
		assert_true(jit_map_bytes(map) < (1 << 20) + (1 << 16));
		if (!got)
			break;
	}
	/* the latest lines have names, not the first */
	assert_true(jit_map_cut(map));
	expect(map, 0x10000, NULL, 0);
	snprintf(text, size, "f%u", nr - 1);
	expect(map, 0x10000 + (nr - 1) * 16, text, 0x10000 + (nr - 1) * 16);
	jit_map_free(map);
	close(fd);
	free(text);
}

static int try_open(int pid, struct jit_map **map)
{
	return jit_map_open(tree.root, pid, pid, PLENTY, map);
}

static void expect_open(int pid, const char *name)
{
	struct jit_map *map;

	assert_int_equal(try_open(pid, &map), 0);
	expect(map, 0x1000, name, 0x1000);
	jit_map_free(map);
}

TEST(test_open)
{
	struct jit_map *map;

	assert_int_equal(try_open(9, &map), -ENOENT);
	status_of(10, "");
	assert_int_equal(try_open(10, &map), -ENOENT);
	fake_tree_write(&tree, "10/root/tmp/perf-10.map", "1000 10 plain\n");
	expect_open(10, "plain");
	/* in a nested namespace */
	status_of(11, "NStgid:\t11\t7\t1\n");
	fake_tree_write(&tree, "11/root/tmp/perf-11.map", "1000 10 wrong\n");
	fake_tree_write(&tree, "11/root/tmp/perf-7.map", "1000 10 wrong\n");
	fake_tree_write(&tree, "11/root/tmp/perf-1.map", "1000 10 inner\n");
	expect_open(11, "inner");
	/* an invalid status */
	fake_tree_write(&tree, "12/status", "Name:\tx\n");
	assert_int_equal(try_open(12, &map), -EINVAL);
	status_of(13, "NStgid:\t13\t-4\n");
	assert_int_equal(try_open(13, &map), -EINVAL);
}

/* The path of @name below the fake tree. */
static const char *at(const char *name)
{
	static char path[2][512];
	static int which;

	which = !which;
	snprintf(path[which], sizeof(path[which]), "%s/%s", tree.root, name);
	return path[which];
}

/* No link, FIFO, directory or file of another user is used, and none blocks. */
TEST(test_not_trusted)
{
	struct jit_map *map;

	status_of(20, "");
	fake_tree_write(&tree, "20/root/tmp/other", "1000 10 other\n");
	assert_int_equal(symlink("other", at("20/root/tmp/perf-20.map")), 0);
	assert_int_equal(try_open(20, &map), -EPERM);

	assert_int_equal(unlink(at("20/root/tmp/perf-20.map")), 0);
	assert_int_equal(mkfifo(at("20/root/tmp/perf-20.map"), 0600), 0);
	assert_int_equal(try_open(20, &map), -EPERM);

	assert_int_equal(unlink(at("20/root/tmp/perf-20.map")), 0);
	assert_int_equal(mkdir(at("20/root/tmp/perf-20.map"), 0700), 0);
	assert_int_equal(try_open(20, &map), -EPERM);

	/* the directory is a link, which could lead out of the root */
	status_of(21, "");
	fake_tree_write(&tree, "21/root/var/perf-21.map", "1000 10 led\n");
	assert_int_equal(symlink("var", at("21/root/tmp")), 0);
	assert_int_equal(try_open(21, &map), -EPERM);
}

TEST(test_owner)
{
	const char *path = "30/root/tmp/perf-30.map";
	struct jit_map *map;

	if (getuid())
		skip();	/* only root can give a file away */
	fake_tree_write(&tree, path, "1000 10 a\n");
	assert_int_equal(chown(at(path), 4242, (gid_t)-1), 0);
	status_as(30, 4343, "");
	assert_int_equal(try_open(30, &map), -EPERM);
	status_as(30, 0, "");
	assert_int_equal(try_open(30, &map), -EPERM);
	status_as(30, 4242, "");
	expect_open(30, "a");
	/* files of root are used for all processes */
	assert_int_equal(chown(at(path), 0, (gid_t)-1), 0);
	status_as(30, 4343, "");
	expect_open(30, "a");
}

/* The file is replaced by another of its name, then by a stranger's. */
TEST(test_replaced)
{
	struct jit_map *map;

	status_of(40, "");
	fake_tree_write(&tree, "40/root/tmp/perf-40.map", "1000 10 old\n");
	assert_int_equal(try_open(40, &map), 0);
	expect(map, 0x1000, "old", 0x1000);
	assert_int_equal(unlink(at("40/root/tmp/perf-40.map")), 0);
	assert_int_equal(jit_map_refresh(map), -ENOENT);
	expect(map, 0x1000, "old", 0x1000);
	fake_tree_write(&tree, "40/root/tmp/perf-40.map", "2000 10 new\n");
	read_on(map);
	expect(map, 0x1000, NULL, 0);
	expect(map, 0x2000, "new", 0x2000);
	assert_int_equal(unlink(at("40/root/tmp/perf-40.map")), 0);
	assert_int_equal(symlink("x", at("40/root/tmp/perf-40.map")), 0);
	assert_int_equal(jit_map_refresh(map), -EPERM);
	expect(map, 0x2000, "new", 0x2000);
	jit_map_free(map);
}

/* A real map: that of this process. */
TEST(test_own)
{
	char path[64];
	struct jit_map *map;
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "wx");
	if (!f)
		skip();
	fprintf(f, "1000 10 own\n");
	fclose(f);
	if (!jit_map_open("/proc", getpid(), getpid(), PLENTY, &map)) {
		expect(map, 0x1008, "own", 0x1000);
		jit_map_free(map);
		unlink(path);
		return;
	}
	unlink(path);
	fail_msg("%s could not be read", path);
}

/* It is that of no process here. */
TEST(test_recorded)
{
	pid_t pid = 1 << 30 | getpid();
	time_t now = time(NULL);
	struct jit_map *map;
	char path[64];
	FILE *f;

	assert_int_equal(jit_map_open_recorded(pid, now, PLENTY, &map),
			 -ENOENT);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	f = fopen(path, "wx");
	if (!f)
		skip();
	/* several slices */
	for (unsigned int i = 0; i < 40000; i++)
		fprintf(f, "%x 10 recorded%u\n", 0x1000 + i * 16, i);
	fclose(f);
	assert_int_equal(jit_map_open_recorded(pid, now - 60, PLENTY, &map),
			 -EPERM);
	assert_int_equal(jit_map_open_recorded(pid, now + 60, PLENTY, &map), 0);
	unlink(path);
	expect(map, 0x1008, "recorded0", 0x1000);
	expect(map, 0x1000 + 39999 * 16, "recorded39999", 0x1000 + 39999 * 16);
	jit_map_free(map);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(jit_map_open_recorded(pid, now + 60, PLENTY, &map),
			 -EPERM);
	unlink(path);
}

TEST_GROUP(jit_map, .each_setup = set_up, .each_teardown = tear_down);
