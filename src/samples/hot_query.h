/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the samples that the hot table counted are asked for, and what they
 * are to be grouped and sorted by.
 */
#ifndef RBTOP_SAMPLES_HOT_QUERY_H
#define RBTOP_SAMPLES_HOT_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "samples/hot_key.h"
#include "samples/hot_table.h"

/* Only samples of which this holds. */
struct hot_where {
	enum hot_key key;
	struct hot_value value;
	bool anywhere;		/* symbol, dso: of any frame, not of the
				 * innermost alone */
	char field[HOT_FIELD_MAX];	/* instead of that of the value */
	char of[64];		/* what that is a value of; for texts alone */
};

enum { HOT_WHERES = 8 };

struct hot_query {
	unsigned int keys;	/* to group by: bits 1 << enum hot_key */
	bool recent;		/* the decaying weights, not the totals */
	bool by_children;	/* sort by that instead of self */
	bool by_name;		/* sort by the keys instead of either */
	struct hot_where where[HOT_WHERES];
	unsigned int nr_where;
};

/*
 * Which samples @query narrows to: @match, of nr_cells entries, is set for
 * the cells that have a weight and are among them.  Grouped by a field, those
 * that have it: of its event, and taken since it was chosen.  0 or -ENOMEM.
 */
int hot_query_match(const struct hot *hot, const struct hot_query *query,
		    bool *match);

/* Whether shares of those that @match are of events. */
bool hot_query_by_events(const struct hot *hot, const struct hot_query *query,
			 const bool *match);

/* The weight of a cell that @query looks at. */
static inline const struct hot_weight *
hot_query_weight(const struct hot_query *query, const struct hot_cell *cell)
{
	return query->recent ? &cell->recent : &cell->total;
}

#endif
