/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <sys/prctl.h>
#include <unistd.h>

#include "task/comm_cache.h"

enum { DEAD = 0x3fffffff };	/* above any pid_max */

static struct comm_cache *cache;
static char name[PROC_COMM];

static int setup(void **state)
{
	(void)state;
	cache = comm_cache_new("/proc");
	return cache ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	comm_cache_free(cache);
	return 0;
}

static const char *get(pid_t pid, double now)
{
	bool known = comm_cache_get(cache, pid, now, name);

	assert_int_equal(known, name[0] != '\0');
	return name;
}

TEST(test_proc_reread_after_age)
{
	pid_t self = getpid();

	prctl(PR_SET_NAME, "first");
	assert_string_equal(get(self, 100), "first");
	prctl(PR_SET_NAME, "second");
	assert_string_equal(get(self, 101), "first");
	assert_string_equal(get(self, 103), "second");
}

/* A task that has exited keeps its name. */
TEST(test_exited_kept)
{
	assert_string_equal(get(DEAD, 100), "");
	comm_cache_note(cache, DEAD, DEAD, "x");
	assert_string_equal(get(DEAD, 200), "x");
}

TEST(test_is_sanitized)
{
	pid_t self = getpid();

	prctl(PR_SET_NAME, "a\033[2Jb");
	assert_string_equal(get(self, 500), "a?[2Jb");
}

TEST(test_idle)
{
	assert_string_equal(get(0, 1), "swapper");
}

/* A task that exits before /proc is read has its name from its samples. */
TEST(test_comm_from_samples)
{
	comm_cache_note(cache, DEAD, DEAD + 1, "a thread");
	assert_string_equal(get(DEAD, 1), "a thread");
	assert_string_equal(get(DEAD + 1, 1), "");
	assert_string_equal(get(DEAD - (1 << 20), 1), "");
	/* the leader's name is used, once it is known */
	comm_cache_note(cache, DEAD, DEAD, "leader");
	comm_cache_note(cache, DEAD, DEAD + 1, "a thread");
	assert_string_equal(get(DEAD, 2), "leader");
	/* not a name */
	comm_cache_note(cache, DEAD, DEAD, ":1073741823");
	assert_string_equal(get(DEAD, 3), "leader");
	comm_cache_note(cache, -1, -1, "none");
}

/* The name in /proc of a process is its leader's. */
TEST(test_leader_comm_kept)
{
	pid_t self = getpid();

	prctl(PR_SET_NAME, "main");
	comm_cache_note(cache, self, self + 1, "a thread");
	assert_string_equal(get(self, 1), "main");
	comm_cache_note(cache, self, self + 1, "a thread");
	assert_string_equal(get(self, 1), "main");
	comm_cache_note(cache, self, self, "changed");
	assert_string_equal(get(self, 1), "changed");
}

TEST_GROUP(comm_cache, .each_setup = setup, .each_teardown = teardown);
