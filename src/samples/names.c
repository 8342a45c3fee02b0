/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"

enum {
	CHUNK = 64 * 1024,
	FIRST_NAMES = 1024,
};

struct chunk {
	struct chunk *next;
	char text[];
};

struct names {
	size_t limit;
	size_t bytes;		/* of all but the table */
	bool full; /* a name was rejected */
	struct table table;	/* of the kept texts, by their hashes */
	struct chunk *chunks;	/* the newest first */
	size_t chunk_left;	/* bytes at the end of the newest */
};

struct names *names_new(size_t limit)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	if (table_reserve(&names->table, FIRST_NAMES)) {
		free(names);
		return NULL;
	}
	names->limit = limit;
	names->bytes = sizeof(*names);
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
	table_free(&names->table);
	free(names);
}

/* The stored copy of the @len bytes at @text; NULL: none. */
static const char *find(const struct names *names, const char *text,
			size_t len, uint64_t hash)
{
	const struct table_entry *entry = table_find(&names->table, hash);
	const char *kept;

	for (; entry; entry = table_again(&names->table, entry)) {
		kept = entry->item;
		if (strncmp(kept, text, len) == 0 && !kept[len])
			return kept;
	}
	return NULL;
}

/* Bytes that may still be allocated when @used are in use. */
static size_t left(const struct names *names, size_t used)
{
	return used < names->limit ? names->limit - used : 0;
}

/* @size bytes whose address never changes; NULL: at the limit. */
static char *allocate(struct names *names, size_t size)
{
	size_t whole = sizeof(struct chunk) + CHUNK;
	size_t used = names->bytes + table_bytes(&names->table);
	struct chunk *chunk = names->chunks;

	if (names->chunk_left < size) {
		if (left(names, used) < whole)
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

/* The stored copy of @text, which is sanitized. */
static const char *keep(struct names *names, const char *text, size_t len)
{
	uint64_t hash = table_hash(text, len);
	const char *kept = find(names, text, len, hash);
	size_t max = left(names, names->bytes);
	char *copy = NULL;

	if (kept)
		return kept;
	names->table.max = max ? max : 1;
	if (table_reserve(&names->table, names->table.len + 1) == 0)
		copy = allocate(names, len + 1);
	if (!copy) {
		names->full = true;
		return NAMES_FULL;
	}
	memcpy(copy, text, len + 1);
	table_add(&names->table, hash, copy);
	return copy;
}

const char *names_add(struct names *names, const char *text)
{
	size_t len = strnlen(text, NAMES_MAX + 1);
	char safe[NAMES_MAX + 1];
	const char *kept;

	/* the usual case: what equals a stored name is sanitized */
	if (len <= NAMES_MAX) {
		kept = find(names, text, len, table_hash(text, len));
		if (kept)
			return kept;
	}
	text_copy(safe, sizeof(safe), text);
	return keep(names, safe, strlen(safe));
}

size_t names_bytes(const struct names *names)
{
	return names->full ? names->limit :
			     names->bytes + table_bytes(&names->table);
}

size_t names_limit(const struct names *names)
{
	return names->limit;
}
