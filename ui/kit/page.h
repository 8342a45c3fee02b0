/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scrolling page, which may be taller than the screen: it is drawn on a
 * canvas of its own, and the visible part is copied to the screen.
 */
#ifndef RBTOP_UI_KIT_PAGE_H
#define RBTOP_UI_KIT_PAGE_H

#include "ui/draw/canvas.h"
#include "ui/kit/list.h"

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
 * Draw a label in @width columns, the last one blank, and a text beside it,
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

#endif
