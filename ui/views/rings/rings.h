/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Rings view's own state and parts: rings.c (keys, mouse, prompts),
 * rings_order.c (which rings, in which order), rings_table.c, rings_map.c
 * (the two pictures) and rings_pick.c (the popup that picks what to sort by).
 */
#ifndef RBTOP_UI_VIEWS_RINGS_RINGS_H
#define RBTOP_UI_VIEWS_RINGS_RINGS_H

#include "ui/kit/list.h"
#include "ui/kit/pick.h"
#include "ui/kit/tags.h"
#include "ui/kit/view.h"

enum {
	RINGS_TEXT = 64,	/* bytes of a search or a filter */
	RINGS_WORST = 64,	/* most rows below the heat map */
};

/* A ring in the order of the table; sorted by keys, smallest first. */
struct rings_row {
	size_t ring;
	double keys[3];
};

/* A column on screen. */
struct rings_column {
	enum figure column;
	int col, width;
};

struct rings_view {
	struct view view;
	struct list list;	/* cursor: a row of the table */
	struct rings_row *order; /* the rings that the filter lets through */
	size_t nr_order;
	size_t capacity;	/* of it */
	struct tags tags;
	size_t current;		/* ring under the cursor, LIST_NONE */
	bool placed;		/* a person put the cursor there: it follows
				 * its ring; else it stays on the top row */
	char search[RINGS_TEXT], filter[RINGS_TEXT];
	size_t search_from;	/* ring where the search began */
	bool seek;		/* the search changed since the last draw */
	bool no_match;
	bool worst;		/* worst on top, whatever the sort column */
	bool map;
	int scroll;		/* columns that are scrolled out at the left */

	/* where things stood at the last draw, for the mouse */
	struct rings_column columns[FIGURES];
	size_t nr_columns;
	bool more_columns;	/* some do not fit */
	int body;		/* the first row of rings */

	struct list map_list;	/* its rows are lines of cells */
	int map_cols;		/* cells in a line */
	int map_left, map_cell;	/* first column, columns of a cell */

	struct pick pick;	/* of the column to sort by */
};

/* Filter and sort @frame's rings anew; the cursor stays on its ring. */
void rings_order_update(struct rings_view *v, const struct frame *frame);
/* Whether the label or the name contains @needle. */
bool rings_order_match(const struct ring_row *ring, const char *needle);
/* Go to the first match from row @from on.  False if there is none. */
bool rings_order_seek(struct rings_view *v, const struct frame *frame,
		      size_t from);
/* Put the cursor on a row of the table, or on a ring. */
void rings_order_place(struct rings_view *v, size_t row);
/* Sort by @column, or turn the order round if that is done already. */
void rings_order_by(struct rings_view *v, enum figure column);
/* The @max worst of @frame's rings that match @filter.  Returns how many. */
size_t rings_order_worst(const struct frame *frame, const char *filter,
			 size_t *rings, size_t max);

/* Choose the columns that fit in @cols. */
void rings_table_fit(struct rings_view *v, const struct frame *frame,
		     int cols);
void rings_table_header(struct rings_view *v, struct area a, int row);
void rings_table_row(const struct rings_view *v, struct area a, int row,
		     const struct frame *frame, size_t ring);
void rings_table_total(const struct rings_view *v, struct area a, int row,
		       const struct frame *frame);
void rings_table_draw(struct rings_view *v, const struct frame *frame,
		      struct area a);
/* Whether it stands among the columns that the last fit chose. */
bool rings_table_shows(const struct rings_view *v, enum figure column);
/* The column at a click in the header, FIGURES where there is none. */
enum figure rings_table_column_at(const struct rings_view *v, int col);
/* Columns that the labels need. */
int rings_table_label_width(const struct frame *frame);

void rings_map_draw(struct rings_view *v, const struct frame *frame,
		    struct area a);
bool rings_map_action(struct rings_view *v, const struct frame *frame,
		      enum action action);
/* The ring at a cell of the area, LIST_NONE where there is none. */
size_t rings_map_ring_at(const struct rings_view *v, const struct frame *frame,
			 int row, int col);

void rings_pick_open(struct rings_view *v);
void rings_pick_draw(struct rings_view *v, struct area a);
/* Moves, Enter, Esc and the key that opened it; the rest is the app's. */
bool rings_pick_action(struct rings_view *v, enum action action);
void rings_pick_click(struct rings_view *v, int row, int col);

#endif
