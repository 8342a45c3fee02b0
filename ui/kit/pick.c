/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/pick.h"

#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"

void pick_open(struct pick *p, size_t nr, size_t cursor)
{
	*p = (struct pick){ .open = true, .list = { .nr = nr } };
	list_set(&p->list, cursor);
}

void pick_draw(struct pick *p, struct area a, int width, const char *title,
	       void (*draw)(const void *ctx, struct area line, size_t row),
	       const void *ctx)
{
	struct area in = widget_popup(a, (int)p->list.nr + 2, width, title);

	list_fit(&p->list, p->list.nr, in.rows);
	for (int line = 0; line < in.rows; line++) {
		size_t row = list_row_at(&p->list, line);

		if (row == LIST_NONE)
			continue;
		draw(ctx, area_sub(in, line, 0, 1, in.cols - 1), row);
		if (row == p->list.cursor)
			area_select(in, line, 0, in.cols - 1);
	}
	list_scrollbar(&p->list, in);
	p->area = in;		/* relative to @a, as clicks are */
	p->area.row -= a.row;
	p->area.col -= a.col;
}

static enum pick_result finish(struct pick *p, enum pick_result result)
{
	p->open = false;
	return result;
}

enum pick_result pick_action(struct pick *p, enum action action,
			     enum action opener)
{
	if (list_action(&p->list, action))
		return PICK_MOVED;
	if (action == ACTION_OPEN)
		return finish(p, PICK_CHOSEN);
	if (action == ACTION_CANCEL || action == opener)
		return finish(p, PICK_CLOSED);
	return PICK_OTHER;
}

const char *pick_label(enum action action)
{
	if (action == ACTION_OPEN)
		return "Choose";
	if (action == ACTION_CANCEL)
		return "Close";
	return keys_info(action)->section == KEYS_GENERAL ? NULL : "";
}

enum pick_result pick_click(struct pick *p, int row, int col)
{
	const struct area *a = &p->area;
	size_t at = list_row_at(&p->list, row - a->row);

	if (col < a->col || col >= a->col + a->cols || at == LIST_NONE)
		return finish(p, PICK_CLOSED);
	list_set(&p->list, at);
	return finish(p, PICK_CHOSEN);
}
