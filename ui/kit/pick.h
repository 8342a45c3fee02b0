/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A popup with a list to choose from, by cursor keys, Enter, Esc or the mouse.
 * The owner draws the rows and acts on the choice.
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
