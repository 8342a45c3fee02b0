/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/page.h"

#include <string.h>

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
