/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A selection of the hot table's samples, and how to group and sort them. */
#ifndef RBTOP_SAMPLES_HOT_QUERY_H
#define RBTOP_SAMPLES_HOT_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "samples/hot_key.h"
#include "samples/hot_table.h"

/* A condition on samples: their @key is @value. */
struct hot_where {
	enum hot_key key;
	struct hot_value value;
	bool anywhere;		/* symbol, dso: of any frame, not only of the
				 * innermost */
	char field[HOT_FIELD_MAX];	/* used instead of value.field */
	char of[64];		/* name of that field; only for display */
};

enum { HOT_WHERES = 8, HOT_FILTER_MAX = 256 };

/* Which samples, by what their CPU did. */
enum hot_part {
	HOT_EVERYTHING,
	HOT_BUSY,	/* not of the idle task */
	HOT_USER,	/* in user space */
	HOT_KERNEL,	/* in the kernel, but not of the idle task */
	HOT_PARTS,
};

struct hot_query {
	enum hot_part part;
	unsigned int keys;	/* to group by: bits 1 << enum hot_key */
	bool recent;		/* use the decaying weights, not the totals */
	bool by_children;	/* sort by children instead of self */
	bool by_name;		/* sort by the keys instead */
	struct hot_where where[HOT_WHERES];
	unsigned int nr_where;
	char filter[HOT_FILTER_MAX];	/* show only rows with it in a text;
					 * "": all.  Shares do not change */
};

/* "without idle", ... for screens; NULL for everything. */
const char *hot_part_name(enum hot_part part);

/*
 * Write the indices of the cells that @query selects, and that have a weight,
 * to @cells, of nr_cells entries; *@nr: their number.  If grouped by field,
 * only cells with a value of it: of its event, and counted since it was chosen.
 * *@by_events: whether shares are of events.  0 or -ENOMEM.
 */
int hot_query_cells(const struct hot *hot, const struct hot_query *query,
		    uint32_t *cells, uint32_t *nr, bool *by_events);

/* The weight of a cell that @query uses. */
static inline const struct hot_weight *
hot_query_weight(const struct hot_query *query, const struct hot_cell *cell)
{
	return query->recent ? &cell->recent : &cell->total;
}

#endif
