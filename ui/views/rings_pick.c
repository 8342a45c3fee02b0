/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings.h"

#include "ui/widgets.h"

enum { PICK_WIDTH = 64 };

void rings_pick_open(struct rings_view *v)
{
	enum column sort = v->view.host->config->sort;

	v->picking = true;
	v->pick = (struct list){ .nr = COLUMNS };
	v->pick.cursor = sort < COLUMNS ? (size_t)sort : 0;
}

static void draw_choice(const struct rings_view *v, struct area a, int line,
			size_t row)
{
	const struct column_info *info = column_info((enum column)row);
	bool now = v->view.host->config->sort == row && !v->worst;

	area_put(a, line, 1, ROLE_SORTED,
		 now ? widget_glyph(a, GLYPH_TAG) : ' ');
	area_text(a, line, 3, 10, ROLE_VALUE, info->header);
	area_text(a, line, 14, a.cols - 15, ROLE_DEFAULT, info->help);
	if (row == v->pick.cursor)
		area_reverse(a, line, 0, a.cols);
}

void rings_pick_draw(struct rings_view *v, struct area a)
{
	struct area in = widget_popup(a, COLUMNS + 2, PICK_WIDTH, "Sort by");
	struct area rows = area_sub(in, 0, 0, in.rows, in.cols - 1);

	list_fit(&v->pick, COLUMNS, in.rows);
	for (int line = 0; line < in.rows; line++) {
		size_t row = list_row_at(&v->pick, line);

		if (row != LIST_NONE)
			draw_choice(v, rows, line, row);
	}
	widget_scrollbar(in, &v->pick);
	v->pick_area = in;	/* clicks are told within @a */
	v->pick_area.row -= a.row;
	v->pick_area.col -= a.col;
}

static void pick(struct rings_view *v)
{
	rings_order_by(v, (enum column)v->pick.cursor);
	v->picking = false;
}

bool rings_pick_action(struct rings_view *v, enum action action)
{
	if (list_action(&v->pick, action))
		return true;
	switch ((int)action) {
	case ACTION_OPEN:
		pick(v);
		return true;
	case ACTION_CANCEL:
	case ACTION_SORT:
		v->picking = false;
		return true;
	default:
		return false;
	}
}

void rings_pick_click(struct rings_view *v, int row, int col)
{
	struct area *a = &v->pick_area;
	size_t line = list_row_at(&v->pick, row - a->row);

	if (col < a->col || col >= a->col + a->cols || line == LIST_NONE) {
		v->picking = false;
		return;
	}
	v->pick.cursor = line;
	pick(v);
}
