/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/feed.h"

/* Sample number @i, with its number in its fields. */
static struct feed_sample sample(int i)
{
	return (struct feed_sample){
		.time = (uint64_t)i * 1000, .cpu = i, .pid = 10 + i,
		.tid = 20 + i, .comm = "dd", .event = "cycles", .weight = 1,
		.text = "", .values = "",
	};
}

static int add(struct feed *feed, int i)
{
	struct feed_sample s = sample(i);

	return feed_add(feed, &s);
}

static int cpu_at(const struct feed *feed, size_t i)
{
	return feed_entry_sample(feed_at(feed, i))->cpu;
}

/* Bytes of an entry of sample(), whatever the size of struct feed_sample. */
static size_t entry_bytes(void)
{
	size_t bytes = 0;
	struct feed *feed;
	int ret;

	do {
		feed = feed_new(1, ++bytes);
		ret = add(feed, 0);
		feed_free(feed);
	} while (ret && bytes < 4096);
	assert_int_equal(ret, 0);
	assert_true(bytes >= sizeof(struct feed_sample));
	return bytes;
}

TEST(sample_copied)
{
	struct feed_frame frames[2] = {
		{ 0x1000, { "read", "/lib/libc.so.6", SYMBOL_USER, false, 4 } },
		{ 0x2000, { "main", "/bin/dd", SYMBOL_USER, false, 8 } },
	};
	char text[] = "fd: 3", values[] = "fd=3 count=512";
	struct feed *feed = feed_new(4, 4096);
	struct feed_sample s = sample(7);
	const struct feed_sample *kept;

	s.frames = frames;
	s.nr_frames = 2;
	s.chain = true;
	s.text = text;
	s.values = values;
	assert_int_equal(feed_add(feed, &s), 0);
	/* the caller's memory may change */
	memset(frames, 0, sizeof(frames));
	memset(text, 'x', 5);
	memset(values, 'x', 5);
	kept = feed_entry_sample(feed_at(feed, 0));
	assert_int_equal(kept->cpu, 7);
	assert_int_equal(kept->tid, 27);
	assert_string_equal(kept->comm, "dd");
	assert_string_equal(kept->text, "fd: 3");
	assert_string_equal(kept->values, "fd=3 count=512");
	assert_int_equal(kept->nr_frames, 2);
	assert_true(kept->chain);
	assert_int_equal(kept->frames[0].ip, 0x1000);
	assert_string_equal(kept->frames[1].symbol.name, "main");
	assert_int_equal(kept->frames[1].symbol.offset, 8);
	feed_free(feed);
}

