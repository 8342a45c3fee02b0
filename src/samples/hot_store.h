/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols, nodes, cells and field values of a hot table, each stored once and
 * found by hashing.  All memory is allocated at the start.
 */
#ifndef RBTOP_SAMPLES_HOT_STORE_H
#define RBTOP_SAMPLES_HOT_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "samples/hot_table.h"

struct hot_store {
	struct hot_symbol *symbols;	/* never more than nodes */
	struct hot_node *nodes;
	struct hot_cell *cells;
	uint32_t nr_symbols, nr_nodes, nr_cells;
	uint32_t max_nodes, max_cells;
	struct table_index by_symbol, by_node, by_cell;
};

/* 0 or -ENOMEM; call hot_store_free() in both cases. */
int hot_store_init(struct hot_store *s, uint32_t max_cells,
		   uint32_t max_nodes);
void hot_store_free(struct hot_store *s);
void hot_store_clear(struct hot_store *s);

/*
 * The position of a frame in the tree of callchains.  Nodes are hashed by all
 * symbols of the path to them, not by the parent's index: so the lookups of a
 * chain's frames do not depend on each other, which makes a deep chain more
 * than twice as fast.
 */
struct hot_position {
	uint32_t node;
	uint64_t path;		/* hash of the path */
};

#define HOT_ROOT ((struct hot_position){ HOT_NONE, 0 })

/*
 * Move @position to the frame @symbol called from it.  False: the store is
 * full.
 */
bool hot_store_enter(struct hot_store *s, struct hot_position *position,
		     const struct hot_symbol *symbol);

/*
 * The cell with the identifying members of @key; a new one has no weight.
 * NULL: the store is full.
 */
struct hot_cell *hot_store_cell(struct hot_store *s,
				const struct hot_cell *key);

/* Bytes in use. */
size_t hot_store_bytes(const struct hot_store *s);

/*
 * The values of a field: bounded in number and length, since they come from
 * outside and may all be different.
 */
enum { HOT_STORE_FIELDS = 4096 };

struct hot_fields {
	struct hot_field *texts;	/* the first is "" */
	uint32_t nr;
	struct table_index by_text;
};

/* 0 or -ENOMEM; call hot_fields_free() in both cases. */
int hot_fields_init(struct hot_fields *f);
void hot_fields_free(struct hot_fields *f);
/* Remove all but "". */
void hot_fields_clear(struct hot_fields *f);
/* The stored copy of @text, sanitized and cut; HOT_OTHER if it is full. */
const char *hot_fields_add(struct hot_fields *f, const char *text);

#endif
