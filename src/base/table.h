/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table from 64-bit numbers to pointers or indices.  If more than one
 * number identifies an item, the key is a hash of them (table_hash() makes one
 * of bytes), and the caller distinguishes items of the same key:
 *
 *	struct table_entry *entry = table_find(&table, key);
 *
 *	while (entry && !is_wanted(entry->item))
 *		entry = table_again(&table, entry);
 *
 * The entries are in one array, in the order in which they were added, except
 * that the last takes the place of a removed one.  They are visited by index;
 * in descending order, the current one may be removed.  The index (struct
 * table_index, below) can be used alone, for items that are in an array
 * already.
 *
 * The position of a key in the index depends on random bytes of the process, so
 * that no file or program can make up keys that collide.
 *
 * Concurrency Kit's tables, ck_ht and ck_hs, do not replace it: they are made
 * for readers concurrent with a writer, which no table of rbtop has; hold only
 * pointers, which takes two to four times the memory; compare without a
 * context; and grow until memory is exhausted if keys collide.
 */
#ifndef RBTOP_BASE_TABLE_H
#define RBTOP_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_NONE UINT32_MAX

/*
 * From hashes to places in an array: open addressing, linear probing.  At least
 * half of the slots are free.  A slot takes 4 bytes: tables of samples have
 * several hundred thousand, and the time of a look-up depends on how many fit a
 * cache.
 */
struct table_index {
	uint32_t *slots;	/* a place + 1; 0: free */
	uint32_t mask;		/* a power of two of slots, less 1 */
};

/* Make an empty index for @nr places.  0 or -ENOMEM. */
int table_index_init(struct table_index *index, size_t nr);
void table_index_free(struct table_index *index);
/* Remove all, and keep the memory. */
void table_index_clear(struct table_index *index);

static inline size_t table_index_bytes(const struct table_index *index)
{
	return index->slots ? ((size_t)index->mask + 1) *
			      sizeof(*index->slots) : 0;
}

/*
 * The slot of the place that is @same as @key, whose hash is @hash; or the free
 * slot where it belongs, which the caller sets if the array has room.
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
	size_t min;		/* room never given back: see table_reserve() */
	size_t max;		/* limit of memory in bytes; 0: none */
	struct table_index index;
};

/* The items are not freed. */
void table_free(struct table *t);
/* Remove all entries, and keep the memory. */
void table_clear(struct table *t);

/* Make room for @nr entries in all, and keep it.  0 or -ENOMEM. */
int table_reserve(struct table *t, size_t nr);

/*
 * Add an entry, even if its key exists; few should have the same one.  0, or
 * -ENOMEM: out of memory, or it would take more than t->max.  Pointers to
 * entries become invalid.
 */
int table_add(struct table *t, uint64_t key, void *item);
int table_add_index(struct table *t, uint64_t key, size_t index);

/*
 * Remove the entry of @key that has @item, if there is one; memory is given
 * back when most of it is unused.
 */
void table_remove(struct table *t, uint64_t key, const void *item);

/* An entry of @key, and the next one of the same key; NULL if there is none. */
struct table_entry *table_find(const struct table *t, uint64_t key);
struct table_entry *table_again(const struct table *t,
				const struct table_entry *entry);
/* The item of a key that only one entry has; NULL if there is none. */
void *table_get(const struct table *t, uint64_t key);

size_t table_bytes(const struct table *t);

/*
 * A key for @len bytes that cannot be foreseen from outside: SipHash-1-3
 * (Aumasson and Bernstein, 2012).  The same bytes have the same key within this
 * process.
 */
uint64_t table_hash(const void *bytes, size_t len);

/* The random values that this process hashes keys with; tests set them. */
struct table_secret {
	uint64_t key[2];	/* for SipHash */
	uint64_t mask, factor;	/* for 64-bit keys */
};
extern struct table_secret table_secret;

#endif
