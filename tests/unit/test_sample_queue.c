/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <pthread.h>
#include <sched.h>

#include "collect/drain/sample_queue.h"
#include "fake_ring.h"

enum { RING = 4096, QUEUE = 8192 };

struct fixture {
	struct fake_ring fake;
	struct sample_queue *queue;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	fake_ring_init(&f->fake, RING);
	f->queue = sample_queue_new(QUEUE);
	assert_non_null(f->queue);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	sample_queue_free(f->queue);
	fake_ring_free(&f->fake);
	free(f);
	return 0;
}

/* A record of @size bytes whose words are @word, word + 1, ... */
static bool push(struct fixture *f, uint32_t size, uint32_t weight,
		 uint64_t word)
{
	struct queued head = {
		.size = size, .weight = weight, .tag = 5, .slot = 6,
	};
	uint64_t at = f->fake.head;

	for (uint32_t i = 0; i < size; i += 8)
		fake_ring_word(&f->fake, at + i, word + i / 8);
	f->fake.head += size;
	return sample_queue_push(f->queue, &head, &f->fake.ring, at);
}

static void expect(struct fixture *f, uint32_t size, uint32_t weight,
		   uint64_t word)
{
	struct queued head;
	const uint64_t *words = sample_queue_pop(f->queue, &head);

	assert_non_null(words);
	assert_int_equal((uintptr_t)words % 8, 0);
	assert_int_equal(head.size, size);
	assert_int_equal(head.weight, weight);
	assert_int_equal(head.tag, 5);
	assert_int_equal(head.slot, 6);
	for (uint32_t i = 0; i < size / 8; i++)
		assert_int_equal(words[i], word + i);
}

static void expect_none(struct fixture *f)
{
	struct queued head;

	assert_null(sample_queue_pop(f->queue, &head));
}

TEST(records_come_out_as_they_went_in)
{
	struct fixture *f = *state;

	expect_none(f);
	assert_true(push(f, 56, 1, 100));
	assert_true(push(f, 8, 0, 200));
	assert_true(push(f, 1024, 4000000000, 300));
	expect(f, 56, 1, 100);
	expect(f, 8, 0, 200);
	expect(f, 1024, 4000000000, 300);
	expect_none(f);
	expect_none(f);
}

/* Records may wrap in the ring and in the queue, at any offset. */
TEST(records_may_wrap)
{
	struct fixture *f = *state;

	for (uint64_t i = 0; i < 4000; i++) {
		uint32_t size = (uint32_t)(8 + i * 8 % 1000 / 8 * 8);

		assert_true(push(f, size, 1, i << 32));
		assert_true(push(f, 40, 0, i << 32));
		expect(f, size, 1, i << 32);
		expect(f, 40, 0, i << 32);
	}
	expect_none(f);
	assert_int_equal(sample_queue_dropped(f->queue), 0);
	assert_int_equal(sample_queue_side_band_lost(f->queue), 0);
}

TEST(samples_leave_a_quarter_to_the_side_band)
{
	struct fixture *f = *state;
	unsigned int samples = 0, side_band = 0;

	assert_false(sample_queue_crowded(f->queue));
	while (push(f, 112, 10, samples))
		samples++;
	assert_int_equal(samples, QUEUE * 3 / 4 / 128);
	assert_true(sample_queue_crowded(f->queue));
	while (push(f, 48, 0, side_band))
		side_band++;
	assert_int_equal(side_band, QUEUE / 4 / 64);
	/* dropped records are counted by weight */
	assert_false(push(f, 112, 7, 0));
	assert_int_equal(sample_queue_dropped(f->queue), 17);
	assert_int_equal(sample_queue_side_band_lost(f->queue), 1);
	for (unsigned int i = 0; i < samples; i++)
		expect(f, 112, 10, i);
	for (unsigned int i = 0; i < side_band; i++)
		expect(f, 48, 0, i);
	expect_none(f);
	assert_false(sample_queue_crowded(f->queue));
	assert_true(push(f, 112, 1, 1));
}

/* A record that was returned is not overwritten before the next call. */
TEST(a_record_lives_until_the_next_call)
{
	struct fixture *f = *state;
	struct queued head;
	const uint64_t *words;

	assert_true(push(f, 2048, 0, 1000));
	words = sample_queue_pop(f->queue, &head);
	for (int i = 0; i < 10; i++)
		push(f, 2048, 0, 5000);
	for (uint64_t i = 0; i < 256; i++)
		assert_int_equal(words[i], 1000 + i);
	assert_int_equal(sample_queue_side_band_lost(f->queue), 8);
}

TEST(what_can_never_fit_is_refused)
{
	struct fixture *f = *state;
	struct fake_ring big;
	struct queued head = { .size = 60000, .weight = 3 };

	fake_ring_init(&big, 65536);
	assert_false(sample_queue_push(f->queue, &head, &big.ring, 0));
	assert_int_equal(sample_queue_dropped(f->queue), 3);
	assert_true(push(f, 56, 1, 1));
	expect(f, 56, 1, 1);
	fake_ring_free(&big);
}

enum { HAMMER = 200000 };

static void *hammer(void *arg)
{
	struct fixture *f = arg;

	for (uint64_t i = 0; i < HAMMER; i++)
		while (!push(f, (uint32_t)(8 + i % 61 * 8), 0, i))
			sched_yield();
	return NULL;
}

TEST(a_reader_beside_a_writer_sees_whole_records)
{
	struct fixture *f = *state;
	pthread_t writer;

	pthread_create(&writer, NULL, hammer, f);
	for (uint64_t i = 0; i < HAMMER; i++) {
		struct queued head;
		const uint64_t *words;

		while (!(words = sample_queue_pop(f->queue, &head)))
			sched_yield();
		assert_int_equal(head.size, 8 + i % 61 * 8);
		for (uint64_t word = 0; word < head.size / 8; word++)
			assert_int_equal(words[word], i + word);
	}
	pthread_join(writer, NULL);
	expect_none(f);
}

/* A mark keeps its place, and is not counted where it has no room. */
TEST(marks_are_among_the_records)
{
	struct fixture *f = *state;
	struct queued head;
	const uint64_t *time;

	push(f, 64, 1, 100);
	sample_queue_mark(f->queue, 9, 12345);
	push(f, 64, 1, 200);
	expect(f, 64, 1, 100);
	time = sample_queue_pop(f->queue, &head);
	assert_non_null(time);
	assert_true(sample_queue_is_mark(&head));
	assert_int_equal(head.slot, 9);
	assert_int_equal(*time, 12345);
	expect(f, 64, 1, 200);
	assert_false(sample_queue_is_mark(&(struct queued){ .tag = 5 }));
	for (int i = 0; i < QUEUE; i++)
		sample_queue_mark(f->queue, 9, 1);
	assert_int_equal(sample_queue_side_band_lost(f->queue), 0);
	assert_int_equal(sample_queue_dropped(f->queue), 0);
	assert_true(sample_queue_crowded(f->queue));
	assert_true(sample_queue_times_crowded(f->queue) > 0);
}

TEST_GROUP(sample_queue, .each_setup = setup, .each_teardown = teardown);
