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

/* Nobody saw the gap; twice the size at least, the product at most. */
static void test_grow(void **state)
{
	struct host_advice_input in = usual();
	struct advice out;

	(void)state;
	in.size = 16 << 10;
	in.watermark = 4 << 10;
	in.lost = 1234;
	in.burst_bytes_per_s = 225 << 20;
	in.look_interval = 0.073;
	host_advice_make(&in, &out);
	assert_int_equal(out.need, 17222861);	/* 235929600 x 0.073 */
	assert_int_equal(out.pages, 8192);
	check(&in, "grow to 8 pages (32K) at least; 8192 pages (32M) would do: "
	      "burst >= 225M/s x gap <= 73ms = 16.4M", "1234 records lost: "
	      "more came before its owner drained it than the ring's 16K");
	in.unsized = true;
	check(&in, "grow to 8 pages (32K) at least; 8192 pages (32M) would do: "
	      "burst >= 225M/s x gap <= 73ms = 16.4M, without what was lost",
	      "1234 records lost: more came before its owner drained it than "
	      "the ring's 16K");
}

/* A gap that was seen, and is no longer than twice the size takes. */
static void test_grow_to_twice(void **state)
{
	struct host_advice_input in = usual();
	struct advice out;

	(void)state;
	in.lost = 1;
	in.burst_bytes_per_s = 4 << 20;
	in.worst_gap = 0.21;
	host_advice_make(&in, &out);
	assert_int_equal(out.need, 880804);	/* 4194304 x 0.21, up */
	assert_int_equal(out.pages, 256);
	check(&in, "grow to 256 pages (1M): burst >= 4M/s x gap <= 210ms = "
	      "860K", "1 record lost: more came before its owner drained it "
	      "than the ring's 512K");
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
	assert_non_null(strstr(out.text, "grow to 16 pages (1M) at least; 32 "
			       "pages (2M) would do"));
}

/* A BPF ring buffer's size is in bytes. */
static void test_ringbuf(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.lost = 2;
	in.ringbuf = true;
	in.watermark = 0;
	in.burst_bytes_per_s = 80 << 20;
	check(&in, "grow to 1M at least; 8M would do: burst >= 80M/s x gap <= "
	      "100ms = 8M", "2 records lost: more came before its owner "
	      "drained it than the ring's 512K");
}

/* More than the half may be lost before the owner is awake. */
static void test_wake_earlier(void **state)
{
	static const char plain[] = "grow to 256 pages (1M) at least; 2048 "
		"pages (8M) would do: burst >= 80M/s x gap <= 100ms = 8M";
	static const char why[] = "5 records lost: more came before its owner "
		"drained it than the ring's 512K";
	struct host_advice_input in = usual();

	(void)state;
	in.lost = 5;
	in.burst_bytes_per_s = 80 << 20;
	check(&in, plain, why);
	in.watermark = 256 << 10;
	check(&in, "wake earlier or grow to 256 pages (1M) at least; 2048 "
	      "pages (8M) would do: burst >= 80M/s x gap <= 100ms = 8M",
	      "5 records lost: woken at 256K of 512K, the owner came too late");
	/* It is woken by the number of records. */
	in.wakeup_events = 1;
	check(&in, plain, why);
	/* Or by each record, as large as it is. */
	in.wakeup_events = 0;
	in.record = in.watermark;
	check(&in, plain, why);
	in.record = 8192;
	/* It was woken, and was seen not to come. */
	in.worst_gap = 0.1;
	check(&in, plain, why);
	/* Twice is enough. */
	in.worst_gap = 0;
	in.burst_bytes_per_s = 8 << 20;
	check(&in, "wake earlier or grow to 256 pages (1M): burst >= 8M/s x "
	      "gap <= 100ms = 819K", "5 records lost: woken at 256K of 512K, "
	      "the owner came too late");
}

