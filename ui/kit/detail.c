/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/detail.h"

#include <stdio.h>

#include "base/text.h"
#include "ui/draw/widgets.h"

static struct detail *detail(struct view *view)
{
	return (struct detail *)(void *)view;
}

void detail_release(struct view *view)
{
	page_free(&detail(view)->page);
}

/* The page of another row begins at its top. */
void detail_focus(struct view *view, size_t id)
{
	struct detail *d = detail(view);

	if (id != d->id)
		d->page.list = (struct list){ 0 };
	d->id = id;
}

/* The row's index in shell->listed; LIST_NONE: it was not listed. */
static size_t place_of(const struct detail *d)
{
	const struct shell *shell = d->view.shell;

	for (size_t i = 0; i < shell->nr_listed; i++) {
		if (shell->listed[i] == d->id)
			return i;
	}
	return LIST_NONE;
}

void detail_draw_place(struct detail *d, struct area a, int col)
{
	size_t at = place_of(d);
	char place[64];

	snprintf(place, sizeof(place), "%s %zu of %zu %s",
		 widget_glyph_text(a, GLYPH_LEFT), at + 1,
		 d->view.shell->nr_listed, widget_glyph_text(a, GLYPH_RIGHT));
	d->place_col = a.cols - text_width(place);
	d->placed = at != LIST_NONE && col < d->place_col;
	if (d->placed)
		area_text_right(a, 0, a.cols, ROLE_DIM, place);
}

/* Go to the next (@by 1) or previous (-1) listed row that still exists. */
static void step(struct detail *d, const struct frame *frame, size_t by)
{
	struct shell *shell = d->view.shell;
	size_t at = place_of(d);

	if (at == LIST_NONE)
		return;
	do
		at += by;	/* below 0 it wraps to beyond the end */
	while (at < shell->nr_listed &&
	       !d->exists(d, frame, shell->listed[at]));
	if (at >= shell->nr_listed) {
		shell->message(shell, ROLE_NOTICE, by == 1 ?
			      "this is the last row of the list" :
			      "this is the first row of the list");
		return;
	}
	detail_focus(&d->view, (size_t)shell->listed[at]);
	shell->visited = d->id;
}

bool detail_action(struct view *view, const struct frame *frame,
		   enum action action)
{
	struct detail *d = detail(view);

	if (list_scroll_action(&d->page.list, action))
		return true;
	if (action != ACTION_LEFT && action != ACTION_RIGHT)
		return false;
	step(d, frame, action == ACTION_RIGHT ? 1 : (size_t)-1);
	return true;
}

/* The mark or the blank beside it. */
bool detail_click(struct view *view, const struct frame *frame, int row,
		  int col, bool twice)
{
	struct detail *d = detail(view);
	int end = d->page.canvas ? d->page.canvas->cols : 0;

	(void)twice;
	if (!d->placed || list_row_at(&d->page.list, row) != 0 || col >= end)
		return false;
	if (col >= end - 2)
		step(d, frame, 1);
	else if (col == d->place_col || col == d->place_col + 1)
		step(d, frame, (size_t)-1);
	else
		return false;
	return true;
}

bool detail_wheel(struct view *view, const struct frame *frame, int lines)
{
	(void)frame;
	list_scroll(&detail(view)->page.list, lines);
	return true;
}

const char *detail_label(const struct view *view, enum action action)
{
	if (action == ACTION_COPY && ((const struct detail *)(const void *)view)
				     ->copies)
		return "Copy";
	if (action == ACTION_LEFT)
		return "Previous";
	return action == ACTION_RIGHT ? "Next" : NULL;
}
