/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "collect/record_order.h"
#include "perf/record.h"

/* A sample of a given time; its id tells it apart. */
static void add_sample(struct record_order *o, uint64_t time, uint64_t id)
{
	uint64_t record[RECORD_SAMPLE_FIXED / 8] = {
		PERF_RECORD_SAMPLE | (uint64_t)sizeof(record) << 48,
		[RECORD_SAMPLE_ID / 8] = id,
		[RECORD_SAMPLE_TIME / 8] = time,
	};
	const struct queued head = { .size = sizeof(record), .weight = 1 };

	assert_int_equal(record_order_add(o, &head, record), 0);
}

/* A COMM whose trailer says the time. */
static void add_comm(struct record_order *o, uint64_t time)
{
	uint64_t record[8] = {
		PERF_RECORD_COMM | (uint64_t)sizeof(record) << 48,
		[8 - RECORD_TRAILER_TIME / 8] = time,
	};
	const struct queued head = { .size = sizeof(record) };

	assert_int_equal(record_order_add(o, &head, record), 0);
}

/* The id of the sample taken; 0: a side-band record; -1: none. */
static int take(struct record_order *o, uint64_t before)
{
	struct held_record *held = record_order_take(o, before);
	int id = -1;

	if (held)
		id = held->head.weight ? (int)held->record[1] : 0;
	free(held);
	return id;
}

static void earlier_times_come_first(void **state)
{
	struct record_order o = { 0 };

	(void)state;
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

static void equal_times_keep_their_order(void **state)
{
	struct record_order o = { 0 };

	(void)state;
	for (uint64_t id = 1; id <= 100; id++)
		add_sample(&o, 7, id);
	for (int id = 1; id <= 100; id++)
		assert_int_equal(take(&o, 8), id);
	record_order_free(&o);
}

static void what_is_not_ripe_stays(void **state)
{
	struct record_order o = { 0 };

	(void)state;
	add_sample(&o, 100, 1);
	add_sample(&o, 200, 2);
	assert_int_equal(take(&o, 100), -1);
	assert_int_equal(take(&o, 101), 1);
	assert_int_equal(take(&o, 101), -1);
	assert_int_equal(o.bytes, RECORD_SAMPLE_FIXED);
	record_order_free(&o);
}

/* Many in no order: they come out sorted, and the bytes add up to none. */
static void a_large_heap_sorts(void **state)
{
	enum { MANY = 5000 };
	struct record_order o = { 0 };
	struct held_record *held;
	uint64_t last = 0;

	(void)state;
	srand(1);
	for (int i = 0; i < MANY; i++)
		add_sample(&o, 1 + (uint64_t)rand() % 1000, 1);
	for (int i = 0; i < MANY; i++) {
		held = record_order_take(&o, UINT64_MAX);
		assert_non_null(held);
		assert_true(held->time >= last);
		last = held->time;
		free(held);
	}
	assert_int_equal(o.bytes, 0);
	record_order_free(&o);
}

/* A record too short to say its time is taken at once. */
static void a_record_without_time_is_first(void **state)
{
	uint64_t record = PERF_RECORD_SAMPLE | UINT64_C(8) << 48;
	const struct queued head = { .size = sizeof(record), .weight = 1 };
	struct record_order o = { 0 };
	struct held_record *held;

	(void)state;
	add_sample(&o, 1, 5);
	assert_int_equal(record_order_add(&o, &head, &record), 0);
	held = record_order_take(&o, 1);
	assert_non_null(held);
	assert_int_equal(held->head.size, 8);
	free(held);
	record_order_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(earlier_times_come_first),
		cmocka_unit_test(equal_times_keep_their_order),
		cmocka_unit_test(what_is_not_ripe_stays),
		cmocka_unit_test(a_large_heap_sorts),
		cmocka_unit_test(a_record_without_time_is_first),
	};

	return cmocka_run_group_tests_name("record_order", tests, NULL, NULL);
}
