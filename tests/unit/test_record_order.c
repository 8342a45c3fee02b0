/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>

#include "perf/abi/record.h"
#include "resolve/digest.h"

/* Add a sample with a time; it is identified by its id. */
static void add_to(struct record_order *o, uint32_t slot, uint64_t time,
		   uint64_t id)
{
	uint64_t record[RECORD_SAMPLE_FIXED / 8] = {
		PERF_RECORD_SAMPLE | (uint64_t)sizeof(record) << 48,
		[RECORD_SAMPLE_ID / 8] = id,
		[RECORD_SAMPLE_TIME / 8] = time,
	};
	const struct queued head = {
		.size = sizeof(record), .weight = 1, .slot = slot,
	};

	assert_int_equal(record_order_add(o, &head, record), 0);
}

static void add_sample(struct record_order *o, uint64_t time, uint64_t id)
{
	add_to(o, 0, time, id);
}

/* Add a COMM with the time in its trailer. */
static void add_comm(struct record_order *o, uint64_t time)
{
	uint64_t record[8] = {
		PERF_RECORD_COMM | (uint64_t)sizeof(record) << 48,
		[8 - RECORD_TRAILER_TIME / 8] = time,
	};
	const struct queued head = { .size = sizeof(record) };

	assert_int_equal(record_order_add(o, &head, record), 0);
}

/*
 * Take a record; returns the id of a sample, 0 for a side-band record, -1 for
 * none.
 */
static int take(struct record_order *o, uint64_t before)
{
	const struct held_record *held = record_order_take(o, before);

	if (!held)
		return -1;
	return held->head.weight ? (int)held->record[1] : 0;
}

TEST(earlier_times_come_first)
{
	struct record_order o = { 0 };

	add_sample(&o, 300, 3);
	add_sample(&o, 100, 1);
	add_comm(&o, 50);
	add_sample(&o, 200, 2);
	assert_int_equal(take(&o, UINT64_MAX), 0);
	assert_int_equal(take(&o, UINT64_MAX), 1);
	assert_int_equal(take(&o, UINT64_MAX), 2);
	assert_int_equal(take(&o, UINT64_MAX), 3);
	assert_int_equal(take(&o, UINT64_MAX), -1);
	record_order_free(&o);
}

TEST(equal_times_keep_their_order)
{
	struct record_order o = { 0 };

	for (uint64_t id = 1; id <= 100; id++)
		add_sample(&o, 7, id);
	for (int id = 1; id <= 100; id++)
		assert_int_equal(take(&o, 8), id);
	record_order_free(&o);
}

TEST(slots_are_merged)
{
	struct record_order o = { 0 };

	add_to(&o, 70, 30, 3);
	add_to(&o, 70, 60, 6);
	add_to(&o, 2, 20, 2);
	add_to(&o, 2, 40, 4);
	add_to(&o, 5, 50, 5);
	add_to(&o, 5, 10, 1);	/* out of order */
	assert_int_equal(take(&o, 100), 1);
	assert_int_equal(take(&o, 100), 2);
	add_to(&o, 9, 35, 7);
	add_to(&o, 5, 70, 8);
	assert_int_equal(take(&o, 100), 3);
	assert_int_equal(take(&o, 100), 7);
	assert_int_equal(take(&o, 100), 4);
	assert_int_equal(take(&o, 100), 5);
	assert_int_equal(take(&o, 100), 6);
	assert_int_equal(take(&o, 100), 8);
	assert_int_equal(take(&o, 100), -1);
	record_order_free(&o);
}

TEST(what_is_not_ripe_stays)
{
	struct record_order o = { 0 };

	add_sample(&o, 100, 1);
	add_sample(&o, 200, 2);
	assert_int_equal(take(&o, 100), -1);
	assert_int_equal(take(&o, 101), 1);
	assert_int_equal(take(&o, 101), -1);
	record_order_free(&o);
}

/* Many records in random order, from many slots: they come out sorted. */
TEST(many_are_sorted)
{
	enum { MANY = 5000, SLOTS = 40 };
	struct record_order o = { 0 };
	const struct held_record *held;
	uint64_t last = 0;

	srand(1);
	for (int i = 0; i < MANY; i++)
		add_to(&o, (uint32_t)rand() % SLOTS,
		       1 + (uint64_t)rand() % 1000, 1);
	for (int i = 0; i < MANY; i++) {
		held = record_order_take(&o, UINT64_MAX);
		assert_non_null(held);
		assert_true(held->time >= last);
		last = held->time;
	}
	assert_int_equal(take(&o, UINT64_MAX), -1);
	record_order_free(&o);
}

