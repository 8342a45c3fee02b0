/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

enum { MANY = 20000 };

/* The things that items point to. */
static int things[MANY];

/*
 * Every entry is found, each position is once in the index, half of it is free.
 */
static void assert_sound(const struct table *t)
{
	size_t slots = table_index_bytes(&t->index) / sizeof(uint32_t);
	size_t used = 0;

	for (size_t i = 0; i < t->len; i++) {
		struct table_entry *entry = &t->entries[i], *found;

		found = table_find(t, entry->key);
		while (found && found != entry)
			found = table_again(t, found);
		assert_ptr_equal(found, entry);
	}
	for (size_t i = 0; i < slots; i++)
		used += t->index.slots[i] != 0;
	assert_int_equal(used, t->len);
	assert_true(2 * used <= slots);
}

TEST(test_empty)
{
	struct table t = { 0 };

	assert_null(table_find(&t, 0));
	assert_null(table_get(&t, 1));
	assert_int_equal(table_bytes(&t), 0);
	table_remove(&t, 1, &things[1]);
	assert_int_equal(t.len, 0);
	table_free(&t);
}

/* Keys that differ only in their lowest bits, or only in their highest. */
static uint64_t key_of(int i)
{
	return i & 1 ? (uint64_t)i : (uint64_t)i << 40;
}

TEST(test_many)
{
	struct table t = { 0 };

	for (int i = 0; i < MANY; i++) {
		assert_null(table_find(&t, key_of(i)));
		assert_int_equal(table_add(&t, key_of(i), &things[i]), 0);
	}
	assert_int_equal(t.len, MANY);
	for (int i = 0; i < MANY; i++)
		assert_ptr_equal(table_get(&t, key_of(i)), &things[i]);
	assert_null(table_get(&t, key_of(MANY)));
	/* 16 bytes per entry, 4 per slot, and up to as much again */
	assert_in_range(table_bytes(&t), MANY * 24, MANY * 48);
	assert_sound(&t);
	table_free(&t);
	assert_int_equal(table_bytes(&t), 0);
	assert_null(table_get(&t, key_of(1)));
	assert_int_equal(table_add(&t, 5, &things[5]), 0);
	assert_ptr_equal(table_get(&t, 5), &things[5]);
	table_free(&t);
}

TEST(test_indices)
{
	struct table t = { 0 };

	assert_int_equal(table_add_index(&t, 0, 0), 0);
	assert_int_equal(table_add_index(&t, UINT64_MAX, SIZE_MAX), 0);
	assert_int_equal(table_find(&t, 0)->index, 0);
	assert_true(table_find(&t, UINT64_MAX)->index == SIZE_MAX);
	assert_null(table_find(&t, 1));
	table_free(&t);
}

/* Things with the same key are distinguished by the caller. */
TEST(test_same_key)
{
	struct table t = { 0 };
	struct table_entry *entry;
	bool seen[20] = { false };

	for (int i = 0; i < 20; i++)
		assert_int_equal(table_add(&t, 9, &things[i]), 0);
	assert_int_equal(table_add(&t, 10, &things[20]), 0);
	table_remove(&t, 9, &things[13]);
	table_remove(&t, 9, &things[20]);	/* of another key */
	entry = table_find(&t, 9);
	for (; entry; entry = table_again(&t, entry))
		seen[(int *)entry->item - things] = true;
	for (int i = 0; i < 20; i++)
		assert_int_equal(seen[i], i != 13);
	assert_ptr_equal(table_get(&t, 10), &things[20]);
	assert_sound(&t);
	table_free(&t);
}

/* In every state, all entries are found, and nothing else. */
TEST(test_remove)
{
	enum { KEYS = 500, STEPS = 20000 };
	static bool there[KEYS];
	struct table t = { 0 };
	unsigned int random = 1, len = 0;

	for (int step = 0; step < STEPS; step++) {
		int i;

		random = random * 1103515245 + 12345;
		i = (int)((random >> 16) % KEYS);
		if (there[i])
			table_remove(&t, (uint64_t)i, &things[i]);
		else
			assert_int_equal(table_add(&t, (uint64_t)i,
						   &things[i]), 0);
		there[i] = !there[i];
		len += there[i] ? 1 : -1u;
		assert_int_equal(t.len, len);
		i = step % KEYS;
		assert_ptr_equal(table_get(&t, (uint64_t)i),
				 there[i] ? &things[i] : NULL);
		if (step % 1000 == 0)
			assert_sound(&t);
	}
	for (int i = 0; i < KEYS; i++)
		table_remove(&t, (uint64_t)i, &things[i]);
	assert_int_equal(t.len, 0);
	assert_sound(&t);
	table_free(&t);
}

