/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cursor of a list: which row it stands on, which rows are in view, and
 * how keys, the wheel and a search move it.  It knows rows by number alone;
 * what is in them is its owner's.
 */
#ifndef RBTOP_UI_KIT_LIST_H
#define RBTOP_UI_KIT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/kit/view.h"

/* No row, no ring. */
#define LIST_NONE ((size_t)-1)

/* Plain data; zeroed it is an empty list. */
struct list {
	size_t nr;		/* rows there are */
	size_t page;		/* rows on screen at the last draw */
	size_t top;		/* the first row on screen */
	size_t cursor;
};

/*
 * Take in how many rows there are and how many can be seen, before drawing:
 * the cursor stays on a row and in view.
 */
void list_fit(struct list *l, size_t nr, int page);

/* Put the cursor on @row, or on the last one where there is no such row. */
void list_set(struct list *l, size_t row);

/* UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END; false for any other action. */
bool list_action(struct list *l, enum action action);

/*
 * The same keys where no row is under a cursor and a whole text moves: @l's
 * top moves, its cursor follows.
 */
bool list_scroll_action(struct list *l, enum action action);

/* Move the view (and the cursor with it) by @lines, as the wheel does. */
void list_scroll(struct list *l, int lines);

/* The row at line @line of the page, LIST_NONE where there is none. */
size_t list_row_at(const struct list *l, int line);

/*
 * The first row from @from on, going round at the end, for which @matches is
 * true; LIST_NONE if there is none.
 */
size_t list_find(const struct list *l, size_t from,
		 bool (*matches)(const void *ctx, size_t row),
		 const void *ctx);

/* Whether @text contains @needle, case ignored; every text contains "". */
bool list_match(const char *text, const char *needle);

#endif
