/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view of one row of a list: a scrolling page, where Left and Right go to the
 * previous and next row, in the order of the list when it was opened.
 */
#ifndef RBTOP_UI_KIT_DETAIL_H
#define RBTOP_UI_KIT_DETAIL_H

#include "ui/kit/page.h"
#include "ui/kit/view.h"

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
