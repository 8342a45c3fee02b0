/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cursor and scroll position of a list, and how keys and the wheel move them.
 * Rows are numbers here; the owner knows their content.
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

#endif
