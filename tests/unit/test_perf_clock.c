/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <pthread.h>

#include "base/sys.h"
#include "perf/abi/perf_clock.h"

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
#define HAS_COUNTER 1
#else
#define HAS_COUNTER 0
#endif

static void expect_monotonic(const struct perf_clock *clock)
{
	uint64_t before = sys_now_ns();
	uint64_t now = perf_clock_now(clock);
	uint64_t after = sys_now_ns();

	assert_in_range(now, before, after);
}

TEST(test_monotonic)
{
	const struct perf_clock clock = { 0 };

	expect_monotonic(&clock);
}

/* The kernel's page if it has no conversion (or in a guest). */
TEST(test_unknown)
{
	struct perf_event_mmap_page page = { .time_mult = 1 };
	struct perf_clock clock = perf_clock_of(&page);

	assert_true(clock.unknown);
	expect_monotonic(&clock);
}

/* With a factor of 0 only the offset remains. */
TEST(test_zero)
{
	struct perf_event_mmap_page page = {
		.cap_user_time_zero = 1,
		.time_zero = 0x123456789abcdef0,
		.time_shift = 31,
	};
	struct perf_clock clock = perf_clock_of(&page);

	if (!HAS_COUNTER) {
		assert_true(clock.unknown);
		return;
	}
	assert_false(clock.unknown);
	assert_int_equal(perf_clock_now(&clock), 0x123456789abcdef0);
}

/*
 * A shift lower by one is twice as fast.  A product with all 64 bits of the
 * counter would overflow.
 */
TEST(test_factors)
{
	struct perf_event_mmap_page one = {
		.cap_user_time_zero = 1, .time_mult = 1U << 31, .time_shift = 31,
	};
	struct perf_event_mmap_page two = one;
	struct perf_clock a = perf_clock_of(&one), b = perf_clock_of(&two);
	uint64_t before, twice, after;

	if (!HAS_COUNTER)
		skip();
	two.time_shift = 30;
	before = perf_clock_now(&a);
	twice = perf_clock_now(&b);
	after = perf_clock_now(&a);
	assert_true(before > 0);
	assert_in_range(twice, 2 * before, 2 * after + 1);
}

/* A 16-bit counter has wrapped; time_cycles shows how often. */
TEST(test_short_counter)
{
	struct perf_event_mmap_page page = {
		.cap_user_time_zero = 1,
		.cap_user_time_short = 1,
		.time_mult = 1,
		.time_cycles = 7ULL << 32,
		.time_mask = 0xffff,
	};
	struct perf_clock clock = perf_clock_of(&page);

	if (!HAS_COUNTER)
		skip();
	assert_in_range(perf_clock_now(&clock), 7ULL << 32,
			(7ULL << 32) + 0xffff);
}

TEST(test_conv)
{
	struct perf_event_mmap_page page = {
		.lock = 2,
		.cap_user_time_zero = 1,
		.time_shift = 31,
		.time_mult = 1234567,
		.time_zero = 99,
		.time_cycles = 1, /* unused without cap_user_time_short */
		.time_mask = 2,
	};
	struct perf_time_conv conv = perf_clock_conv(&page);

	assert_int_equal(conv.time_shift, 31);
	assert_int_equal(conv.time_mult, 1234567);
	assert_int_equal(conv.time_zero, 99);
	assert_true(conv.cap_user_time_zero);
	assert_false(conv.cap_user_time_short);
	assert_int_equal(conv.time_cycles, 0);
	assert_true(conv.time_mask == UINT64_MAX);
	page.cap_user_time_short = 1;
	conv = perf_clock_conv(&page);
	assert_true(conv.cap_user_time_short);
	assert_int_equal(conv.time_cycles, 1);
	assert_int_equal(conv.time_mask, 2);
}

/* A page whose update never ends: no conversion, and it does not hang. */
TEST(test_update_without_end)
{
	struct perf_event_mmap_page page = {
		.lock = 3, .cap_user_time_zero = 1, .time_mult = 5,
	};
	struct perf_time_conv conv = perf_clock_conv(&page);

	assert_false(conv.cap_user_time_zero);
	assert_int_equal(conv.time_mult, 0);
	assert_true(perf_clock_of(&page).unknown);
}

struct writer {
	struct perf_event_mmap_page page;
	int stop;
};

static void write_pair(struct writer *w, uint32_t value)
{
	__atomic_store_n(&w->page.lock, w->page.lock + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&w->page.time_mult, value, __ATOMIC_RELAXED);
	__atomic_store_n(&w->page.time_zero, value, __ATOMIC_RELAXED);
	__atomic_store_n(&w->page.lock, w->page.lock + 1, __ATOMIC_RELEASE);
}

static void *update(void *arg)
{
	struct writer *w = arg;

	for (uint32_t i = 1; !__atomic_load_n(&w->stop, __ATOMIC_RELAXED); i++)
		write_pair(w, i);
	return NULL;
}

/* The kernel updates both under the seqlock: they are read from one update. */
TEST(test_copy_is_of_one_update)
{
	struct writer w = { .page.cap_user_time_zero = 1 };
	pthread_t thread;
	int torn = 0, seen = 0;

	assert_int_equal(pthread_create(&thread, NULL, update, &w), 0);
	for (int i = 0; i < 200000 || seen == 0; i++) {
		struct perf_time_conv conv = perf_clock_conv(&w.page);

		seen += conv.time_mult != 0;
		torn += conv.time_mult != conv.time_zero;
	}
	__atomic_store_n(&w.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_int_equal(torn, 0);
	assert_true(seen > 0);
}

TEST_GROUP(perf_clock);
