/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that take long to load, or forever: everything else continues. */
#include "tests/group.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "resolver_rig.h"

enum { LOADERS = 4, NEVER = 1000000 /* ms */, MAX_WAITS = 6000 };

#define STUCK_S 1.0	/* from which a file is reported as stuck */

static double started;

/* Map /@path in process @pid, on a device with that minor. */
static void map_app(pid_t pid, const char *path, unsigned int minor)
{
	char full[128];
	struct stat st;

	snprintf(full, sizeof(full), "%d/root%s", pid, path);
	st = copy_self(full);
	st.st_dev = makedev(0, minor);
	map_file(pid, MAPPED, MAPPED_LEN, path, &st);
}

static void begin_with_loaders(const char *stalled, unsigned int ms)
{
	sys_stall_at(stalled, ms);
	loaders = LOADERS;
	begin_in_tree();
	started = sys_now();
}

static int end(void **state)
{
	sys_stall_at(NULL, 0);
	loaders = 0;
	return teardown(state);
}

static const char *name_of(pid_t pid)
{
	return of(pid, USER, MAPPED + file_offset()).name;
}

static void wait_ms(long ms)
{
	const struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&ts, NULL);
	resolver_idle(resolver, sys_now_ns());
}

/* The name once no file is loading any more. */
static const char *name_soon(pid_t pid)
{
	const char *name = name_of(pid);

	for (int i = 0; i < MAX_WAITS && !strcmp(name, "[loading]"); i++) {
		wait_ms(20);
		name = name_of(pid);
	}
	return name;
}

static struct resolver_stats stats(void)
{
	struct resolver_stats s;

	resolver_read_stats(resolver, &s);
	return s;
}

/*
 * The first process from @pid on whose file has its name at the first sample.
 * A file is waited for, but not as long as a loader process may have to wait
 * for a CPU.
 */
static pid_t named_at_once(pid_t pid)
{
	for (int tries = 0; tries < 60; tries++, pid++) {
		map_app(pid, "/opt/app", 1);
		if (!strcmp(name_of(pid), "known_function"))
			return pid;
		name_soon(pid);
	}
	fail_msg("no file was named at once");
	return 0;
}

/* As without loaders: the first sample of a file has its name. */
TEST(test_at_once)
{
	pid_t pid, next;

	begin_with_loaders(NULL, 0);
	pid = named_at_once(50);
	assert_string_equal(shown(pid, USER, MAPPED + file_offset() + 1),
			    "known_function+1 /opt/app");
	assert_string_equal(shown(pid, USER, MAPPED), "[unknown]+0 /opt/app");
	next = named_at_once(pid + 1);
	assert_int_equal(stats().files, next - 50 + 1);
	assert_int_equal(stats().loading, 0);
	assert_true(stats().loader_cpu > 0);
}

/* A file that never loads is [loading]; others are named meanwhile. */
TEST(test_never)
{
	const char *stuck;
	double before;

	begin_with_loaders("/opt/stuck", NEVER);
	map_app(50, "/opt/stuck", 1);
	map_app(51, "/opt/app", 1);
	assert_string_equal(name_of(50), "[loading]");
	assert_string_equal(of(50, USER, MAPPED + 5).dso, "/opt/stuck");
	assert_int_equal(of(50, USER, MAPPED + 5).offset, 5);
	assert_int_equal(of(50, USER, MAPPED + 5).kind, SYMBOL_USER);
	assert_string_equal(name_soon(51), "known_function");
	stuck = stats().stuck;
	assert_true(!stuck || sys_now() - started >= STUCK_S);
	assert_int_equal(stats().loading, 1);
	/* not each lookup waits for it */
	before = sys_now();
	for (uint64_t i = 0; i < 100000; i++)
		of(50, USER, MAPPED + i);
	assert_true(sys_now() - before < 30);
	wait_ms(1100);
	assert_string_equal(stats().stuck, "/opt/stuck");
	assert_string_equal(name_of(50), "[loading]");
}

/* The end does not wait for it either. */
TEST(test_end)
{
	const struct timespec ms10 = { .tv_nsec = 10000000 };
	double before;

	begin_with_loaders("/opt/stuck", NEVER);
	map_app(50, "/opt/stuck", 1);
	assert_string_equal(name_of(50), "[loading]");
	before = sys_now();
	resolver_free(resolver);
	resolver = NULL;
	assert_true(sys_now() - before < 60);
	/* all loaders have ended, or will */
	for (int i = 0; i < MAX_WAITS && waitpid(-1, NULL, WNOHANG) >= 0; i++)
		nanosleep(&ms10, NULL);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* A file that loads late is named from then on. */
TEST(test_late)
{
	begin_with_loaders("/opt/slow", 600);
	map_app(50, "/opt/slow", 1);
	assert_true(!strcmp(name_of(50), "[loading]") ||
		    sys_now() - started >= 0.6);
	for (int i = 0; i < MAX_WAITS && stats().loading; i++)
		wait_ms(50);
	assert_string_equal(name_of(50), "known_function");
}

/* Files of a device that does not answer leave loaders for other devices. */
TEST(test_device)
{
	char path[32];

	begin_with_loaders("/opt/stuck", NEVER);
	for (int i = 0; i < 2 * LOADERS; i++) {
		snprintf(path, sizeof(path), "/opt/stuck%d", i);
		map_app(50 + i, path, 1);
		assert_string_equal(name_of(50 + i), "[loading]");
	}
	map_app(80, "/opt/stuck-too", 2);
	map_app(81, "/opt/stuck-again", 2);
	assert_string_equal(name_of(80), "[loading]");
	assert_string_equal(name_of(81), "[loading]");
	map_app(90, "/opt/app", 3);
	assert_string_equal(name_soon(90), "known_function");
}

enum { SLOW = 20 };

/* The time for the first names of processes @pid and following. */
static double ask_slow(pid_t pid)
{
	double before;
	char path[32];

	for (int i = 0; i < SLOW; i++) {
		snprintf(path, sizeof(path), "/opt/slow%d", i);
		map_app(pid + i, path, 1);
	}
	before = sys_now();
	for (int i = 0; i < SLOW; i++)
		name_of(pid + i);
	return sys_now() - before;
}

/*
 * Many slow files use only a part of the time: each may be waited for, for 0.2
 * s.
 */
TEST(test_patience)
{
	double min = 100;
	pid_t pid = 50;

	begin_with_loaders("/opt/slow", 150);
	for (int tries = 0; tries < 20 && min >= 2.5; tries++, pid += SLOW) {
		double took = ask_slow(pid);

		min = took < min ? took : min;
		for (int i = 0; i < SLOW; i++)
			assert_string_equal(name_soon(pid + i),
					    "known_function");
	}
	assert_true(min < 2.5);
}

/* A file that crashes its loader has no names; the next one has. */
TEST(test_process_ends)
{
	pid_t pids[LOADERS];

	begin_with_loaders("/opt/stuck", NEVER);
	assert_int_equal(resolver_loaders(resolver, pids, LOADERS), LOADERS);
	map_app(50, "/opt/stuck", 1);
	assert_string_equal(name_of(50), "[loading]");
	for (int i = 0; i < LOADERS; i++)
		kill(pids[i], SIGKILL);
	for (int i = 0; i < MAX_WAITS && stats().loading; i++)
		wait_ms(10);
	assert_int_equal(stats().loading, 0);
	map_app(51, "/opt/app", 1);
	assert_string_equal(name_soon(51), "known_function");
	assert_int_equal(resolver_loaders(resolver, pids, LOADERS), LOADERS);
}

TEST_GROUP(symbol_loader, .each_setup = setup, .each_teardown = end);
