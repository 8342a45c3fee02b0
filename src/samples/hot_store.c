/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/hot_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int hot_store_init(struct hot_store *s, uint32_t max_cells,
		   uint32_t max_nodes)
{
	*s = (struct hot_store){ .max_cells = max_cells,
				 .max_nodes = max_nodes };
	/* pages that are never written take no memory */
	s->symbols = calloc(max_nodes, sizeof(*s->symbols));
	s->nodes = calloc(max_nodes, sizeof(*s->nodes));
	s->cells = calloc(max_cells, sizeof(*s->cells));
	if (!s->symbols || !s->nodes || !s->cells ||
	    table_index_init(&s->by_symbol, max_nodes) ||
	    table_index_init(&s->by_node, max_nodes) ||
	    table_index_init(&s->by_cell, max_cells))
		return -ENOMEM;
	return 0;
}

void hot_store_free(struct hot_store *s)
{
	free(s->symbols);
	free(s->nodes);
	free(s->cells);
	table_index_free(&s->by_symbol);
	table_index_free(&s->by_node);
	table_index_free(&s->by_cell);
}

void hot_store_clear(struct hot_store *s)
{
	s->nr_symbols = 0;
	s->nr_nodes = 0;
	s->nr_cells = 0;
	table_index_clear(&s->by_symbol);
	table_index_clear(&s->by_node);
	table_index_clear(&s->by_cell);
}

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static inline uint64_t pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static uint64_t symbol_hash(const struct hot_symbol *symbol)
{
	uint64_t hash = mix(symbol->kind, (uintptr_t)symbol->name);

	return mix(hash, (uintptr_t)symbol->dso);
}

/* Equal names have equal pointers (names.h). */
static bool same_symbol(const void *store, uint32_t i, const void *key)
{
	const struct hot_store *s = store;
	const struct hot_symbol *a = &s->symbols[i], *b = key;

	return a->name == b->name && a->dso == b->dso && a->kind == b->kind;
}

struct node_key {
	uint32_t parent;
	const struct hot_symbol *symbol;
};

static bool same_node(const void *store, uint32_t i, const void *key)
{
	const struct hot_store *s = store;
	const struct node_key *wanted = key;

	return s->nodes[i].parent == wanted->parent &&
	       same_symbol(s, s->nodes[i].symbol, wanted->symbol);
}

/* Whether @symbol is that of @node or of one of its callers. */
static bool is_recursive(const struct hot_store *s, uint32_t node,
			 uint32_t symbol)
{
	for (; node != HOT_NONE; node = s->nodes[node].parent)
		if (s->nodes[node].symbol == symbol)
			return true;
	return false;
}

/* One lookup for both symbol and node, since most frames are known. */
bool hot_store_enter(struct hot_store *s, struct hot_position *position,
		     const struct hot_symbol *symbol)
{
	const struct node_key key = { position->node, symbol };
	uint64_t hash = symbol_hash(symbol);
	uint32_t *slot, *known;
	struct hot_node *node;

	position->path = mix(position->path, hash);
	slot = table_index_find(&s->by_node, position->path, same_node, s,
				&key);
	if (*slot == 0) {
		if (s->nr_nodes == s->max_nodes)
			return false;
		node = &s->nodes[s->nr_nodes];
		node->parent = key.parent;
		/* there are never more symbols than nodes, so it fits */
		known = table_index_find(&s->by_symbol, hash, same_symbol, s,
					 symbol);
		if (*known == 0) {
			s->symbols[s->nr_symbols] = *symbol;
			*known = ++s->nr_symbols;
		}
		node->symbol = *known - 1;
		node->recursive = is_recursive(s, key.parent, node->symbol);
		*slot = ++s->nr_nodes;
	}
	position->node = *slot - 1;
	return true;
}

static uint64_t cell_hash(const struct hot_cell *cell)
{
	uint64_t hash = mix(0, pair(cell->node, cell->event));

	hash = mix(hash, pair((uint32_t)cell->cpu, (uint32_t)cell->pid));
	hash = mix(hash, (uintptr_t)cell->comm);
	return mix(hash, (uintptr_t)cell->field);
}

static bool same_cell(const void *store, uint32_t i, const void *key)
{
	const struct hot_store *s = store;
	const struct hot_cell *a = &s->cells[i], *b = key;

	return a->node == b->node && a->event == b->event &&
	       a->cpu == b->cpu && a->pid == b->pid && a->comm == b->comm &&
	       a->field == b->field;
}

struct hot_cell *hot_store_cell(struct hot_store *s,
				const struct hot_cell *key)
{
	uint32_t *slot = table_index_find(&s->by_cell, cell_hash(key),
					  same_cell, s, key);
	struct hot_cell *cell;

	if (*slot)
		return &s->cells[*slot - 1];
	if (s->nr_cells == s->max_cells)
		return NULL;
	cell = &s->cells[s->nr_cells];
	*cell = *key;
	cell->total = cell->recent = (struct hot_weight){ 0 };
	*slot = ++s->nr_cells;
	return cell;
}

size_t hot_store_bytes(const struct hot_store *s)
{
	return table_index_bytes(&s->by_symbol) +
	       table_index_bytes(&s->by_node) +
	       table_index_bytes(&s->by_cell) +
	       s->nr_symbols * sizeof(*s->symbols) +
	       s->nr_nodes * sizeof(*s->nodes) +
	       s->nr_cells * sizeof(*s->cells);
}

int hot_fields_init(struct hot_fields *f)
{
	*f = (struct hot_fields){ .nr = 0 };
	f->texts = calloc(HOT_STORE_FIELDS, sizeof(*f->texts));
	if (!f->texts || table_index_init(&f->by_text, HOT_STORE_FIELDS))
		return -ENOMEM;
	hot_fields_clear(f);
	return 0;
}

void hot_fields_free(struct hot_fields *f)
{
	free(f->texts);
	table_index_free(&f->by_text);
}

void hot_fields_clear(struct hot_fields *f)
{
	table_index_clear(&f->by_text);
	f->nr = 0;
	hot_fields_add(f, "");
}

static bool same_text(const void *ctx, uint32_t i, const void *key)
{
	const struct hot_fields *f = ctx;

	return strcmp(f->texts[i].text, key) == 0;
}

/* The slot of @text, or the free slot for it. */
static uint32_t *find_text(const struct hot_fields *f, const char *text)
{
	return table_index_find(&f->by_text, table_hash(text, strlen(text)),
				same_text, f, text);
}

/* The last entry is for HOT_OTHER. */
const char *hot_fields_add(struct hot_fields *f, const char *text)
{
	char safe[HOT_FIELD_MAX];
	uint32_t *slot;

	if (!*text && f->nr)
		return f->texts[0].text;
	text_copy(safe, sizeof(safe), text);
	slot = find_text(f, safe);
	if (*slot == 0 && f->nr >= HOT_STORE_FIELDS - 1) {
		text_copy(safe, sizeof(safe), HOT_OTHER);
		slot = find_text(f, safe);
	}
	if (*slot == 0) {
		memcpy(f->texts[f->nr].text, safe, strlen(safe) + 1);
		*slot = ++f->nr;
	}
	return f->texts[*slot - 1].text;
}
