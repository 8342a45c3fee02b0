/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <sys/prctl.h>
#include <unistd.h>

#include "task/comm_cache.h"

static struct comm_cache cache;

static void test_reads_once_and_again(void **state)
{
	pid_t self = getpid();

	(void)state;
	prctl(PR_SET_NAME, "first");
	assert_string_equal(comm_cache_get(&cache, self, 100), "first");
	prctl(PR_SET_NAME, "second");
	assert_string_equal(comm_cache_get(&cache, self, 101), "first");
	assert_string_equal(comm_cache_get(&cache, self, 103), "second");
}

/* A task that is gone keeps the name it had. */
static void test_keeps_the_dead(void **state)
{
	pid_t dead = 0x3fffffff;	/* over any pid_max */

	(void)state;
	assert_string_equal(comm_cache_get(&cache, dead, 100), "");
	cache.entries[dead % COMM_CACHE_SIZE].comm[0] = 'x';
	assert_string_equal(comm_cache_get(&cache, dead, 200), "x");
}

static void test_is_sanitized(void **state)
{
	pid_t self = getpid();

	(void)state;
	prctl(PR_SET_NAME, "a\033[2Jb");
	assert_string_equal(comm_cache_get(&cache, self, 500), "a?[2Jb");
}

static void test_idle(void **state)
{
	(void)state;
	assert_string_equal(comm_cache_get(&cache, 0, 1), "swapper");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_reads_once_and_again),
	cmocka_unit_test(test_keeps_the_dead),
	cmocka_unit_test(test_is_sanitized),
	cmocka_unit_test(test_idle),
};

TEST_GROUP(comm_cache, tests, NULL, NULL);
