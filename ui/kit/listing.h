/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list screen: rows that can be filtered, searched, tagged and sorted by a
 * column, and a cursor that stays on its row.  A view provides the rows, the
 * text of cells, what matches a text and what Enter does; keys, mouse, drawing
 * and the labels of the bottom line are here.
 *
 * A view's own struct begins with a struct listing, which begins with a struct
 * view, so that the functions here can be used in its view_ops.  The view
 * numbers rows from 0 in each frame; only the id of a row is permanent.
 *
 * listing.c: order, cursor, search and tags; listing_keys.c: keys and mouse;
 * listing_draw.c: drawing.
 */
#ifndef RBTOP_UI_KIT_LISTING_H
#define RBTOP_UI_KIT_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/kit/list.h"
#include "ui/kit/view.h"

enum {
	LISTING_TEXT = REQUEST_TEXT,	/* bytes of a search or a filter */
	LISTING_CELL = 1024,	/* bytes of a cell's text */
	LISTING_UNSORTED = -1,	/* in place of a column's id */
};

struct listing;

/* A key that sorts by a column: from its larger or smaller end, as the column
 * says, however often it is pressed. */
struct listing_key {
	enum action action;
	int column;		/* LISTING_UNSORTED: the natural order */
};

/*
 * A view's rows, which are pointers into l->frame or into data that the view
 * made of it, valid until the next update.  nr, at, id, columns and cell are
 * required; a feature whose function is NULL is not offered.
 */
struct listing_ops {
	/* Called before the others: update the data made of l->frame. */
	void (*update)(struct listing *l);
	size_t (*nr)(const struct listing *l);
	/* NULL: number @i is not a row. */
	const void *(*at)(const struct listing *l, size_t i);
	uint64_t (*id)(const struct listing *l, const void *row);
	bool (*match)(const struct listing *l, const void *row,
		      const char *needle);
	/* Compares as for qsort(3), as the next ones do; precedes any order,
	 * so that rows that are gone are at the bottom. */
	int (*group)(const void *a, const void *b);
	/* By @column, the smallest first; NULL: the view sorts the rows. */
	int (*compare)(int column, const void *a, const void *b);
	/* False: the row is last in both directions. */
	bool (*is_known)(int column, const void *row);
	/* The worst first. */
	int (*worst)(const void *a, const void *b);
	/* The user chose another order. */
	void (*sorted)(struct listing *l);
	/*
	 * Filter by @text ("": all rows) in place of match; without @final it
	 * is still being typed.  Sets l->filter if it accepts @text; update
	 * then sets l->all.
	 */
	void (*filter)(struct listing *l, const char *text, bool final);

	/* Set @columns (LIST_COLUMNS) for a list @cols wide; how many. */
	size_t (*columns)(struct listing *l, int cols,
			  struct list_column *columns);
	/*
	 * Write the text of a cell to @text (LISTING_CELL bytes) and return its
	 * role; or draw in @cell, one line high, and leave @text "".  @row is
	 * NULL for the row of totals, see has_total.
	 */
	enum role (*cell)(struct listing *l, const void *row,
			  const struct list_column *column, struct area cell,
			  char *text);
	/* Draw left of the columns; a tag is drawn over it. */
	void (*gutter)(const struct listing *l, const void *row, struct area a);
	/* Whether a row of totals is shown below the rows. */
	bool (*has_total)(const struct listing *l);
	/* Draw the rows, at least one, as a picture in place of the table. */
	void (*picture)(struct listing *l, struct area a);
	/* The index in l->order of the row drawn at a cell of the picture, or
	 * LIST_NONE; also called before the first draw. */
	size_t (*picture_at)(const struct listing *l, int row, int col);
	/* Draw notes after those of the list, from @col on; returns the column
	 * after them. */
	int (*notes)(const struct listing *l, struct area a, int col);
	/* Draw what marks in the table mean, on a line that is free below it;
	 * may be NULL. */
	void (*legend)(const struct listing *l, struct area line);
	/* Draw in place of rows if there are none. */
	void (*empty)(const struct listing *l, struct area a);

	/* Enter on a row, if @detail is VIEW_NONE. */
	void (*open)(struct listing *l, const void *row);
	enum view_id detail;	/* opened by Enter; VIEW_NONE: open() */

	int gutter_cols;
	int natural;		/* column that unsorted rows are in order of;
				 * LISTING_UNSORTED: none */
	const struct listing_key *keys; /* up to ACTION_NONE; may be NULL */
	bool tags;		/* rows can be tagged */
	bool follows_end;	/* until the user moves it, the cursor stays on
				 * the last row; else on the first */
	const char *filter_label;	/* NULL: "filter: " */
};

