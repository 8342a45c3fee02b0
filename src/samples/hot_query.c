/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/hot_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool frame_matches(const struct hot_symbol *symbol,
			  const struct hot_where *where)
{
	const struct hot_value *value = &where->value;

	if (symbol->dso != value->dso)
		return false;
	return where->key == HOT_DSO || (symbol->name == value->name &&
					 symbol->kind == value->kind);
}

static bool cell_matches(const struct hot_cell *cell,
			 const struct hot_where *where)
{
	const struct hot_value *value = &where->value;

	switch (where->key) {
	case HOT_COMM:
		return cell->comm == value->comm;
	case HOT_PID:
		return cell->pid == value->pid;
	case HOT_CPU:
		return cell->cpu == value->cpu;
	case HOT_EVENT:
		return cell->event == value->event;
	case HOT_FIELD:
		return strcmp(cell->field, where->field) == 0;
	default:
		return true;	/* depends on frames: see frames_match() */
	}
}

const char *hot_part_name(enum hot_part part)
{
	static const char *const names[HOT_PARTS] = {
		[HOT_BUSY] = "without idle",
		[HOT_USER] = "user only",
		[HOT_KERNEL] = "kernel only, without idle",
	};

	return names[part];
}

/* The idle task has pid 0; its samples, and others, are where they stopped. */
static bool is_part(const struct hot *hot, enum hot_part part,
		    const struct hot_cell *cell)
{
	enum symbol_kind kind =
		hot->symbols[hot->nodes[cell->node].symbol].kind;

	switch (part) {
	case HOT_BUSY:
		return cell->pid != 0;
	case HOT_USER:
		/* addresses in no known mapping were in user space, too */
		return kind == SYMBOL_USER || kind == SYMBOL_JIT ||
		       (kind == SYMBOL_UNKNOWN && cell->pid != 0);
	case HOT_KERNEL:
		return kind == SYMBOL_KERNEL && cell->pid != 0;
	default:
		return true;
	}
}

/* Clear @match of the cells whose frames do not match @where. */
static int frames_match(const struct hot *hot, const struct hot_where *where,
			bool *match)
{
	bool *node = calloc((size_t)hot->nr_nodes + 1, sizeof(*node));

	if (!node)
		return -ENOMEM;
	for (uint32_t i = 0; i < hot->nr_nodes; i++) {
		const struct hot_node *n = &hot->nodes[i];

		node[i] = frame_matches(&hot->symbols[n->symbol], where) ||
			  (where->anywhere && n->parent != HOT_NONE &&
			   node[n->parent]);
	}
	for (uint32_t i = 0; i < hot->nr_cells; i++)
		match[i] = match[i] && node[hot->cells[i].node];
	free(node);
	return 0;
}

/* Set @match of the cells that have a weight and are selected. */
static int match_cells(const struct hot *hot, const struct hot_query *query,
		       bool *match)
{
	bool by_field = query->keys & 1u << HOT_FIELD;
	const struct hot_where *where;
	int ret = 0;

	for (uint32_t i = 0; i < hot->nr_cells; i++)
		match[i] = hot_query_weight(query, &hot->cells[i])->sum > 0 &&
			   (!by_field || *hot->cells[i].field) &&
			   is_part(hot, query->part, &hot->cells[i]);
	for (unsigned int w = 0; w < query->nr_where && ret == 0; w++) {
		where = &query->where[w];
		for (uint32_t i = 0; i < hot->nr_cells; i++)
			match[i] = match[i] &&
				   cell_matches(&hot->cells[i], where);
		if (where->key == HOT_SYMBOL || where->key == HOT_DSO)
			ret = frames_match(hot, where, match);
	}
	return ret;
}

static bool are_by_events(const struct hot *hot, const struct hot_query *query,
			  const uint32_t *cells, uint32_t nr)
{
	uint32_t event = HOT_NONE;
	double events = 0;

	for (uint32_t i = 0; i < nr; i++) {
		const struct hot_cell *cell = &hot->cells[cells[i]];

		if (event != HOT_NONE && event != cell->event)
			return false;
		event = cell->event;
		events += hot_query_weight(query, cell)->events;
	}
	return events > 0 && strcmp(hot->events[event], HOT_MERGED) != 0;
}

int hot_query_cells(const struct hot *hot, const struct hot_query *query,
		    uint32_t *cells, uint32_t *nr, bool *by_events)
{
	bool *match = calloc((size_t)hot->nr_cells + 1, sizeof(*match));
	int ret = match ? match_cells(hot, query, match) : -ENOMEM;

	*nr = 0;
	for (uint32_t i = 0; ret == 0 && i < hot->nr_cells; i++)
		if (match[i])
			cells[(*nr)++] = i;
	free(match);
	*by_events = are_by_events(hot, query, cells, *nr);
	return ret;
}
