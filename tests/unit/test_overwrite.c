/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "collect/drain/drain.h"
#include "fake_ring.h"

/* The kernel writes backward: a record ends where the older one begins. */
static void put_backward(struct fake_ring *f, uint16_t size, uint64_t time)
{
	uint64_t at = f->head - size;

	fake_ring_word(f, at, PERF_RECORD_SAMPLE | (uint64_t)size << 48);
	fake_ring_word(f, at + RECORD_SAMPLE_TIME, time);
	f->head = at;
	f->ring.page->data_head = at;
}

static void init(struct fake_ring *f)
{
	fake_ring_init(f, 4096);
	f->ring.overwrite = true;
}

TEST(an_empty_ring_holds_nothing)
{
	struct ring_overwrite got = { 0 };
	struct fake_ring f;

	init(&f);
	overwrite_walk(&f.ring, 5000, &got);
	assert_true(got.valid);
	assert_int_equal(got.records, 0);
	assert_true(got.oldest == 0);
	fake_ring_free(&f);
}

TEST(newest_comes_first)
{
	struct ring_overwrite got = { 0 };
	struct fake_ring f;

	init(&f);
	put_backward(&f, 56, 1000000000);
	put_backward(&f, 104, 2000000000);
	put_backward(&f, 56, 3000000000);
	overwrite_walk(&f.ring, 4000000000, &got);
	assert_int_equal(got.records, 3);
	assert_int_equal(got.types[RECORD_SAMPLE], 3);
	assert_true(got.newest == 1.0);
	assert_true(got.oldest == 3.0);
	assert_true(got.at == 4.0);
	fake_ring_free(&f);
}

TEST(a_record_half_overwritten_is_dropped)
{
	struct ring_overwrite got = { 0 };
	struct fake_ring f;

	init(&f);
	/* 4096 = 39 * 104 + 40: the 40th record overlaps the first */
	for (uint64_t i = 1; i <= 100; i++)
		put_backward(&f, 104, i * 1000000000);
	overwrite_walk(&f.ring, 100000000000, &got);
	assert_int_equal(got.records, 39);
	assert_true(got.newest == 0);
	assert_true(got.oldest == 38.0);
	fake_ring_free(&f);
}

TEST(a_lying_size_ends_the_walk)
{
	struct ring_overwrite got = { 0 };
	struct fake_ring f;

	init(&f);
	put_backward(&f, 56, 1);
	put_backward(&f, 56, 2);
	fake_ring_word(&f, f.head + 56, PERF_RECORD_SAMPLE | 13ull << 48);
	overwrite_walk(&f.ring, 3, &got);
	assert_int_equal(got.records, 1);
	fake_ring_free(&f);
}

TEST_GROUP(overwrite);