struct listing {
	struct view view;	/* first */
	const struct listing_ops *ops;
	int above, below;	/* lines of the area that the view draws */
	bool idle;		/* another list of the view has the cursor */

	/* set by the last update */
	const struct frame *frame; /* for listing_ops */
	struct list list;	/* its rows are those of @order */
	const void **order;	/* sorted rows that match the filter */
	size_t order_cap;
	size_t all;		/* rows without the filter; LIST_NONE: not
				 * known */

	uint64_t current;	/* id of the row under the cursor, if any */
	bool placed;		/* the user moved it: it follows its row */

	char filter[LISTING_TEXT];
	char typed[LISTING_TEXT];	/* for the next filter prompt */
	char before[LISTING_TEXT];	/* filter when the prompt was opened */
	char search[LISTING_TEXT];
	uint64_t search_from;	/* @current when the search was started */
	bool search_placed;	/* @placed at that time */
	bool seek;		/* the search changed since the last update */
	bool no_match;

	int sort;		/* a column's id, LISTING_UNSORTED */
	bool invert;
	bool worst;		/* worst on top; @sort is ignored */

	uint64_t *tagged;	/* ids */
	size_t nr_tagged, tagged_cap;
	size_t *targets;	/* of listing_targets() */
	size_t targets_cap;
	uint64_t *listed;	/* of listing_detail() */
	size_t listed_cap;

	struct list_column columns[LIST_COLUMNS];
	size_t nr_columns;
	bool more_columns;	/* at the right */
	int scroll;		/* columns scrolled out at the left */
	int text_scroll;	/* screen columns of text scrolled out */
	bool cut;		/* the last draw cut a text at the right */
	bool pictured;		/* the picture is shown, not the table */
	bool ascii;		/* the canvas is ASCII */
	struct pick pick;	/* of the column to sort by */
};

/* Initialize a zeroed list; it may be one of several in @view. */
void listing_init(struct listing *l, const struct view *view,
		  const struct listing_ops *ops);

/* For view_ops, where @view is a struct listing.  A view that draws lines of
 * the area itself sets above and below before listing_draw(). */
void listing_release(struct view *view);
void listing_draw(struct view *view, const struct frame *frame,
		  struct area area);
/* The popup that chooses the sort column, again: over what the view drew on top
 * of the list. */
void listing_draw_pick(struct listing *l, struct area area);
bool listing_action(struct view *view, const struct frame *frame,
		    enum action action);
bool listing_click(struct view *view, const struct frame *frame, int row,
		   int col, bool twice);
bool listing_wheel(struct view *view, const struct frame *frame, int lines);
const char *listing_label(const struct view *view, enum action action);

/* Filter and sort the rows of @frame; the cursor stays on its row. */
void listing_update(struct listing *l, const struct frame *frame);
/* The row under the cursor; NULL if there is none. */
const void *listing_current(const struct listing *l);
/* Put the cursor on l->order[@at], or on the last row. */
void listing_place(struct listing *l, size_t at);
/* Move the cursor to the row @id at the next update. */
void listing_go_to(struct listing *l, uint64_t id);
/* The cursor no longer follows its row: it goes to the top, or with follows_end
 * to the end. */
void listing_leave(struct listing *l);
/* Open @detail for the row @id; the keys for the previous and next row go
 * through the rows listed now. */
void listing_detail(struct listing *l, enum view_id detail, uint64_t id);
/* Sort by @column, or invert the order if it is sorted by it already. */
void listing_sort(struct listing *l, int column);
/* Whether the row matches the search. */
bool listing_found(const struct listing *l, const void *row);
/* Go to the first row that matches the search, from l->order[@from] on, with
 * @back backwards, wrapping around.  False if there is none. */
bool listing_seek(struct listing *l, size_t from, bool back);

/* Tag or untag the row under the cursor, and move to the next. */
void listing_tag(struct listing *l);
bool listing_has_tag(const struct listing *l, uint64_t id);
/*
 * Set l->targets to the ids of the tagged rows, including those that the filter
 * hides; without any, to that of the row under the cursor.  Returns how many; 0
 * if out of memory.
 */
size_t listing_targets(struct listing *l);

/* The column at a line of the popup that picks the column to sort by; NULL
 * beyond the last one. */
const struct list_column *listing_sortable(const struct listing *l,
					   size_t line);
/* The column drawn at screen column @col; NULL if there is none. */
const struct list_column *listing_column_at(const struct listing *l, int col);

/* Lines that the whole list takes, with notes on filter, search and tags. */
int listing_lines(const struct listing *l);

/* Draw a row of the table, for the picture of a view. */
void listing_draw_row(struct listing *l, const void *row, struct area line);

#endif
