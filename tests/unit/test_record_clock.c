/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "base/sys.h"
#include "perf/abi/perf_clock.h"

#define SECOND INT64_C(1000000000)

static struct record_clock clock_of(bool unknown)
{
	struct perf_clock clock = { .unknown = unknown };
	struct record_clock c;

	record_clock_init(&c, &clock);
	return c;
}

/* How far it is ahead of our clock; time passes during the call. */
static int64_t ahead(const struct record_clock *c)
{
	return (int64_t)(record_clock_now(c) - sys_now_ns());
}

static void assert_about(int64_t value, int64_t expected)
{
	assert_in_range(value + 1000 * SECOND, expected + 996 * SECOND,
			expected + 1004 * SECOND);
}

TEST(a_known_clock_is_read)
{
	struct record_clock c = clock_of(false);

	record_clock_seen(&c, sys_now_ns() + 100 * SECOND);
	assert_about(ahead(&c), 0);
}

TEST(records_tell_of_an_unknown_one)
{
	struct record_clock c = clock_of(true);

	assert_about(ahead(&c), 0);
	record_clock_seen(&c, 0);
	assert_about(ahead(&c), 0);
	record_clock_seen(&c, sys_now_ns() + 100 * SECOND);
	assert_about(ahead(&c), 100 * SECOND);
	/* a record that was seen late changes nothing */
	record_clock_seen(&c, sys_now_ns() + 90 * SECOND);
	assert_about(ahead(&c), 100 * SECOND);
	record_clock_seen(&c, sys_now_ns() + 110 * SECOND);
	assert_about(ahead(&c), 110 * SECOND);
}

TEST(it_may_be_behind)
{
	struct record_clock c = clock_of(true);

	record_clock_seen(&c, sys_now_ns() - 5 * SECOND);
	assert_about(ahead(&c), -5 * SECOND);
}

/* A clock that is slower than ours is followed slowly. */
TEST(what_was_learnt_long_ago_is_taken_back)
{
	struct record_clock c = clock_of(true);
	int64_t before;

	record_clock_seen(&c, sys_now_ns() + 100 * SECOND);
	before = atomic_load(&c.ahead);
	atomic_store(&c.learnt, atomic_load(&c.learnt) - 2 * SECOND);
	record_clock_seen(&c, sys_now_ns() + 50 * SECOND);
	assert_int_equal(atomic_load(&c.ahead), before - 200000);
	/* not again right away */
	record_clock_seen(&c, sys_now_ns() + 50 * SECOND);
	assert_int_equal(atomic_load(&c.ahead), before - 200000);
}

TEST_GROUP(record_clock);
