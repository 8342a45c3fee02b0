/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page that may be taller than the screen and scrolls: it is drawn whole on
 * a canvas of its own, of which the screen shows a part.
 */
#ifndef RBTOP_UI_KIT_PAGE_H
#define RBTOP_UI_KIT_PAGE_H

#include "ui/kit/canvas.h"
#include "ui/kit/list.h"

enum { PAGE_ROWS = 400 };	/* more than all parts of one can take */

/* Plain data; zeroed it stands at the top. */
struct page {
	struct canvas *canvas;
	struct list list;	/* its lines */
};

/*
 * Where to draw it: blank, PAGE_ROWS high, as wide as @area less the
 * scrollbar.  False where there is no room or no memory.
 */
bool page_begin(struct page *p, struct area area, struct area *inside);
/* @lines were drawn: show those that are in view. */
void page_end(struct page *p, struct area area, int lines);
void page_free(struct page *p);

/* A part of a page: draws itself from row @row on, and returns the row below
 * it; @row where it has nothing to say. */
typedef int page_part(struct area a, int row, const void *ctx);

/* Parts, NULL-terminated, below each other, a blank line between them. */
int page_parts(struct area a, int row, const void *ctx,
	       page_part *const *parts);
/* Two stacks of parts side by side; the row below the longer one. */
int page_columns(struct area a, int row, const void *ctx,
		 page_part *const *left, page_part *const *right);

#endif
