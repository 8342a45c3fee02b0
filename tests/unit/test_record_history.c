/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "collect/drain/record_history.h"
#include "fake_ring.h"

enum { RING = 8192, SIZE = 64 << 10, BUF = 64 << 10 };

struct fixture {
	struct fake_ring fake;
	struct record_history *history;
	uint64_t at, missed;
	uint64_t rounds, each;	/* of write_all() */
	_Alignas(8) unsigned char buf[BUF];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_ring_init(&f->fake, RING);
	f->history = record_history_new(SIZE);
	assert_non_null(f->history);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	record_history_free(f->history);
	fake_ring_free(&f->fake);
	free(f);
	return 0;
}

/* Write a record with @number in its first word. */
static void put(struct fixture *f, uint16_t size, uint64_t number)
{
	uint64_t at = fake_ring_put(&f->fake, PERF_RECORD_SAMPLE, size);

	fake_ring_word(&f->fake, at + 8, number);
}

/* Append new records, as a drain does at the end of its pass. */
static void append(struct fixture *f)
{
	uint64_t tail = ring_tail(&f->fake.ring);

	record_history_append(f->history, &f->fake.ring, tail, f->fake.head);
	ring_consume(&f->fake.ring, f->fake.head);
}

static size_t read_some(struct fixture *f)
{
	return record_history_read(f->history, &f->at, f->buf, BUF, &f->missed);
}

static uint64_t number_at(const struct fixture *f, size_t at)
{
	uint64_t number;

	memcpy(&number, f->buf + at + 8, sizeof(number));
	return number;
}

TEST(records_are_read_as_they_stood)
{
	struct fixture *f = *state;

	/* the second wraps in the ring */
	fake_ring_skip(&f->fake, RING - 80);
	put(f, 56, 1);
	put(f, 104, 2);
	put(f, 16, 3);
	append(f);
	assert_int_equal(record_history_end(f->history), 56 + 104 + 16);
	assert_int_equal(read_some(f), 56 + 104 + 16);
	assert_int_equal(number_at(f, 0), 1);
	assert_int_equal(number_at(f, 56), 2);
	assert_int_equal(number_at(f, 160), 3);
	assert_int_equal(f->at, record_history_end(f->history));
	assert_int_equal(read_some(f), 0);
	assert_int_equal(f->missed, 0);
}

TEST(the_oldest_make_room_as_whole_records)
{
	struct fixture *f = *state;

	/* 655 records of 104 bytes are 520 more than there is room for */
	for (uint64_t i = 0; i < 655; i++) {
		put(f, 104, i);
		append(f);
	}
	assert_int_equal(record_history_size(f->history), SIZE);
	assert_int_equal(record_history_end(f->history), 655 * 104);
	assert_int_equal(record_history_begin(f->history), 25 * 104);
	assert_int_equal(read_some(f), 630 * 104);
	assert_int_equal(number_at(f, 0), 25);
	assert_int_equal(number_at(f, 629 * 104), 654);
	assert_int_equal(f->missed, 25 * 104);
}

TEST(a_long_pass_is_cut_to_its_newest)
{
	struct fixture *f = *state;
	struct fake_ring big;

	fake_ring_init(&big, 2 * SIZE);
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t at = fake_ring_put(&big, PERF_RECORD_COMM, 80);

		fake_ring_word(&big, at + 8, i);
	}
	put(f, 56, 7);
	append(f);
	record_history_append(f->history, &big.ring, 0, big.head);
	/* 819 of 80 bytes fit */
	assert_int_equal(record_history_end(f->history), 56 + 1000 * 80);
	assert_int_equal(record_history_begin(f->history), 56 + 181 * 80);
	assert_int_equal(read_some(f), 819 * 80);
	/* including the one before it */
	assert_int_equal(f->missed, 56 + 181 * 80);
	assert_int_equal(number_at(f, 0), 181);
	assert_int_equal(number_at(f, 818 * 80), 999);
	fake_ring_free(&big);
}