/* In order; and backwards each once, while some are removed. */
TEST(test_walk)
{
	static unsigned char times[MANY];

	for (int nr = 1; nr < MANY; nr = nr * 3 / 2 + 1) {
		struct table t = { 0 };
		size_t left = 0;

		memset(times, 0, sizeof(times));
		for (int i = 0; i < nr; i++)
			assert_int_equal(table_add(&t, key_of(i), &things[i]),
					 0);
		for (int i = 0; i < nr; i++)
			assert_ptr_equal(t.entries[i].item, &things[i]);
		for (size_t at = t.len; at-- > 0;) {
			int *thing = t.entries[at].item;
			int i = (int)(thing - things);

			times[i]++;
			if (i % 3)
				table_remove(&t, key_of(i), thing);
			else
				left++;
		}
		for (int i = 0; i < nr; i++) {
			assert_int_equal(times[i], 1);
			assert_ptr_equal(table_get(&t, key_of(i)),
					 i % 3 ? NULL : &things[i]);
		}
		assert_int_equal(t.len, left);
		assert_sound(&t);
		table_free(&t);
	}
}

TEST(test_reserve)
{
	struct table t = { 0 };
	const struct table_entry *entries;
	size_t bytes;

	assert_int_equal(table_reserve(&t, 1000), 0);
	entries = t.entries;
	bytes = table_bytes(&t);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(table_add(&t, key_of(i), &things[i]), 0);
	assert_int_equal(table_reserve(&t, 1), 0);
	assert_int_equal(table_reserve(&t, SIZE_MAX), -ENOMEM);
	assert_int_equal(table_reserve(&t, UINT32_MAX), -ENOMEM);
	assert_ptr_equal(t.entries, entries);
	assert_int_equal(table_bytes(&t), bytes);
	assert_int_equal(t.len, 1000);
	assert_sound(&t);
	table_free(&t);
}

/* The memory of a storm is not kept, reserved memory is. */
/* Filled again, it uses no more memory, and has no old entries. */
TEST(test_clear)
{
	struct table t = { 0 };
	size_t bytes;

	table_clear(&t);
	assert_int_equal(table_reserve(&t, 1000), 0);
	bytes = table_bytes(&t);
	for (size_t round = 0; round < 2; round++) {
		assert_int_equal(t.len, 0);
		for (size_t i = 0; i < 1000; i++) {
			assert_null(table_find(&t, i << 32));
			assert_int_equal(table_add_index(&t, i << 32,
							 i + round), 0);
		}
		assert_sound(&t);
		for (size_t i = 0; i < 1000; i++)
			assert_int_equal(table_find(&t, i << 32)->index,
					 i + round);
		table_clear(&t);
	}
	assert_null(table_find(&t, 0));
	assert_int_equal(table_bytes(&t), bytes);
	table_free(&t);
}

TEST(test_shrink)
{
	struct table t = { 0 };
	size_t max;

	for (int i = 0; i < MANY; i++)
		assert_int_equal(table_add(&t, key_of(i), &things[i]), 0);
	max = table_bytes(&t);
	for (int i = 10; i < MANY; i++)
		table_remove(&t, key_of(i), &things[i]);
	assert_in_range(table_bytes(&t), 1, max / 64);
	for (int i = 0; i < 10; i++)
		assert_ptr_equal(table_get(&t, key_of(i)), &things[i]);
	assert_sound(&t);
	assert_int_equal(table_reserve(&t, 500), 0);
	max = table_bytes(&t);
	for (int i = 0; i < 10; i++)
		table_remove(&t, key_of(i), &things[i]);
	assert_int_equal(table_bytes(&t), max);
	assert_int_equal(t.len, 0);
	table_free(&t);
}

/* Out of memory: the entries stay, and can be removed. */
TEST(test_out_of_memory)
{
	struct table t = { .max = 1024 * 24 };
	int nr = 0;

	while (nr < MANY && !table_add(&t, key_of(nr), &things[nr]))
		nr++;
	assert_int_equal(nr, 1024);
	assert_int_equal(table_bytes(&t), t.max);
	assert_int_equal(table_add(&t, key_of(nr), &things[nr]), -ENOMEM);
	assert_int_equal(table_add_index(&t, key_of(nr), 1), -ENOMEM);
	assert_null(table_get(&t, key_of(nr)));
	assert_int_equal(t.len, nr);
	assert_sound(&t);
	table_remove(&t, key_of(3), &things[3]);
	assert_int_equal(table_add(&t, key_of(nr), &things[nr]), 0);
	assert_ptr_equal(table_get(&t, key_of(nr)), &things[nr]);
	table_free(&t);
	/* the limit stays */
	assert_int_equal(table_reserve(&t, 1025), -ENOMEM);
	assert_int_equal(table_reserve(&t, 1024), 0);
	table_free(&t);
}

