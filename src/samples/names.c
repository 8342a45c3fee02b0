/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
	CHUNK = 64 * 1024,
	FIRST_SLOTS = 1024,
};

struct chunk {
	struct chunk *next;
	char text[];
};

struct slot {
	const char *text;	/* NULL: free */
	uint32_t len, hash;
};

struct names {
	size_t limit, bytes;
	bool full;		/* a name was refused */
	uint64_t seed;
	struct slot *slots;	/* a power of two of them, never all used */
	size_t nr_slots, used;
	struct chunk *chunks;	/* the newest first */
	size_t chunk_left;	/* bytes at the end of the newest */
};

struct names *names_new(size_t limit)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->slots = calloc(FIRST_SLOTS, sizeof(*names->slots));
	if (!names->slots) {
		free(names);
		return NULL;
	}
	names->nr_slots = FIRST_SLOTS;
	names->limit = limit;
	names->bytes = sizeof(*names) + FIRST_SLOTS * sizeof(*names->slots);
	/* Who names things does not know where the kernel put this. */
	names->seed = (uintptr_t)names * UINT64_C(0x9e3779b97f4a7c15);
	return names;
}

void names_free(struct names *names)
{
	struct chunk *chunk;

	if (!names)
		return;
	while ((chunk = names->chunks)) {
		names->chunks = chunk->next;
		free(chunk);
	}
	free(names->slots);
	free(names);
}

/* Eight bytes at a time, each step a bijection of what was before. */
static uint32_t hash_of(uint64_t seed, const char *text, size_t len)
{
	const uint64_t odd = UINT64_C(0xff51afd7ed558ccd);
	uint64_t hash = seed ^ len, word;

	for (; len >= sizeof(word); len -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		text += sizeof(word);
		hash = (hash ^ word) * odd;
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, text, len);
	hash = (hash ^ word) * odd;
	return (uint32_t)(hash >> 32);
}

/* The slot of @text, or the free one where it belongs. */
static struct slot *find(const struct names *names, const char *text,
			 size_t len, uint32_t hash)
{
	size_t mask = names->nr_slots - 1, i;
	struct slot *slot;

	for (i = hash & mask;; i = (i + 1) & mask) {
		slot = &names->slots[i];
		if (!slot->text || (slot->hash == hash && slot->len == len &&
				    memcmp(slot->text, text, len) == 0))
			return slot;
	}
}

/* Whether @more bytes may be had, once @less of those in use are freed. */
static bool may_have(const struct names *names, size_t more, size_t less)
{
	size_t kept = names->bytes - less;

	return kept <= names->limit && more <= names->limit - kept;
}

/* Twice as many slots. */
static bool grow(struct names *names)
{
	size_t old_size = names->nr_slots * sizeof(*names->slots);
	struct slot *old = names->slots, *slots;
	size_t nr = names->nr_slots, mask = 2 * nr - 1, at;

	if (!may_have(names, 2 * old_size, old_size))
		return false;
	slots = calloc(2 * nr, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (!old[i].text)
			continue;
		for (at = old[i].hash & mask; slots[at].text;)
			at = (at + 1) & mask;
		slots[at] = old[i];
	}
	free(old);
	names->slots = slots;
	names->nr_slots = 2 * nr;
	names->bytes += old_size;
	return true;
}

/* Room for @size bytes that stay where they are; NULL: there is none. */
static char *take(struct names *names, size_t size)
{
	size_t whole = sizeof(struct chunk) + CHUNK;
	struct chunk *chunk = names->chunks;

	if (names->chunk_left < size) {
		if (!may_have(names, whole, 0))
			return NULL;
		chunk = malloc(whole);
		if (!chunk)
			return NULL;
		chunk->next = names->chunks;
		names->chunks = chunk;
		names->chunk_left = CHUNK;
		names->bytes += whole;
	}
	names->chunk_left -= size;
	return chunk->text + CHUNK - names->chunk_left - size;
}

static const char *refuse(struct names *names)
{
	names->full = true;
	return NAMES_FULL;
}

/* The kept copy of @text, which is sanitized. */
static const char *keep(struct names *names, const char *text, size_t len)
{
	uint32_t hash = hash_of(names->seed, text, len);
	struct slot *slot = find(names, text, len, hash);
	char *copy;

	if (slot->text)
		return slot->text;
	if (4 * (names->used + 1) > 3 * names->nr_slots) {
		if (!grow(names))
			return refuse(names);
		slot = find(names, text, len, hash);
	}
	copy = take(names, len + 1);
	if (!copy)
		return refuse(names);
	memcpy(copy, text, len + 1);
	*slot = (struct slot){ copy, (uint32_t)len, hash };
	names->used++;
	return copy;
}

const char *names_add(struct names *names, const char *text)
{
	size_t len = strnlen(text, NAMES_MAX + 1);
	char safe[NAMES_MAX + 1];
	const struct slot *slot;

	/* What is kept is safe, so what equals it is: mostly we end here. */
	if (len <= NAMES_MAX) {
		slot = find(names, text, len, hash_of(names->seed, text, len));
		if (slot->text)
			return slot->text;
	}
	text_copy(safe, sizeof(safe), text);
	return keep(names, safe, strlen(safe));
}

size_t names_bytes(const struct names *names)
{
	return names->full ? names->limit : names->bytes;
}

size_t names_limit(const struct names *names)
{
	return names->limit;
}
