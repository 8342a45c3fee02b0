/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>
#include <time.h>

#include "base/times.h"

#define SECOND	UINT64_C(1000000000)
#define MS	UINT64_C(1000000)

/* 2023-11-14 22:13:20 UTC, 100 s after the machine was started. */
#define WALL	(1700000000 * SECOND)
#define BOOT	(WALL - 100 * SECOND)

static struct times running(void)
{
	struct times t = { .nr = 0 };

	times_read(&t, 100 * SECOND, WALL);
	times_read(&t, 101 * SECOND, WALL + SECOND);
	return t;
}

TEST(nothing_known)
{
	const struct times t = { .nr = 0 };
	char buf[32];

	assert_int_equal(times_wall(&t, 5), 5);
	assert_int_equal(times_kernel(&t, 5), 5);
	assert_string_equal(times_text(&t, TIMES_WALL, 61 * SECOND, 0, buf,
				       sizeof(buf)), "00:01:01");
}

TEST(both_ways)
{
	struct times t = running();

	assert_int_equal(times_wall(&t, 100 * SECOND + 1), WALL + 1);
	/* before the first reading, and after the last */
	assert_int_equal(times_wall(&t, SECOND), BOOT + SECOND);
	assert_int_equal(times_wall(&t, 500 * SECOND), BOOT + 500 * SECOND);
	for (uint64_t at = 0; at < 1000; at += 7)
		assert_int_equal(times_kernel(&t, times_wall(&t, at * SECOND)),
				 at * SECOND);
	/* before the machine was started */
	assert_int_equal(times_kernel(&t, BOOT - SECOND), 0);
	assert_int_equal(t.nr, 1);
}

/* Clocks that drift: the latest difference is that of all times. */
TEST(drift)
{
	struct times t = running();

	for (uint64_t s = 102; s < 1000; s++)
		times_read(&t, s * SECOND, BOOT + s * SECOND + (s - 101) * MS);
	assert_int_equal(t.nr, 1);
	assert_int_equal(times_wall(&t, 999 * SECOND),
			 BOOT + 999 * SECOND + 898 * MS);
	/* in their order */
	assert_true(times_wall(&t, 500 * SECOND) <
		    times_wall(&t, 500 * SECOND + 1));
}

/* The kernel's clock stands still in a suspend of an hour. */
TEST(suspend)
{
	struct times t = running();
	const uint64_t hour = 3600 * SECOND;

	times_read(&t, 102 * SECOND, BOOT + 102 * SECOND + hour);
	times_read(&t, 103 * SECOND, BOOT + 103 * SECOND + hour);
	assert_int_equal(t.nr, 2);
	/* what was before it stays where it was */
	assert_int_equal(times_wall(&t, 100 * SECOND), WALL);
	assert_int_equal(times_wall(&t, 103 * SECOND),
			 BOOT + 103 * SECOND + hour);
	assert_int_equal(times_kernel(&t, WALL), 100 * SECOND);
	/* a wall time in the suspend: when it began */
	assert_int_equal(times_kernel(&t, WALL + hour / 2), 101 * SECOND);
	assert_int_equal(times_kernel(&t, BOOT + 103 * SECOND + hour),
			 103 * SECOND);
}

/* The wall clock is set back by an hour. */
TEST(set_back)
{
	struct times t = running();
	const uint64_t hour = 3600 * SECOND;

	times_read(&t, 102 * SECOND, BOOT + 102 * SECOND - hour);
	assert_int_equal(times_wall(&t, 100 * SECOND), WALL);
	assert_int_equal(times_wall(&t, 102 * SECOND),
			 BOOT + 102 * SECOND - hour);
	/* a time that was shown twice is the later one */
	times_read(&t, 4000 * SECOND, BOOT + 4000 * SECOND - hour);
	assert_int_equal(times_kernel(&t, WALL), 3700 * SECOND);
}