/* The longest run of used slots, which is the longest search. */
static uint32_t longest_run(const struct table_index *index)
{
	uint32_t longest = 0, run = 0;

	for (uint32_t i = 0; i <= index->mask; i++) {
		run = index->slots[i] ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/*
 * Keys that would have the same hash if it were a product with a known number,
 * the same low bits, or the same high ones: all in one run of slots.
 */
TEST(test_hostile)
{
	/* times 0x9e3779b97f4a7c15, the golden ratio's, it is 1 */
	static const uint64_t inverse = UINT64_C(0xf1de83e19937733d);
	enum { NR = 15000 };
	const uint64_t factors[] = { inverse, 1, 4096, UINT64_C(1) << 32,
				     UINT64_C(1) << 48 };

	assert_true(inverse * UINT64_C(0x9e3779b97f4a7c15) == 1);
	for (size_t k = 0; k < sizeof(factors) / sizeof(factors[0]); k++) {
		struct table t = { 0 };

		for (int i = 0; i < NR; i++)
			assert_int_equal(table_add(&t, factors[k] *
						   (uint64_t)i, &things[i]),
					 0);
		/* about 50 if they are random */
		assert_in_range(longest_run(&t.index), 2, 1000);
		assert_sound(&t);
		table_free(&t);
	}
}

/* An array of the caller, with an index. */
static const char *const words[] = { "cycles", "instructions", "cs" };

static bool same_word(const void *ctx, uint32_t place, const void *key)
{
	const char *const *all = ctx;

	return strcmp(all[place], key) == 0;
}

/* The worst @hash: entries are distinguished by comparison only. */
static void check_index(uint64_t hash)
{
	struct table_index index;
	uint32_t *slot;

	assert_int_equal(table_index_init(&index, 3), 0);
	for (uint32_t i = 0; i < 3; i++) {
		slot = table_index_find(&index, hash, same_word, words,
					words[i]);
		assert_int_equal(*slot, 0);
		*slot = i + 1;
	}
	for (uint32_t i = 0; i < 3; i++) {
		slot = table_index_find(&index, hash, same_word, words,
					words[i]);
		assert_int_equal(*slot, i + 1);
	}
	slot = table_index_find(&index, hash, same_word, words, "faults");
	assert_int_equal(*slot, 0);
	table_index_clear(&index);
	slot = table_index_find(&index, hash, same_word, words, words[0]);
	assert_int_equal(*slot, 0);
	assert_int_equal(table_index_bytes(&index), 8 * sizeof(uint32_t));
	table_index_free(&index);
	assert_int_equal(table_index_bytes(&index), 0);
}

TEST(test_index)
{
	struct table_index index;

	check_index(0);
	check_index(7);		/* the last slot: continue at the first */
	check_index(UINT64_MAX);
	assert_int_equal(table_index_init(&index, SIZE_MAX), -ENOMEM);
	assert_int_equal(table_index_init(&index, UINT32_MAX), -ENOMEM);
	table_index_free(&index);
}

/* Only equal bytes have equal hashes, at any alignment. */
TEST(test_hash)
{
	static uint64_t hashes[64 * 8 + 64];
	struct table t = { 0 };
	char bytes[65] = { 0 };
	int nr = 0;

	/* all lengths of zeros, and each bit of 64 bytes */
	for (size_t len = 0; len < 64; len++)
		hashes[nr++] = table_hash(bytes, len);
	for (int bit = 0; bit < 64 * 8; bit++) {
		bytes[bit / 8] = (char)(1 << bit % 8);
		hashes[nr++] = table_hash(bytes, 64);
		bytes[bit / 8] = 0;
	}
	for (int i = 0; i < nr; i++) {
		assert_null(table_find(&t, hashes[i]));
		assert_int_equal(table_add_index(&t, hashes[i], 0), 0);
	}
	table_free(&t);
	memcpy(bytes + 1, "namespace::function", 20);
	assert_true(table_hash(bytes + 1, 19) ==
		    table_hash("namespace::function", 19));
	assert_true(table_hash(bytes + 1, 19) !=
		    table_hash("namespace::functiom", 19));
	assert_true(table_hash(bytes + 1, 19) !=
		    table_hash("namespace::function", 20));
}

/* The authors' vector for SipHash-1-3 of no bytes and of 00 01 ... 0e. */
TEST(test_siphash)
{
	const struct table_secret secret = table_secret;
	unsigned char bytes[15];

	for (int i = 0; i < 15; i++)
		bytes[i] = (unsigned char)i;
	/* and so on up to 0f */
	table_secret.key[0] = UINT64_C(0x0706050403020100);
	table_secret.key[1] = UINT64_C(0x0f0e0d0c0b0a0908);
	assert_true(table_hash(bytes, 0) == UINT64_C(0xabac0158050fc4dc));
	assert_true(table_hash(bytes, 15) == UINT64_C(0xd320d86d2a519956));
	table_secret = secret;
}

TEST_GROUP(table);
