/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols, nodes, cells and field values of a hot table, each kept once and
 * found by hashing.  All memory is had at the start: nothing allocates later.
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

/* 0 or -ENOMEM; hot_store_free() either way. */
int hot_store_init(struct hot_store *s, uint32_t max_cells,
		   uint32_t max_nodes);
void hot_store_free(struct hot_store *s);
void hot_store_clear(struct hot_store *s);

/*
 * Where a callchain has led to.  Nodes are hashed by the whole way to them: so
 * the look-ups of a chain's frames need not wait for each other's memory,
 * which makes a deep chain more than twice as fast.
 */
struct hot_place {
	uint32_t node;
	uint64_t way;
};

#define HOT_OUTSIDE ((struct hot_place){ HOT_NONE, 0 })

/* Go on to the frame @symbol, called from @place.  False: no room. */
bool hot_store_enter(struct hot_store *s, struct hot_place *place,
		     const struct hot_symbol *symbol);

/*
 * The cell with what identifies @key, new ones without weight.  NULL: no room.
 */
struct hot_cell *hot_store_cell(struct hot_store *s,
				const struct hot_cell *key);

/* Bytes in use. */
size_t hot_store_bytes(const struct hot_store *s);

/*
 * The values of a field, few and short: they come from outside, and may never
 * be the same twice.
 */
enum { HOT_STORE_FIELDS = 4096 };

struct hot_fields {
	struct hot_field *texts;	/* the first is "" */
	uint32_t nr;
	struct table_index by_text;
};

/* 0 or -ENOMEM; hot_fields_free() either way. */
int hot_fields_init(struct hot_fields *f);
void hot_fields_free(struct hot_fields *f);
/* Forget all but "". */
void hot_fields_clear(struct hot_fields *f);
/* The kept copy of @text, sanitized; HOT_OTHER once there is no more room. */
const char *hot_fields_add(struct hot_fields *f, const char *text);

#endif
