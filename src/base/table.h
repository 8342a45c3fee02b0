/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash table: from numbers of 64 bits to pointers or indices.  For a thing
 * that more than one number identifies, the key is a hash of all of that
 * (table_hash() makes one of bytes), and things of the same key are told apart
 * by whoever looks one up:
 *
 *	struct table_entry *entry = table_find(&table, key);
 *
 *	while (entry && !is_wanted(entry->item))
 *		entry = table_again(&table, entry);
 *
 * The entries lie in one array, in the order in which they were added; only
 * where one is removed, the last takes its place.  So they are walked through
 * by their indices, and going down, the one at hand may be removed.  Beside
 * them is an index, which alone is all that somebody needs who has an array
 * already (struct table_index, below).
 *
 * Where in the index a key is depends on random bytes that each process has of
 * its own, so no file or program can make up keys that all meet there.
 *
 * Of Concurrency Kit's tables, ck_ht and ck_hs, none does the same: they are
 * made for readers beside a writer, which no table of rbtop has, hold pointers
 * only, which takes two to four times the memory, compare without a context,
 * and grow until memory is out where keys collide.
 */
#ifndef RBTOP_BASE_TABLE_H
#define RBTOP_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_NONE UINT32_MAX

/*
 * From hashes to places in an array: open addressing, linear probing.  Half of
 * the slots at least are free.  A slot takes 4 bytes: hot tables have several
 * hundred thousand, and how many of them are in a cache at a time is what the
 * time of a look-up depends on.
 */
struct table_index {
	uint32_t *slots;	/* a place + 1; 0: free */
	uint32_t mask;		/* a power of two of slots, less 1 */
};

/* Room for @nr places.  0 or -ENOMEM. */
int table_index_init(struct table_index *index, size_t nr);
void table_index_free(struct table_index *index);
/* Forget all, and keep the memory. */
void table_index_clear(struct table_index *index);

static inline size_t table_index_bytes(const struct table_index *index)
{
	return index->slots ? ((size_t)index->mask + 1) *
			      sizeof(*index->slots) : 0;
}

/*
 * The slot of the place that is @same as @key, which has @hash; or the free
 * one where it belongs, to be set where there is room.
 */
static inline uint32_t *
table_index_find(const struct table_index *index, uint64_t hash,
		 bool (*same)(const void *ctx, uint32_t place,
			      const void *key),
		 const void *ctx, const void *key)
{
	uint32_t at = (uint32_t)hash & index->mask;

	while (index->slots[at] && !same(ctx, index->slots[at] - 1, key))
		at = (at + 1) & index->mask;
	return &index->slots[at];
}

struct table_entry {
	uint64_t key;
	union {
		void *item;
		size_t index;
	};
};

/* Zeroed: empty.  For one thread at a time. */
struct table {
	struct table_entry *entries;
	size_t len, room;
	size_t least;		/* room that is kept: see table_reserve() */
	size_t most;		/* bytes at the most; 0: any */
	struct table_index index;
};

/* The items are their owner's to free. */
void table_free(struct table *t);
/* Forget all entries, and keep the memory. */
void table_clear(struct table *t);

/* So that @nr in all find room, now and later.  0 or -ENOMEM. */
int table_reserve(struct table *t, size_t nr);

/*
 * Add one, whatever else there is of that key; few should have the same.  0,
 * or -ENOMEM: there is no memory, or it would take more than t->most.  What
 * points to entries holds no longer.
 */
int table_add(struct table *t, uint64_t key, void *item);
int table_add_index(struct table *t, uint64_t key, size_t index);

/*
 * Take out the entry of @key that has @item, if there is one; and give memory
 * back when most is unused.
 */
void table_remove(struct table *t, uint64_t key, const void *item);

/* An entry of @key, and the next one of the same key; NULL for none. */
struct table_entry *table_find(const struct table *t, uint64_t key);
struct table_entry *table_again(const struct table *t,
				const struct table_entry *entry);
/* The item of a key that only one has; NULL for none. */
void *table_get(const struct table *t, uint64_t key);

size_t table_bytes(const struct table *t);

/*
 * A key for @len bytes, which nobody outside can foresee: SipHash-1-3 (Aumasson
 * and Bernstein, 2012).  The same for the same bytes, in this process.
 */
uint64_t table_hash(const void *bytes, size_t len);

/* What keys are hashed with, of this process; tests set it. */
struct table_secret {
	uint64_t key[2];	/* SipHash's */
	uint64_t mask, factor;	/* of numbers */
};
extern struct table_secret table_secret;

#endif
