/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Hot view's own state and parts: hot.c (keys, mouse, prompts),
 * hot_order.c (which rows, the cursor's, the way in and out of a narrowing),
 * hot_list.c (the picture) and hot_pick.c (the popup that picks what to
 * group by).
 */
#ifndef RBTOP_UI_VIEWS_HOT_HOT_H
#define RBTOP_UI_VIEWS_HOT_HOT_H

#include "samples/hot_rows.h"
#include "samples/samples.h"
#include "ui/kit/list.h"
#include "ui/kit/pick.h"
#include "ui/views/narrow.h"

enum { HOT_TEXT = 64 };		/* bytes of a search or a filter */

enum hot_sort { HOT_SORT_SELF, HOT_SORT_CHILDREN, HOT_SORT_NAME };

/* What Esc goes back to. */
struct hot_step {
	unsigned int keys, nr_where;
	struct hot_value mark;	/* the row that it was entered by */
};

struct hot_view {
	struct view view;
	struct list list;
	struct hot_rows rows;
	double most;		/* of their shares, by what they are sorted */
	const struct hot *hot;	/* that they were made of; NULL: none yet */
	uint64_t changes;	/* that this had then */
	struct hot_query query;	/* and this */
	bool stale;		/* they have to be made anew even so */
	bool placed;		/* a person put the cursor there: it follows
				 * its row; else it stays on the hottest */
	struct hot_value mark;	/* the row under the cursor */
	struct hot_step steps[HOT_WHERES];
	unsigned int nr_steps;
	char search[HOT_TEXT], filter[HOT_TEXT];
	size_t search_from;	/* row where the search began */
	bool seek;		/* the search changed since the last draw */
	bool no_match;
	int scroll;		/* columns of the names that are out at the
				 * left */
	struct pick pick;	/* of what to group by, or to sort by */
	bool picks_sort;

	/* where things stood at the last draw, for the mouse */
	int body;		/* the first row of the table */
	int self_col, children_col, error_col;	/* -1: not there */
	int name_col, name_width;
	bool cut;		/* a name did not fit */
};

/* Bring the rows up to date where something changed. */
void hot_order_update(struct hot_view *v, const struct hot *hot);
/* Put the cursor on a row. */
void hot_order_place(struct hot_view *v, size_t row);
/* Whether the text of any cell contains @needle. */
bool hot_order_match(const struct hot_view *v, const struct hot *hot,
		    size_t row, const char *needle);
/* Go to the first match from row @from on.  False if there is none. */
bool hot_order_seek(struct hot_view *v, const struct hot *hot, size_t from);
/* Narrow to the row under the cursor; a reason where that cannot be, or NULL */
const char *hot_order_narrow(struct hot_view *v, const struct hot *hot);
/* Take the last narrowing off.  False where there is none. */
bool hot_order_widen(struct hot_view *v);
/* Group by @keys from now on. */
void hot_order_group(struct hot_view *v, unsigned int keys);
/* Sort by a column from now on. */
void hot_order_sort(struct hot_view *v, enum hot_sort sort);
enum hot_sort hot_order_sorted(const struct hot_view *v,
			       const struct hot *hot);
/* Whether functions have shares of what they call. */
bool hot_order_children(const struct hot_view *v, const struct hot *hot);

void hot_list_header(struct hot_view *v, const struct hot *hot,
		      struct area a);
void hot_list_draw(struct hot_view *v, const struct hot *hot, struct area a);

void hot_pick_open(struct hot_view *v, const struct samples *samples);
void hot_pick_open_sort(struct hot_view *v, const struct hot *hot);
void hot_pick_draw(struct hot_view *v, const struct samples *samples,
		    struct area a);
/* Moves, Enter, Space, Esc and the key that opened it. */
bool hot_pick_action(struct hot_view *v, const struct samples *samples,
		      enum action action);
void hot_pick_click(struct hot_view *v, const struct samples *samples,
		     int row, int col);

#endif
