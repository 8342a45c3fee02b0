/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a list: its cursor and scroll position, its columns, and a popup
 * with a list of its own.  Rows are numbers here; their content is the owner's.
 */
#ifndef RBTOP_UI_KIT_LIST_H
#define RBTOP_UI_KIT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/kit/view.h"

/* No row, no ring. */
#define LIST_NONE ((size_t)-1)

/* Cursor and scroll position.  Plain data; zeroed it is an empty list. */
struct list {
	size_t nr;		/* all rows */
	size_t page;		/* rows on screen at the last draw */
	size_t top;		/* the first row on screen */
	size_t cursor;
};

/*
 * Before drawing: set the number of rows and how many are visible, and keep the
 * cursor on a row and visible.
 */
void list_fit(struct list *l, size_t nr, int page);

/* Put the cursor on @row, or on the last row if there is no such row. */
void list_set(struct list *l, size_t row);

/* UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END; false for any other action. */
bool list_action(struct list *l, enum action action);

/*
 * The same for a text without a visible cursor: the keys move the top, and the
 * cursor with it.
 */
bool list_scroll_action(struct list *l, enum action action);

/* Scroll by @lines, as the wheel does; the cursor moves with the rows. */
void list_scroll(struct list *l, int lines);

/* The row at line @line of the page; LIST_NONE if there is none. */
size_t list_row_at(const struct list *l, int line);

/* Draw a scrollbar at the area's right edge if not all rows are visible. */
void list_scrollbar(const struct list *l, struct area a);

/* Whether @text contains @needle, case ignored; every text contains "". */
bool list_match(const char *text, const char *needle);

/* The columns: which of them fit, their positions, their cells. */

enum { LIST_COLUMNS = 64 };	/* most columns of a list */

/* Not sorted by the column; the smallest first; the largest first. */
enum list_sort { LIST_UNSORTED, LIST_RISING, LIST_FALLING };

/* How a column is laid out, and its position.  Widths are screen columns. */
struct list_column {
	int id;			/* the owner's, 0 or more */
	const char *header;
	const char *help;	/* for the popup that picks what to sort by */
	int width;		/* normal width */
	int min;		/* narrowed to this before columns are left
				 * out; 0: not narrowed */
	int fair, max;		/* grows to these widths if there is room, in
				 * this order; 0: does not grow */
	int rank;		/* the highest is left out first, of equal ones
				 * the rightmost */
	bool hidden;		/* not shown: only to sort by */
	bool spare;		/* left out before others are narrowed */
	bool rest;		/* shares the room left in the end, up to @max;
				 * 0: without limit */
	bool left;		/* aligned to the left; false: to the right */
	bool fixed;		/* is not scrolled out */
	bool ends;		/* cut in the middle, before others are: names
				 * differ at both ends */
	bool scrolls;		/* its text scrolls, once the last column is
				 * shown */
	bool marked;		/* matches of a search are marked in its text */
	bool sorts;		/* the list can be sorted by it */
	bool falls;		/* then the largest first */
	enum list_sort sort;	/* current order */

	int col, cols;		/* on screen; 0 columns: left out */
};

/*
 * Place the columns that fit between the screen columns @from and @cols,
 * without the first *@scroll of those that are not fixed; *@scroll is reduced
 * if there are not so many.  At least one column is kept, however narrow.
 * Returns whether scrolling to the right would show more.
 */
bool list_columns_fit(struct list_column *columns, size_t nr, int from,
		      int cols, int *scroll);

/* Draw the headings, with an arrow at the column that the list is sorted by. */
void list_columns_header(const struct list_column *columns, size_t nr,
			 struct area line);

/*
 * Draw the text of a cell without its first @skip screen columns, aligned and
 * cut as the column says, with matches of @needle marked.  Returns whether a
 * match is visible.
 */
bool list_columns_cell(const struct list_column *column, struct area line,
		       enum role role, const char *text, int skip,
		       const char *needle);

/*
 * A popup with a list to choose from, by cursor keys, Enter, Esc or the mouse.
 * The owner draws the rows and acts on the choice.  Plain data; zeroed it is
 * closed.
 */
struct pick {
	bool open;
	struct list list;	/* its cursor is the choice */
	struct area area;	/* of the last draw, relative to the view's */
};

enum pick_result {
	PICK_OTHER,		/* not a key of a popup: for the owner or the
				 * app */
	PICK_MOVED,
	PICK_CHOSEN,		/* the row under the cursor; now closed */
	PICK_CLOSED,
};

void pick_open(struct pick *p, size_t nr, size_t cursor);

/*
 * Draw the popup in the middle of the view's area @a, at most @width columns
 * wide.  @draw draws a visible row into an area of one line.
 */
void pick_draw(struct pick *p, struct area a, int width, const char *title,
	       void (*draw)(const void *ctx, struct area line, size_t row),
	       const void *ctx);

/* @opener, the action that opened the popup, also closes it. */
enum pick_result pick_action(struct pick *p, enum action action,
			     enum action opener);
/* For view_ops.label while the popup is open. */
const char *pick_label(enum action action);
/* A click at a cell of the view's area; outside the rows it closes. */
enum pick_result pick_click(struct pick *p, int row, int col);

#endif