/* No more than a machine can spare for each CPU. */
static void test_cap(void **state)
{
	struct host_advice_input in = usual();
	struct advice out;

	(void)state;
	in.lost = 5;
	in.burst_bytes_per_s = 1e9;
	in.worst_gap = 20;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 65536);
	assert_int_equal(out.need, 256 << 20);
	check(&in, "grow to 256 pages (1M) at least; 65536 pages (256M) may "
	      "do: burst >= 954M/s x gap <= 20s = 18.6G", "5 records lost: "
	      "more came before its owner drained it than the ring's 512K");
	/* One that is that large already. */
	in.size = 256 << 20;
	in.watermark = 0;
	host_advice_make(&in, &out);
	assert_int_equal(out.pages, 131072);
	assert_int_equal(out.need, 512 << 20);
}

static void check_no_size(const struct host_advice_input *in, const char *text,
			  const char *reason)
{
	struct advice out;

	check(in, text, reason);
	host_advice_make(in, &out);
	assert_int_equal(out.pages, 0);
	assert_int_equal(out.need, 0);
}

/* Whatever was lost before: it is the owner that has to be looked after. */
static void test_stopped(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.lost = 5;
	in.stopped = true;
	in.undrained = 12;
	check_no_size(&in, "no size would do: its owner is stopped", "by "
		      "SIGSTOP, or by a debugger: until it goes on nobody "
		      "drains the ring");
	/* It was so when the watch began. */
	in.burst_bytes_per_s = 0;
	in.look_interval = 0;
	check_no_size(&in, "no size would do: its owner is stopped", "by "
		      "SIGSTOP, or by a debugger: until it goes on nobody "
		      "drains the ring");
}

static void test_undrained(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.lost = 5;
	in.burst_bytes_per_s = 0;
	in.undrained = 6;
	check_no_size(&in, "no size would do: its owner has not drained it "
		      "for 6s or more", "the ring is full, and what comes is "
		      "lost until its owner reads it");
}

static void test_behind(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.lost = 12198;
	in.behind = true;
	in.taken_per_s = 28 << 20;
	in.came_per_s = 40 << 20;
	in.lost_per_s = 1.2e6;
	check_no_size(&in, "its owner does not keep up: it takes 28M/s, at "
		      "least 40M/s come; a larger ring only delays that",
		      "12198 records lost; it is nearly full at most looks, "
		      "though it is drained");
	in.unsized = true;
	check_no_size(&in, "its owner does not keep up: it takes 28M/s, and "
		      "1.20M records/s are lost; a larger ring only delays "
		      "that", "12198 records lost; it is nearly full at most "
		      "looks, though it is drained");
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

/* Not where records were lost, if by no fault of the size. */
static void test_excused(void **state)
{
	struct host_advice_input in = usual();

	(void)state;
	in.excused = true;
	in.peak = 30 << 10;
	in.burst_bytes_per_s = 100 << 10;
	check(&in, "fits: peak >= 5.8% of 512K", "nothing else lost; at most "
	      "between two drains: burst >= 100K/s x gap <= 100ms = 10K");
	in.peak = 480 << 10;
	check(&in, "grow to 256 pages (1M): peak >= 93% of 512K", "nothing "
	      "else lost, but at its fullest the ring had less than a quarter "
	      "to spare");
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
	check_none(&in, "too early: nothing came");
	in = usual();
	in.burst_bytes_per_s = 0;
	check_none(&in, "too early: nothing came");
	in.undrained = 4.9;
	in.peak = 500 << 10;
	check_none(&in, "too early: it is nearly full, and was not drained");
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
	assert_int_equal(out.need, 256 << 20);
	assert_int_equal(out.pages, 65536);
	assert_int_equal(strlen(out.text) < sizeof(out.text) - 1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grow),
		cmocka_unit_test(test_grow_to_twice),
		cmocka_unit_test(test_pages_of_64k),
		cmocka_unit_test(test_ringbuf),
		cmocka_unit_test(test_wake_earlier),
		cmocka_unit_test(test_cap),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_undrained),
		cmocka_unit_test(test_behind),
		cmocka_unit_test(test_lost_though_it_fits),
		cmocka_unit_test(test_tight),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_shrink),
		cmocka_unit_test(test_excused),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_absurd_rates),
	};

	return cmocka_run_group_tests_name("host_advice", tests, NULL, NULL);
}
