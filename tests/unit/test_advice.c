/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "ring/advice.h"

/* A ring of 512K, woken at half, without special conditions. */
static struct advice_input usual(void)
{
	return (struct advice_input){
		.size = 512 << 10,
		.page_size = 4096,
		.peak = 300 << 10,
		.burst_bytes_per_s = 4 << 20,
		.worst_gap = 0.1,
		.watermark = 256 << 10,
	};
}

TEST(test_grow)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 1234;
	in.peak = in.size;
	in.burst_bytes_per_s = 8 << 20;
	in.worst_gap = 0.21;
	advice_make(&in, &out);
	assert_true(out.valid);
	/* 8388608 x 0.21, rounded up; half of it comes before the wakeup */
	assert_int_equal(out.need, 2 * 1761608);
	assert_int_equal(out.pages, 1024);
	assert_string_equal(out.text, "grow to -m 1024: 2 x burst 8M/s x "
			    "gap 210ms = 3.4M");
	assert_non_null(strstr(out.reason, "1,234 records lost"));
	assert_int_equal(out.verdict, VERDICT_TOO_SMALL);
	/* woken at 128K, it has to hold what came after rbtop was woken */
	assert_string_equal(out.setting, "perf record -m 1024");
	in.watermark = 128 << 10;
	advice_make(&in, &out);
	assert_string_equal(out.text, "grow to -m 1024: 1.3 x burst 8M/s x "
			    "gap 210ms = 2.2M");
	in.worst_gap = 0.001;
	advice_make(&in, &out);
	/* not less than for rbtop's own reader */
	assert_int_equal(out.pages, 256);
	assert_string_equal(out.setting, "perf record -m 256");
	assert_string_equal(out.perf_reason, "as much as rbtop's reader needs");
	in.lost = 0;
	advice_make(&in, &out);
	/* twice 8M/s for 10 ms */
	assert_string_equal(out.setting, "perf record -m 64");
	in.burst_bytes_per_s = 100;
	advice_make(&in, &out);
	assert_string_equal(out.setting, "perf record -m 8");
	/* what came in 10 ms, by the records' own times, counts alone */
	in.burst = 100 << 10;
	advice_make(&in, &out);
	assert_string_equal(out.setting, "perf record -m 64");
	assert_string_equal(out.perf_reason, "twice the 100K that came in "
			    "10ms");
	in.burst_bytes_per_s = 8 << 20;
	in.worst_gap = 0.1;
	advice_make(&in, &out);
	assert_string_equal(out.setting, "perf record -m 64");
	/* a thread waited for a CPU: as much may come all that time */
	in.ordinary_wait = 0.035;
	advice_make(&in, &out);
	assert_string_equal(out.setting, "perf record -m 256");
	assert_string_equal(out.perf_reason, "twice the 350K that may come in "
			    "35ms");
	in.ordinary_wait = 100;
	advice_make(&in, &out);
	assert_string_equal(out.setting, "perf record -m 4096");
	assert_string_equal(out.perf_reason, "");
	in.ordinary_wait = 0;
	in.burst = 0;
	in.burst_bytes_per_s = 100;
	/* the burst of a small ring is no more than the ring */
	in.bytes_per_s = 28 << 20;
	advice_make(&in, &out);
	assert_string_equal(out.setting, "perf record -m 256");
}

/* A reader without realtime priority, as perf's, may have to wait. */
TEST(test_ordinary_reader)
{
	struct advice_input in = usual();
	struct advice out;

	in.size = 4096;
	in.watermark = 2048;
	in.lost = 7;
	in.burst_bytes_per_s = 10 << 20;
	in.worst_gap = 0.001;
	in.bytes_per_s = 40 << 20;
	advice_make(&in, &out);
	assert_string_equal(out.text, "grow to -m 8: 2 x burst 10M/s x gap "
			    "1ms = 20.5K");
	in.ordinary = true;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 256);
	assert_int_equal(out.perf_pages, 256);
	assert_string_equal(out.text, "grow to -m 256: 2 x 40M/s x the 10ms "
			    "that its reader may wait for a CPU");
	/* also where the burst fits */
	in.size = 32 << 10;
	in.watermark = 16 << 10;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 256);
}

TEST(test_grow_counts_pages_of_64k)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 1;
	in.page_size = 64 << 10;
	in.burst_bytes_per_s = 8 << 20;
	in.worst_gap = 0.21;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 64);
}

TEST(test_lost_though_it_fits)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = 5;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 256);
	assert_string_equal(out.text,
			    "wake earlier (--watermark 25%) or grow to -m "
			    "256: lost, although burst 4M/s x gap 100ms = "
			    "410K fits 512K");
	assert_non_null(strstr(out.reason, "woken at 256K of 512K"));
	in.watermark = 64 << 10;
	advice_make(&in, &out);
	assert_string_equal(out.text, "grow to -m 256: lost, although burst "
				      "4M/s x gap 100ms = 410K fits "
				      "512K");
}

