/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/host_advice.h"

/* 512K, woken at a quarter, seen to be drained between any two looks. */
static struct host_advice_input usual(void)
{
	return (struct host_advice_input){
		.size = 512 << 10,
		.page_size = 4096,
		.peak = 300 << 10,
		.burst_bytes_per_s = 4 << 20,
		.look_interval = 0.1,
		.watermark = 128 << 10,
	};
}

static void check(const struct host_advice_input *in, const char *text,
		  const char *reason)
{
	struct advice out;

	host_advice_make(in, &out);
	assert_true(out.valid);
	assert_string_equal(out.text, text);
	assert_string_equal(out.reason, reason);
}

static void test_grow(void **state)
{
	struct host_advice_input in = usual();
	struct advice out;

	(void)state;
	in.lost = 1234;
	in.peak = in.size;
	in.burst_bytes_per_s = 8 << 20;
	in.worst_gap = 0.21;
	host_advice_make(&in, &out);
	assert_int_equal(out.need, 1761608);	/* 8388608 x 0.21, up */
	assert_int_equal(out.pages, 512);
	assert_true(out.worst_gap > 0.2 && out.worst_gap < 0.22);
	check(&in, "grow to 512 pages (2M): burst >= 8M/s x gap <= 210ms = "
	      "1.7M", "1234 records lost: more came before its owner drained "
	      "it than the ring's 512K");
}

static void test_pages_of_64k(void **state)
{
	struct host_advice_input in = usual();
	struct advice out;

	(void)state;
	in.lost = 1;
	in.page_size = 64 << 10;
	in.burst_bytes_per_s = 8 << 20;
	in.worst_gap = 0.21;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 32);
	assert_non_null(strstr(out.text, "32 pages (2M)"));
}

/* Lost although it drained between any two looks. */
static void test_lost_between_looks(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.lost = 5;
	in.burst_bytes_per_s = 80 << 20;
	check(&in, "grow to 256 pages (1M): lost in a gap of 100ms or less",
	      "5 records lost in bursts too short to be seen; burst >= 80M/s "
	      "x gap <= 100ms = 8M");
	in.watermark = 256 << 10;
	check(&in, "wake earlier or grow to 256 pages (1M): lost in a gap of "
	      "100ms or less", "5 records lost in bursts too short to be "
	      "seen: woken at 256K of 512K, the owner came too late");
}

/* Lost although what came in the gap that was seen would have fitted. */
static void test_lost_though_it_fits(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.lost = 5;
	in.worst_gap = 0.1;
	check(&in, "grow to 256 pages (1M): lost in a gap of 100ms or less",
	      "5 records lost in bursts too short to be seen; burst >= 4M/s x "
	      "gap <= 100ms = 410K");
}

static void test_tight(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.peak = 480 << 10;
	check(&in, "grow to 256 pages (1M): peak >= 93% of 512K",
	      "nothing lost, but at its fullest the ring had less than a "
	      "quarter to spare");
	in.ringbuf = true;
	check(&in, "grow to 1M: peak >= 93% of 512K", "a BPF ring buffer does "
	      "not count losses, and at its fullest the ring had less than a "
	      "quarter to spare");
}

static void test_fits(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	check(&in, "fits: peak >= 58% of 512K", "nothing lost; at most "
	      "between two drains: burst >= 4M/s x gap <= 100ms = 410K");
	/* Not smaller, though the peak that was seen would allow it. */
	in.peak = 1 << 10;
	check(&in, "fits: peak >= 0.1% of 512K", "nothing lost; at most "
	      "between two drains: burst >= 4M/s x gap <= 100ms = 410K");
}

static void test_shrink(void **state)
{
	struct host_advice_input in = usual();
	struct advice out;

	(void)state;
	in.peak = 30 << 10;
	in.burst_bytes_per_s = 100 << 10;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 16);	/* twice the peak: 60K */
	check(&in, "could shrink to 16 pages (64K): peak >= 30K, burst >= "
	      "100K/s x gap <= 100ms = 10K", "holds the most that can have "
	      "waited between two drains, and twice the peak that was seen");
}

static void check_none(const struct host_advice_input *in, const char *why)
{
	struct advice out;

	host_advice_make(in, &out);
	assert_false(out.valid);
	assert_string_equal(out.text, "");
	assert_non_null(strstr(out.reason, why));
}

static void test_none(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.overwrite = true;
	check_none(&in, "overwrite");
	in = usual();
	in.look_interval = 0;
	check_none(&in, "too early");
	in = usual();
	in.burst_bytes_per_s = 0;
	check_none(&in, "too early");
	in = usual();
	in.size = 0;
	check_none(&in, "size is not known");
}

static void test_absurd_rates(void **state)
{
	struct host_advice_input in = usual();
	struct advice out;

	(void)state;
	in.lost = UINT64_MAX;
	in.burst_bytes_per_s = 1e300;
	in.worst_gap = 1e9;
	host_advice_make(&in, &out);
	assert_true(out.valid);
	assert_int_equal(out.need, 1ULL << 60);
	assert_int_equal(out.pages, 1ULL << 48);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grow),
		cmocka_unit_test(test_pages_of_64k),
		cmocka_unit_test(test_lost_between_looks),
		cmocka_unit_test(test_lost_though_it_fits),
		cmocka_unit_test(test_tight),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_shrink),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_absurd_rates),
	};

	return cmocka_run_group_tests_name("host_advice", tests, NULL, NULL);
}
