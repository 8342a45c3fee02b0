/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scrolling page, which may be taller than the screen: it is drawn on a
 * canvas of its own, and the visible part is copied to the screen.  And a view
 * of such a page, about one row of a list.
 */
#ifndef RBTOP_UI_KIT_PAGE_H
#define RBTOP_UI_KIT_PAGE_H

#include "ui/draw/canvas.h"
#include "ui/kit/list.h"
#include "ui/kit/view.h"

enum { PAGE_ROWS = 400 };	/* more than any page needs */

/* Zeroed it is at the top. */
struct page {
	struct canvas *canvas;
	struct list list;	/* its lines */
};

/*
 * Set @inside to a blank area to draw the page in: PAGE_ROWS high, as wide as
 * @area less the scrollbar.  False if there is no room or no memory.
 */
bool page_begin(struct page *p, struct area area, struct area *inside);
/* Copy the visible ones of the @lines drawn to @area, with a scrollbar. */
void page_end(struct page *p, struct area area, int lines);
void page_free(struct page *p);

/*
 * Draw a label in @width columns, the last one blank, and a text next to it,
 * over as many rows as it needs.  Returns the row below.
 */
int page_field(struct area a, int row, int width, const char *label,
	       enum role role, const char *text);

/* A part of a page: it draws itself from row @row on and returns the row below
 * it; @row if it draws nothing. */
typedef int page_part(struct area a, int row, const void *ctx);

/* Draw NULL-terminated parts below each other, a blank line after each.
 * Returns the row after that line. */
int page_parts(struct area a, int row, const void *ctx,
	       page_part *const *parts);
/* The same for two stacks of parts side by side; the row below the longer. */
int page_columns(struct area a, int row, const void *ctx,
		 page_part *const *left, page_part *const *right);

/*
 * A view of one row of a list: a page, where Left and Right go to the previous
 * and next row, in the order of the list when it was opened.
 */
struct detail {
	struct view view;	/* first */
	uint64_t id;		/* of the row */
	struct page page;
	/* Whether @frame has the row @id. */
	bool (*exists)(const struct detail *d, const struct frame *frame,
		       uint64_t id);
	bool placed;		/* its place in the list is drawn, */
	int place_col;		/* from this column to the last */
	bool copies;		/* the row drawn has a command to be copied */
};

/* A view whose struct begins with a struct detail. */
static inline struct detail *detail_of(struct view *view)
{
	return (struct detail *)(void *)view;
}

/* For view_ops, where @view is a struct detail; init has to set exists. */
void detail_release(struct view *view);
void detail_focus(struct view *view, size_t id);
bool detail_action(struct view *view, const struct frame *frame,
		   enum action action);
bool detail_click(struct view *view, const struct frame *frame, int row,
		  int col, bool twice);
bool detail_wheel(struct view *view, const struct frame *frame, int lines);
const char *detail_label(const struct view *view, enum action action);

/* Draw the position in the list, "‹ 2 of 4 ›", at the right of the first row,
 * if it fits after @col; a click on ‹ or › goes there. */
void detail_draw_place(struct detail *d, struct area a, int col);

#endif
