/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/page.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/draw/widgets.h"

enum { GAP = 3 };		/* between two stacks */

bool page_begin(struct page *p, struct area area, struct area *inside)
{
	int cols = area.cols - 1;

	if (cols < 1)
		return false;
	if (p->canvas && p->canvas->cols == cols &&
	    p->canvas->ascii == area.canvas->ascii) {
		canvas_clear(p->canvas);
	} else {
		canvas_free(p->canvas);
		p->canvas = canvas_new(PAGE_ROWS, cols, area.canvas->ascii);
	}
	if (p->canvas)
		*inside = canvas_area(p->canvas);
	return p->canvas != NULL;
}

void page_end(struct page *p, struct area area, int lines)
{
	const struct canvas *from = p->canvas;
	struct canvas *to = area.canvas;

	list_fit(&p->list, (size_t)(lines < PAGE_ROWS ? lines : PAGE_ROWS),
		 area.rows);
	for (int row = 0; row < area.rows; row++) {
		size_t line = list_row_at(&p->list, row);

		if (line == LIST_NONE)
			break;
		memcpy(&to->cells[(area.row + row) * to->cols + area.col],
		       &from->cells[line * (size_t)from->cols],
		       (size_t)from->cols * sizeof(*from->cells));
	}
	list_scrollbar(&p->list, area);
}

void page_free(struct page *p)
{
	canvas_free(p->canvas);
	p->canvas = NULL;
}

int page_field(struct area a, int row, int width, const char *label,
	       enum role role, const char *text)
{
	area_text(a, row, 0, width - 1, ROLE_LABEL, label);
	return area_wrapped(area_sub(a, 0, width, a.rows, a.cols - width), row,
			    role, text);
}

int page_parts(struct area a, int row, const void *ctx,
	       page_part *const *parts)
{
	for (; *parts; parts++) {
		int next = (*parts)(a, row, ctx);

		row = next > row ? next + 1 : row;
	}
	return row;
}

int page_columns(struct area a, int row, const void *ctx,
		 page_part *const *left, page_part *const *right)
{
	int width = (a.cols - GAP) / 2, end_left, end_right;

	end_left = page_parts(area_sub(a, 0, 0, a.rows, width), row, ctx,
			      left);
	end_right = page_parts(area_sub(a, 0, width + GAP, a.rows, width), row,
			       ctx, right);
	return end_left > end_right ? end_left : end_right;
}

void detail_release(struct view *view)
{
	page_free(&detail_of(view)->page);
}

/* The page of another row begins at its top. */
void detail_focus(struct view *view, size_t id)
{
	struct detail *d = detail_of(view);

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
	struct detail *d = detail_of(view);

	if (list_scroll_action(&d->page.list, action))
		return true;
	if (action != ACTION_LEFT && action != ACTION_RIGHT)
		return false;
	step(d, frame, action == ACTION_RIGHT ? 1 : (size_t)-1);
	return true;
}

/* On ‹, ›, or the blank next to it. */
bool detail_click(struct view *view, const struct frame *frame, int row,
		  int col, bool twice)
{
	struct detail *d = detail_of(view);
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
	list_scroll(&detail_of(view)->page.list, lines);
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