TEST(test_tight)
{
	struct advice_input in = usual();
	struct advice out;

	in.peak = 480 << 10;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 256);
	assert_string_equal(out.text, "grow to -m 256: peak 93% of 512K");
	assert_int_equal(out.verdict, VERDICT_TIGHT);
}

TEST(test_fits)
{
	struct advice_input in = usual();
	struct advice out;

	advice_make(&in, &out);
	assert_int_equal(out.pages, 128);
	assert_string_equal(out.text, "fits so far: peak 58% of 512K");
	assert_int_equal(out.verdict, VERDICT_OK);
	/* No smaller ring, though the peak would allow it: the gap does not. */
	in.peak = 1 << 10;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 128);
}

TEST(test_shrink)
{
	struct advice_input in = usual();
	struct advice out;

	in.peak = 30 << 10;
	in.burst_bytes_per_s = 100 << 10;
	in.watched = 60;
	in.drains = 20;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 16);	/* twice the peak: 60K */
	assert_string_equal(out.text, "could shrink to -m 16: peak 30K, "
				      "burst 100K/s x gap 100ms = 10K");
	in.peak = 100;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 8);
	/* Not after a short time. */
	in.watched = 59;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 128);
	assert_memory_equal(out.text, "fits so far: peak", 17);
	in.watched = 60;
	in.drains = 19;
	advice_make(&in, &out);
	assert_int_equal(out.pages, 128);
}

static void check_none(const struct advice_input *in, const char *why)
{
	struct advice out;

	advice_make(in, &out);
	assert_false(out.valid);
	assert_string_equal(out.text, "");
	assert_non_null(strstr(out.reason, why));
}

TEST(test_none)
{
	struct advice_input in = usual();

	in.overwrite = true;
	check_none(&in, "overwrite");
	in = usual();
	in.worst_gap = 0;
	check_none(&in, "two drains");
	in = usual();
	in.burst_bytes_per_s = 0;
	check_none(&in, "too early");
	in = usual();
	in.size = 0;
	check_none(&in, "no size");
}

TEST(test_absurd_rates)
{
	struct advice_input in = usual();
	struct advice out;

	in.lost = UINT64_MAX;
	in.burst_bytes_per_s = 1e300;
	in.worst_gap = 1e9;
	advice_make(&in, &out);
	assert_true(out.valid);
	assert_int_equal(out.need, 1ULL << 60);
	assert_int_equal(out.pages, 1ULL << 48);
}

/* The largest of all rings, and the ring that needs it. */
TEST(test_all)
{
	struct advice all = { 0 }, one = { .valid = true, .perf_pages = 32 };

	advice_all_end(&all);
	assert_false(all.valid);
	one.pages = 8;
	advice_all_add(&all, &one, 128, "CPU 0");
	advice_all_end(&all);
	assert_int_equal(all.pages, 0);
	assert_string_equal(all.text, "all rings fit so far");
	assert_string_equal(all.setting, "perf record -m 32");
	one.pages = 512;
	one.perf_pages = 1024;
	advice_all_add(&all, &one, 128, "CPU 1");
	one.pages = 256;
	one.perf_pages = 256;
	advice_all_add(&all, &one, 128, "CPU 2");
	/* of two that need the same size, the one that needs more of it */
	one.pages = 512;
	one.need = 2 << 20;
	advice_all_add(&all, &one, 128, "CPU 5");
	one.need = 1 << 20;
	advice_all_add(&all, &one, 128, "CPU 6");
	one.valid = false;
	one.pages = 4096;
	advice_all_add(&all, &one, 128, "CPU 3");
	advice_all_end(&all);
	assert_int_equal(all.pages, 512);
	assert_string_equal(all.text, "grow all rings to -m 512: CPU 5 needs "
				      "it");
	assert_string_equal(all.setting, "perf record -m 1024");
	/* each ring names its own size, and then the one to set */
	one = (struct advice){ .valid = true, .pages = 256 };
	strcpy(one.text, "grow to -m 256: 2 x 500K");
	advice_all_apply(&all, &one);
	assert_string_equal(one.text, "grow to -m 256: 2 x 500K; CPU 5 needs "
				      "-m 512");
	assert_string_equal(one.setting, "perf record -m 1024");
	one.pages = 512;
	strcpy(one.text, "grow to -m 512");
	advice_all_apply(&all, &one);
	assert_string_equal(one.text, "grow to -m 512");
}

/* The advice is in pages of -m, with how long such a ring lasts. */
TEST(test_aux)
{
	struct advice_aux_input in = {
		.size = 1 << 20, .page_size = 4096, .truncated = 1,
		.bytes_per_s = 4 << 20,
	};
	char text[112];

	advice_make_aux(&in, text, sizeof(text));
	assert_string_equal(text, "grow to -m ,512: full 1 time; 1M lasts "
				  "250ms at 4M/s");
	in.bytes_per_s = 0;
	in.truncated = 12;
	advice_make_aux(&in, text, sizeof(text));
	assert_string_equal(text, "grow to -m ,512: full 12 times");
	in.truncated = 0;
	advice_make_aux(&in, text, sizeof(text));
	assert_string_equal(text, "");
}

TEST_GROUP(advice);
