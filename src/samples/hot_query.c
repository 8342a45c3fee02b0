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
		return true;	/* of its frames: see frames_match() */
	}
}

/* Clear @match where the frames are not those that @where asks for. */
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

/* Whether there is something of it to group by. */
static bool can_be_grouped(const struct hot_query *query,
			   const struct hot_cell *cell)
{
	return !(query->keys & 1u << HOT_FIELD) || *cell->field;
}

int hot_query_match(const struct hot *hot, const struct hot_query *query,
		    bool *match)
{
	const struct hot_where *where;
	int ret = 0;

	for (uint32_t i = 0; i < hot->nr_cells; i++)
		match[i] = hot_query_weight(query, &hot->cells[i])->sum > 0 &&
			   can_be_grouped(query, &hot->cells[i]);
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

bool hot_query_by_events(const struct hot *hot, const struct hot_query *query,
			 const bool *match)
{
	uint32_t event = HOT_NONE;
	double events = 0;

	for (uint32_t i = 0; i < hot->nr_cells; i++) {
		const struct hot_cell *cell = &hot->cells[i];

		if (!match[i])
			continue;
		if (event != HOT_NONE && event != cell->event)
			return false;
		event = cell->event;
		events += hot_query_weight(query, cell)->events;
	}
	return events > 0 && strcmp(hot->events[event], HOT_MERGED) != 0;
}
