/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A popup with a list to choose from: moves, Enter, Esc, the mouse.  What is
 * in its rows and what a choice does are its owner's.
 */
#ifndef RBTOP_UI_KIT_PICK_H
#define RBTOP_UI_KIT_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/kit/list.h"
#include "ui/kit/view.h"

/* Plain data; zeroed it is closed. */
struct pick {
	bool open;
	struct list list;	/* its cursor is the choice */
	struct area area;	/* at the last draw, within the view's */
};

enum pick_result {
	PICK_OTHER,		/* no key of a popup: the owner's, or the
				 * app's */
	PICK_MOVED,
	PICK_CHOSEN,		/* the row under the cursor; it is closed */
	PICK_CLOSED,
};

void pick_open(struct pick *p, size_t nr, size_t cursor);

/*
 * Draw it in the middle of the view's area @a, @width columns wide where there
 * are so many.  @draw gets an area of one line per row in view.
 */
void pick_draw(struct pick *p, struct area a, int width, const char *title,
	       void (*draw)(const void *ctx, struct area line, size_t row),
	       const void *ctx);

/* @opener, the action that opened it, closes it too. */
enum pick_result pick_action(struct pick *p, enum action action,
			     enum action opener);
/* A click outside closes it. */
enum pick_result pick_click(struct pick *p, int row, int col);

#endif