TEST(oldest_dropped)
{
	struct feed *feed = feed_new(3, 1 << 20);

	assert_int_equal(feed_len(feed), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(add(feed, i), 0);
	assert_int_equal(feed_len(feed), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(cpu_at(feed, i), (int)i + 2);
		assert_int_equal(feed_entry_serial(feed_at(feed, i)), i + 2);
	}
	assert_null(feed_find(feed, 1));
	assert_ptr_equal(feed_find(feed, 2), feed_at(feed, 0));
	assert_ptr_equal(feed_find(feed, 4), feed_at(feed, 2));
	assert_null(feed_find(feed, 5));
	feed_free(feed);
}

TEST(bounded_in_bytes)
{
	size_t one = entry_bytes();
	struct feed *feed = feed_new(100, 3 * one + one / 2);
	struct feed_sample large = sample(9);
	char text[2048];

	for (int i = 0; i < 6; i++)
		assert_int_equal(add(feed, i), 0);
	assert_int_equal(feed_len(feed), 3);
	/* a sample with a text of that size replaces two */
	memset(text, 'x', sizeof(text));
	text[one] = '\0';
	large.text = text;
	assert_int_equal(feed_add(feed, &large), 0);
	assert_int_equal(feed_len(feed), 2);
	assert_int_equal(cpu_at(feed, 0), 5);
	/* and is replaced by two */
	assert_int_equal(add(feed, 6), 0);
	assert_int_equal(feed_len(feed), 2);
	assert_int_equal(cpu_at(feed, 0), 9);
	assert_int_equal(add(feed, 7), 0);
	assert_int_equal(feed_len(feed), 2);
	assert_int_equal(add(feed, 8), 0);
	assert_int_equal(feed_len(feed), 3);
	assert_int_equal(cpu_at(feed, 0), 6);
	feed_free(feed);
}

TEST(oversized_rejected)
{
	size_t one = entry_bytes();
	struct feed *feed = feed_new(4, one + 10);
	struct feed_sample large = sample(1);

	assert_int_equal(add(feed, 0), 0);
	large.text = "eleven bytes";
	assert_int_equal(feed_add(feed, &large), -ENOMEM);
	assert_int_equal(feed_len(feed), 1); /* nothing was dropped for it */
	assert_int_equal(feed_skipped(feed), 1);
	feed_skip(feed);
	assert_int_equal(feed_skipped(feed), 2);
	assert_null(feed_new(SIZE_MAX / 4, 1));
	feed_free(feed);
}

TEST(copies_share_entries)
{
	struct feed *feed = feed_new(4, 1 << 20), *copy = feed_new(4, 1 << 20);

	for (int i = 0; i < 3; i++)
		add(feed, i);
	feed_skip(feed);
	assert_int_equal(feed_copy(feed, copy), 0);
	assert_int_equal(feed_len(copy), 3);
	assert_int_equal(feed_skipped(copy), 1);
	for (size_t i = 0; i < 3; i++)
		assert_ptr_equal(feed_at(copy, i), feed_at(feed, i));

	/* the copy is unchanged while the feed continues */
	for (int i = 3; i < 6; i++)
		add(feed, i);
	assert_int_equal(cpu_at(copy, 0), 0);
	assert_int_equal(feed_len(copy), 3);
	assert_int_equal(feed_copy(feed, copy), 0);
	assert_int_equal(feed_len(copy), 4);
	assert_int_equal(cpu_at(copy, 0), 2);
	assert_int_equal(cpu_at(copy, 3), 5);

	/* all its entries have left the feed */
	for (int i = 6; i < 20; i++)
		add(feed, i);
	assert_int_equal(feed_copy(feed, copy), 0);
	assert_int_equal(cpu_at(copy, 0), 16);
	assert_int_equal(feed_entry_serial(feed_at(copy, 3)), 19);
	feed_free(feed);
	assert_int_equal(cpu_at(copy, 3), 19);
	feed_free(copy);
}

TEST(copy_needs_same_bounds)
{
	struct feed *feed = feed_new(4, 4096), *copy = feed_new(5, 4096);

	add(feed, 1);
	assert_int_equal(feed_copy(feed, copy), -EINVAL);
	assert_int_equal(feed_len(copy), 0);
	feed_free(feed);
	feed_free(copy);
}

TEST(clone_unchanged)
{
	struct feed *feed = feed_new(2, 1 << 20), *clone;

	add(feed, 1);
	add(feed, 2);
	clone = feed_clone(feed);
	assert_non_null(clone);
	for (int i = 3; i < 9; i++)
		add(feed, i);
	assert_int_equal(feed_next_serial(feed), 8);
	assert_int_equal(feed_next_serial(clone), 2);
	assert_int_equal(feed_entry_sample(feed_find(clone, 0))->cpu, 1);
	feed_free(feed);
	assert_int_equal(feed_entry_sample(feed_at(clone, 1))->cpu, 2);
	feed_free(clone);
}

TEST(held_entries_kept)
{
	struct feed *feed = feed_new(1, 1 << 20);
	const struct feed_entry *entry;

	add(feed, 1);
	entry = feed_entry_hold(feed_at(feed, 0));
	add(feed, 2);
	feed_free(feed);
	assert_int_equal(feed_entry_sample(entry)->cpu, 1);
	feed_entry_release(entry);
	feed_entry_release(NULL);
	feed_free(NULL);
}

/* Two threads that release the same entries, with a lock around the copying. */
struct shared {
	pthread_mutex_t lock;
	struct feed *feed;
};

static void *add_many(void *arg)
{
	struct shared *s = arg;

	for (int i = 0; i < 20000; i++) {
		pthread_mutex_lock(&s->lock);
		add(s->feed, i);
		pthread_mutex_unlock(&s->lock);
	}
	return NULL;
}

TEST(two_threads)
{
	struct shared s = { PTHREAD_MUTEX_INITIALIZER, feed_new(64, 1 << 20) };
	struct feed *copy = feed_new(64, 1 << 20);
	pthread_t thread;
	uint64_t last;

	assert_int_equal(pthread_create(&thread, NULL, add_many, &s), 0);
	do {
		pthread_mutex_lock(&s.lock);
		feed_copy(s.feed, copy);
		pthread_mutex_unlock(&s.lock);
		last = 0;
		for (size_t i = 0; i < feed_len(copy); i++) {
			last = feed_entry_serial(feed_at(copy, i));
			assert_int_equal(cpu_at(copy, i), (int)last);
		}
	} while (last < 19999);
	pthread_join(thread, NULL);
	feed_free(s.feed);
	assert_int_equal(cpu_at(copy, 63), 19999);
	feed_free(copy);
}

TEST(values_parsed)
{
	static const struct {
		const char *values, *fields;
	} cases[] = {
		{ "", "" },
		{ "a=1", "a|1;" },
		{ "a=1 b=two c=0x3", "a|1;b|two;c|0x3;" },
		/* blanks within a value, and none at all */
		{ "comm=my prog pid=7", "comm|my prog;pid|7;" },
		{ "name= flags=A|B x=", "name|;flags|A|B;x|;" },
		{ "f=a==b g=1", "f|a==b;g|1;" },
		{ "no field a=1", "a|1;" },
		{ "nothing here", "" },
		{ "=1 =2", "" },
		{ "a=1 ", "a|1 ;" },
	};
	char got[128], *end;
	struct feed_value v;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *at = cases[i].values;

		end = got;
		*got = '\0';
		while (feed_next_value(&at, &v))
			end += sprintf(end, "%.*s|%.*s;", (int)v.name_len,
				       v.name, (int)v.value_len, v.value);
		assert_string_equal(got, cases[i].fields);
	}
}

TEST_GROUP(feed);
