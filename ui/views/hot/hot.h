/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Hot view's own state and parts: hot.c (keys, lines around the list),
 * hot_order.c (which rows, narrowing and widening), hot_list.c (columns and
 * cells) and hot_pick.c (the popup that picks what to group by).
 */
#ifndef RBTOP_UI_VIEWS_HOT_HOT_H
#define RBTOP_UI_VIEWS_HOT_HOT_H

#include "samples/hot_rows.h"
#include "samples/samples.h"
#include "ui/kit/listing.h"
#include "ui/views/narrow.h"

/* What the list is sorted by; also ids of its columns. */
enum hot_sort { HOT_SORT_SELF, HOT_SORT_CHILDREN, HOT_SORT_NAME, HOT_SORTS };

/* The query before a narrowing, which Esc restores. */
struct hot_step {
	unsigned int keys, nr_where;
	uint64_t id;		/* of the row that was narrowed to */
};

struct hot_view {
	struct listing list;
	struct hot_rows rows;
	double most;		/* largest share, of those sorted by */
	const struct hot *hot;	/* that @rows were made of; NULL: none yet */
	uint64_t changes;	/* hot->changes at that time */
	struct hot_query query;	/* that @rows were made for */
	struct hot_step steps[HOT_WHERES];
	unsigned int nr_steps;
	bool roomy;		/* there is room for the row's file */
	struct pick groups;	/* popup of what to group by */
};

/* For listing_ops; update and nr also work without samples. */
void hot_order_update(struct listing *l);
size_t hot_order_nr(const struct listing *l);
const void *hot_order_at(const struct listing *l, size_t i);
uint64_t hot_order_id(const struct listing *l, const void *row);
bool hot_order_match(const struct listing *l, const void *row,
		     const char *needle);
void hot_order_sorted(struct listing *l);
void hot_order_filter(struct listing *l, const char *text, bool final);
size_t hot_list_columns(struct listing *l, int cols,
			struct list_column *columns);
enum role hot_list_cell(struct listing *l, const void *row,
			const struct list_column *column, struct area cell,
			char *text);

/* Narrow to the samples of a row.  NULL, or why that is not possible. */
const char *hot_order_narrow(struct hot_view *v, const struct hot *hot,
			     const struct hot_row *row);
/* Undo the last narrowing.  False if there is none. */
bool hot_order_widen(struct hot_view *v);
/* Group by @keys (bits 1 << enum hot_key) from now on. */
void hot_order_group(struct hot_view *v, unsigned int keys);
/* Whether rows have a share that includes their callees. */
bool hot_order_children(const struct hot_view *v, const struct hot *hot);

void hot_pick_open(struct hot_view *v, const struct samples *samples);
void hot_pick_draw(struct hot_view *v, const struct samples *samples,
		    struct area a);
/* Cursor keys, Enter, Space, Esc and the key that opened it. */
bool hot_pick_action(struct hot_view *v, const struct samples *samples,
		      enum action action);
void hot_pick_click(struct hot_view *v, const struct samples *samples,
		     int row, int col);

#endif
