/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/sequence.h"

enum { WORDS = 64, READS = 20000, WRITES = 20000 };

static struct sequence lock;
static uint64_t shared[WORDS];
static atomic_bool stop;

TEST(test_counts)
{
	struct sequence s = { 0 };
	unsigned int count = sequence_read_begin(&s);

	assert_false(sequence_read_retry(&s, count));
	sequence_write_begin(&s);
	assert_true(sequence_read_retry(&s, count));
	sequence_write_end(&s);
	assert_true(sequence_read_retry(&s, count));
	count = sequence_read_begin(&s);
	assert_false(sequence_read_retry(&s, count));
	/* the counter wraps */
	s.count = UINT32_MAX - 1;
	count = sequence_read_begin(&s);
	sequence_write_begin(&s);
	sequence_write_end(&s);
	assert_int_equal(s.count, 0);
	assert_true(sequence_read_retry(&s, count));
}

static void *write_on(void *ctx)
{
	uint64_t words[WORDS];

	(void)ctx;
	for (uint64_t n = 1; !atomic_load(&stop); n++) {
		for (int i = 0; i < WORDS; i++)
			words[i] = n;
		sequence_write_begin(&lock);
		word_copy_store(shared, words, sizeof(words));
		sequence_write_end(&lock);
	}
	return NULL;
}

/* All values read are of one state, and not older than the previous ones. */
TEST(test_one_state)
{
	uint64_t words[WORDS], last = 0;
	pthread_t writer;

	assert_int_equal(pthread_create(&writer, NULL, write_on, NULL), 0);
	for (int i = 0; i < READS || last < WRITES; i++) {
		unsigned int count;

		do {
			count = sequence_read_begin(&lock);
			word_copy_load(words, shared, sizeof(words));
		} while (sequence_read_retry(&lock, count));
		assert_true(words[0] >= last);
		last = words[0];
		for (int j = 1; j < WORDS; j++)
			assert_int_equal(words[j], last);
	}
	atomic_store(&stop, true);
	pthread_join(writer, NULL);
}

TEST_GROUP(sequence);