TEST(many_steps)
{
	struct times t = running();

	for (uint64_t i = 2; i < 100; i++)
		times_read(&t, (100 + i) * SECOND, WALL + i * 60 * SECOND);
	assert_int_equal(t.nr, TIMES_SPANS);
	assert_int_equal(times_wall(&t, 199 * SECOND), WALL + 99 * 60 * SECOND);
	/* the oldest one known */
	assert_int_equal(times_wall(&t, 100 * SECOND),
			 WALL + 84 * 60 * SECOND - 84 * SECOND);
	/* steps of the wall clock, not of what is before them */
	assert_int_equal(times_wall(&t, 198 * SECOND), times_wall(&t, 199 *
			 SECOND) - SECOND);
	assert_int_equal(times_wall(&t, 198 * SECOND - 1),
			 WALL + 98 * 60 * SECOND - 1);
}

/* An estimate of perf's own clock that turns out to have been wrong. */
TEST(another_clock)
{
	struct times t = running();

	times_read(&t, 50 * SECOND, WALL + 2 * SECOND);
	assert_int_equal(times_wall(&t, 50 * SECOND), WALL + 2 * SECOND);
	assert_int_equal(times_wall(&t, 60 * SECOND), WALL + 12 * SECOND);
	assert_int_equal(t.nr, 1);
}

TEST(texts)
{
	struct times t = running();
	const uint64_t at = 123 * SECOND + 4567899;
	char buf[32], small[6];

	setenv("TZ", "UTC-2", 1);
	tzset();
	assert_string_equal(times_text(&t, TIMES_WALL, at, 6, buf,
				       sizeof(buf)), "00:13:43.004567");
	assert_string_equal(times_text(&t, TIMES_WALL, at, 0, buf,
				       sizeof(buf)), "00:13:43");
	assert_string_equal(times_text(&t, TIMES_KERNEL, at, 6, buf,
				       sizeof(buf)), "123.004567");
	assert_string_equal(times_text(&t, TIMES_KERNEL, at, 9, buf,
				       sizeof(buf)), "123.004567899");
	assert_string_equal(times_text(&t, TIMES_KERNEL, 0, 0, buf,
				       sizeof(buf)), "0");
	assert_string_equal(times_unix_text(&t, TIMES_WALL, 1700000023.25, 3,
					    buf, sizeof(buf)), "00:13:43.250");
	assert_string_equal(times_unix_text(&t, TIMES_KERNEL, 1700000023.25, 3,
					    buf, sizeof(buf)), "123.250");
	/* no room, no time */
	times_text(&t, TIMES_KERNEL, 123456789 * SECOND, 6, small,
		   sizeof(small));
	assert_string_equal(small, "12345");
	times_text(&t, TIMES_WALL, at, 6, small, sizeof(small));
	assert_string_equal(small, "-");
	times_unix_text(&t, TIMES_KERNEL, -1, 0, buf, sizeof(buf));
	assert_string_equal(buf, "0");
}

/* Of a recording: also times below a second, and in no time zone. */
TEST(elapsed)
{
	struct times t = { 0 };
	char buf[32];

	times_begin(&t, 5000 * SECOND);
	assert_string_equal(times_unix_text(&t, TIMES_WALL, 0.25, 3, buf,
					    sizeof(buf)), "00:00:00.250");
	assert_string_equal(times_unix_text(&t, TIMES_KERNEL, 0.25, 3, buf,
					    sizeof(buf)), "5000.250");
	assert_string_equal(times_unix_text(&t, TIMES_WALL, 3723, 0, buf,
					    sizeof(buf)), "01:02:03");
	assert_string_equal(times_text(&t, TIMES_WALL, 5061 * SECOND, 0, buf,
				       sizeof(buf)), "00:01:01");
}

static int group_setup(void **state)
{
	(void)state;
	setenv("TZ", "UTC0", 1);
	tzset();
	return 0;
}

TEST_GROUP(times, .setup = group_setup);