TEST(sizes_are_rounded_and_have_a_least)
{
	struct record_history *h = record_history_new(100000);

	assert_int_equal(record_history_size(h), 131072);
	record_history_free(h);
	h = record_history_new(0);
	assert_int_equal(record_history_size(h), 65536);
	record_history_free(h);
	record_history_free(NULL);
}

TEST(a_reader_that_comes_later_goes_on_where_it_was)
{
	struct fixture *f = *state;

	put(f, 56, 1);
	append(f);
	assert_int_equal(read_some(f), 56);
	put(f, 64, 2);
	append(f);
	assert_int_equal(read_some(f), 64);
	assert_int_equal(number_at(f, 0), 2);
	assert_int_equal(f->missed, 0);
}

/* The longest possible record: whole records are returned. */
TEST(a_full_buffer_holds_whole_records)
{
	struct fixture *f = *state;
	struct fake_ring big;

	record_history_free(f->history);
	f->history = record_history_new(4 * SIZE);
	fake_ring_init(&big, 4 * SIZE);
	fake_ring_put(&big, PERF_RECORD_SAMPLE, 40000);
	fake_ring_put(&big, PERF_RECORD_SAMPLE, 65528);
	fake_ring_put(&big, PERF_RECORD_SAMPLE, 56);
	record_history_append(f->history, &big.ring, 0, big.head);
	assert_int_equal(read_some(f), 40000);
	assert_int_equal(read_some(f), 65528);
	assert_int_equal(read_some(f), 56);
	assert_int_equal(read_some(f), 0);
	fake_ring_free(&big);
}

/*
 * A reader concurrent with the writer: complete records in order, or reported
 * as missed.
 */

static atomic_bool done;

static void *write_all(void *arg)
{
	struct fixture *f = arg;
	uint64_t number = 0;

	for (uint64_t round = 0; round < f->rounds; round++) {
		for (uint64_t i = 0; i < f->each; i++) {
			put(f, (uint16_t)(16 + 8 * (number % 20)), number);
			number++;
		}
		append(f);
		if (round % 64 == 0)
			sched_yield();
	}
	atomic_store(&done, true);
	return NULL;
}

/*
 * Check the records; returns their bytes. *@next is the lowest number that may
 * come next.
 */
static size_t check_records(struct fixture *f, uint64_t *next)
{
	size_t len = read_some(f);

	for (size_t at = 0; at < len;) {
		struct perf_event_header header;
		uint64_t number = number_at(f, at);

		memcpy(&header, f->buf + at, sizeof(header));
		assert_int_equal(header.type, PERF_RECORD_SAMPLE);
		assert_int_equal(header.size, 16 + 8 * (number % 20));
		assert_true(number >= *next);
		/* a gap only if it was reported, before the first */
		if (at)
			assert_int_equal(number, *next);
		*next = number + 1;
		at += header.size;
	}
	return len;
}

static void read_beside(struct fixture *f, uint64_t rounds, uint64_t each)
{
	uint64_t next = 0, got = 0;
	pthread_t thread;
	bool last = false;

	f->rounds = rounds;
	f->each = each;
	atomic_store(&done, false);
	assert_int_equal(pthread_create(&thread, NULL, write_all, f), 0);
	while (!last) {
		size_t len;

		last = atomic_load(&done);
		while ((len = check_records(f, &next)))
			got += len;
	}
	pthread_join(thread, NULL);
	assert_int_equal(next, rounds * each);
	assert_int_equal(got + f->missed, record_history_end(f->history));
}

TEST(an_overtaken_reader_says_so)
{
	read_beside(*state, 20000, 40);
}

/* 1000 records are 92000 bytes, more than the history holds. */
TEST(a_reader_beside_long_passes_says_so)
{
	struct fixture *f = *state;

	fake_ring_free(&f->fake);
	fake_ring_init(&f->fake, 4 * SIZE);
	read_beside(f, 1000, 1000);
}

TEST_GROUP(record_history, .each_setup = setup, .each_teardown = teardown);
