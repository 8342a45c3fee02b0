/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/table.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/units.h"

enum { FIRST_ROOM = 16 };

struct table_secret table_secret;

/* The state of SipHash, and one round. */
struct sip {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t word, unsigned int by)
{
	return word << by | word >> (64 - by);
}

static inline void sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static inline void sip_take(struct sip *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	s->v0 ^= word;
}

uint64_t table_hash(const void *bytes, size_t len)
{
	const uint64_t *k = table_secret.key;
	struct sip s = {
		k[0] ^ UINT64_C(0x736f6d6570736575),
		k[1] ^ UINT64_C(0x646f72616e646f6d),
		k[0] ^ UINT64_C(0x6c7967656e657261),
		k[1] ^ UINT64_C(0x7465646279746573),
	};
	const char *at = bytes;
	uint64_t word, last = (uint64_t)len << 56;

	for (; len >= sizeof(word); len -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		sip_take(&s, le64toh(word));
		at += sizeof(word);
	}
	word = 0;
	memcpy(&word, at, len);
	sip_take(&s, le64toh(word) | last);
	s.v2 ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* The kernel gives each program 16 random bytes: getauxval(3). */
__attribute__((constructor)) static void init_secret(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random)
		memcpy(table_secret.key, random, sizeof(table_secret.key));
	table_secret.mask = table_hash("mask", 4);
	table_secret.factor = table_hash("factor", 6) | 1;
}

/*
 * The high bits of a product depend on all bits of its factors, the low bits on
 * few.
 */
static inline uint64_t mix(uint64_t key)
{
	uint64_t hash = (key ^ table_secret.mask) * table_secret.factor;

	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

int table_index_init(struct table_index *index, size_t nr)
{
	uint64_t slots = units_round_pow2(2 * (uint64_t)nr);

	*index = (struct table_index){ 0 };
	if (nr >= TABLE_NONE / 2)
		return -ENOMEM;
	index->slots = calloc(slots, sizeof(*index->slots));
	index->mask = (uint32_t)(slots - 1);
	return index->slots ? 0 : -ENOMEM;
}

void table_index_free(struct table_index *index)
{
	free(index->slots);
	*index = (struct table_index){ 0 };
}

void table_index_clear(struct table_index *index)
{
	if (index->slots)
		memset(index->slots, 0, table_index_bytes(index));
}

void table_free(struct table *t)
{
	free(t->entries);
	table_index_free(&t->index);
	*t = (struct table){ .max = t->max };
}

void table_clear(struct table *t)
{
	t->len = 0;
	table_index_clear(&t->index);
}

size_t table_bytes(const struct table *t)
{
	return t->room * sizeof(*t->entries) + table_index_bytes(&t->index);
}

/* True for the entry whose index is *@key. */
static bool is_place(const void *ctx, uint32_t place, const void *key)
{
	(void)ctx;
	return place == *(const uint32_t *)key;
}

/* The slot of the entry at @place, or the free slot where it belongs. */
static uint32_t *slot_of(const struct table *t, uint32_t place)
{
	return table_index_find(&t->index, mix(t->entries[place].key),
				is_place, NULL, &place);
}

static void enter(struct table *t, uint32_t place)
{
	*slot_of(t, place) = place + 1;
}

/* Set the room to @room entries, a power of two and at least t->len. */
static int resize(struct table *t, size_t room)
{
	size_t bytes = room * sizeof(*t->entries) +
		       2 * room * sizeof(*t->index.slots);
	struct table_index index;
	int ret;

	if (room >= TABLE_NONE / 2 || (t->max && bytes > t->max))
		return -ENOMEM;
	ret = table_index_init(&index, room);
	if (!ret)
		ret = array_fit_max(t->entries, t->room, room, room);
	if (ret) {
		table_index_free(&index);
		return ret;
	}
	array_trim(t->entries, t->room, room);
	t->room = room;
	table_index_free(&t->index);
	t->index = index;
	for (uint32_t i = 0; i < t->len; i++)
		enter(t, i);
	return 0;
}

static int grow(struct table *t, size_t nr)
{
	if (nr <= t->room)
		return 0;
	if (nr >= TABLE_NONE / 2)
		return -ENOMEM;
	return resize(t, (size_t)units_round_pow2(MAX(nr, FIRST_ROOM)));
}

int table_reserve(struct table *t, size_t nr)
{
	int ret = grow(t, nr);

	if (!ret)
		t->min = MAX(t->min, nr);
	return ret;
}

/* Return memory after many entries were removed, but keep t->min. */
static void shrink(struct table *t)
{
	size_t room = t->room / 4;

	if (t->len < t->room / 8 && room >= FIRST_ROOM && room >= t->min)
		resize(t, room);
}

static int add(struct table *t, struct table_entry entry)
{
	int ret = grow(t, t->len + 1);

	if (ret)
		return ret;
	t->entries[t->len] = entry;
	enter(t, (uint32_t)t->len++);
	return 0;
}

int table_add(struct table *t, uint64_t key, void *item)
{
	return add(t, (struct table_entry){ .key = key, .item = item });
}

int table_add_index(struct table *t, uint64_t key, size_t index)
{
	return add(t, (struct table_entry){ .key = key, .index = index });
}

static bool has_key(const void *ctx, uint32_t place, const void *key)
{
	const struct table *t = ctx;

	return t->entries[place].key == *(const uint64_t *)key;
}

struct table_entry *table_find(const struct table *t, uint64_t key)
{
	uint32_t place;

	if (!t->len)
		return NULL;
	place = *table_index_find(&t->index, mix(key), has_key, t, &key);
	return place ? &t->entries[place - 1] : NULL;
}

struct table_entry *table_again(const struct table *t,
				const struct table_entry *entry)
{
	const struct table_index *index = &t->index;
	uint32_t *slot = slot_of(t, (uint32_t)(entry - t->entries)), place;
	uint32_t at = (uint32_t)(slot - index->slots);

	do {
		at = (at + 1) & index->mask;
		place = index->slots[at];
	} while (place && !has_key(t, place - 1, &entry->key));
	return place ? &t->entries[place - 1] : NULL;
}

void *table_get(const struct table *t, uint64_t key)
{
	const struct table_entry *entry = table_find(t, key);

	return entry ? entry->item : NULL;
}

/*
 * Free a slot.  Entries after it move up, each as near as possible to the slot
 * where its search starts, so that no search ends here (Knuth vol. 3, 6.4,
 * algorithm R).
 */
static void free_slot(struct table *t, uint32_t *slot)
{
	uint32_t mask = t->index.mask, *slots = t->index.slots;
	uint32_t gap = (uint32_t)(slot - slots), at = gap, home;

	while (slots[at = (at + 1) & mask]) {
		home = (uint32_t)mix(t->entries[slots[at] - 1].key);
		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		slots[gap] = slots[at];
		gap = at;
	}
	slots[gap] = 0;
}

void table_remove(struct table *t, uint64_t key, const void *item)
{
	struct table_entry *entry = table_find(t, key);
	uint32_t last, place;

	while (entry && entry->item != item)
		entry = table_again(t, entry);
	if (!entry)
		return;
	place = (uint32_t)(entry - t->entries);
	last = (uint32_t)t->len - 1;
	free_slot(t, slot_of(t, place));
	if (place != last) {
		*slot_of(t, last) = place + 1;
		*entry = t->entries[last];
	}
	t->len--;
	shrink(t);
}