/*
 * The number of bytes is the memory in use: that of records and what each needs
 * in addition; both are given back.
 */
TEST(memory_is_counted_and_given_back)
{
	enum { MANY = 20000, LEAST = 1 << 19 };
	struct record_order o = { 0 };
	size_t full;

	for (uint64_t i = 1; i <= MANY; i++)
		add_to(&o, (uint32_t)i % 3, i, i);
	full = o.bytes;
	assert_true(full >= (sizeof(struct held_record) +
			     RECORD_SAMPLE_FIXED) * MANY);
	assert_true(full <= 2 * (sizeof(struct held_record) +
				 RECORD_SAMPLE_FIXED) * MANY);
	for (int i = 1; i <= MANY; i++)
		assert_int_equal(take(&o, UINT64_MAX), i);
	assert_int_equal(take(&o, UINT64_MAX), -1);
	assert_true(o.bytes <= LEAST);
	/* and used again */
	for (uint64_t i = 1; i <= 10 * MANY; i++) {
		add_sample(&o, i, 1);
		assert_int_equal(take(&o, UINT64_MAX), 1);
	}
	assert_true(o.bytes <= LEAST);
	record_order_free(&o);
	assert_int_equal(o.bytes, 0);
}

/* A record that was taken stays valid while others are added. */
TEST(the_taken_one_lives_until_the_next)
{
	struct record_order o = { 0 };
	const struct held_record *held;

	add_sample(&o, 1, 77);
	held = record_order_take(&o, UINT64_MAX);
	for (uint64_t i = 0; i < 5000; i++)
		add_sample(&o, 2, 5);
	assert_int_equal(held->record[RECORD_SAMPLE_ID / 8], 77);
	assert_int_equal(take(&o, UINT64_MAX), 5);
	record_order_free(&o);
}

TEST(a_record_may_be_as_long_as_its_header_says)
{
	enum { LONGEST = UINT16_MAX - 7 };
	static uint64_t record[LONGEST / 8] = {
		PERF_RECORD_SAMPLE | (uint64_t)LONGEST << 48,
		[RECORD_SAMPLE_TIME / 8] = 5,
		[LONGEST / 8 - 1] = 99,
	};
	const struct queued head = { .size = LONGEST, .weight = 1 };
	const struct held_record *held;
	struct record_order o = { 0 };

	for (int i = 0; i < 3; i++)
		assert_int_equal(record_order_add(&o, &head, record), 0);
	for (int i = 0; i < 3; i++) {
		held = record_order_take(&o, 6);
		assert_non_null(held);
		assert_int_equal(held->record[LONGEST / 8 - 1], 99);
	}
	record_order_free(&o);
}

/* A record too short to have a time is taken at once. */
TEST(a_record_without_time_is_first)
{
	uint64_t record = PERF_RECORD_SAMPLE | UINT64_C(8) << 48;
	const struct queued head = { .size = sizeof(record), .weight = 1 };
	struct record_order o = { 0 };
	const struct held_record *held;

	add_sample(&o, 1, 5);
	assert_int_equal(record_order_add(&o, &head, &record), 0);
	held = record_order_take(&o, 1);
	assert_non_null(held);
	assert_int_equal(held->head.size, 8);
	record_order_free(&o);
}

/* A record whose time would be beyond its size has no time. */
TEST(a_time_beyond_the_record_is_none)
{
	uint64_t record[2] = { PERF_RECORD_SAMPLE | UINT64_C(64) << 48, 7 };
	const struct queued head = { .size = sizeof(record), .weight = 1 };
	struct record_order o = { 0 };
	const struct held_record *held;

	assert_int_equal(record_order_add(&o, &head, record), 0);
	held = record_order_take(&o, 1);
	assert_non_null(held);
	assert_int_equal(held->time, 0);
	record_order_free(&o);
}

/* No time is later than UINT64_MAX: it is never taken, but is freed. */
TEST(the_last_moment_is_never_ripe)
{
	struct record_order o = { 0 };

	add_sample(&o, UINT64_MAX, 1);
	assert_int_equal(take(&o, UINT64_MAX), -1);
	record_order_free(&o);
}

TEST_GROUP(record_order);
