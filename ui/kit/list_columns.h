/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of a list: which of them fit, their positions, their cells. */
#ifndef RBTOP_UI_KIT_LIST_COLUMNS_H
#define RBTOP_UI_KIT_LIST_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/draw/canvas.h"

enum { LIST_COLUMNS = 64 };	/* most columns of a list */

/* Not sorted by the column; the smallest first; the largest first. */
enum list_sort { LIST_UNSORTED, LIST_RISING, LIST_FALLING };

/* How a column is laid out, and its position.  Widths are screen columns. */
struct list_column {
	int id;			/* the owner's, 0 or more */
	const char *header;
	const char *help;	/* for the popup that picks what to sort by */
	int width;		/* normal width */
	int least;		/* narrowed to this before columns are left
				 * out; 0: not narrowed */
	int fair, most;		/* grows to these widths if there is room, in
				 * this order; 0: does not grow */
	int rank;		/* the highest is left out first, of equal ones
				 * the rightmost */
	bool hidden;		/* not shown: only to sort by */
	bool spare;		/* left out before others are narrowed */
	bool rest;		/* shares the room left in the end, up to @most;
				 * 0: without limit */
	bool left;		/* aligned to the left; false: to the right */
	bool fixed;		/* is not scrolled out */
	bool ends;		/* cut in the middle: both ends tell names
				 * apart */
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

#endif
