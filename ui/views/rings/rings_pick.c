/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include "ui/kit/widgets.h"

enum { PICK_WIDTH = 64 };

void rings_pick_open(struct rings_view *v)
{
	enum column sort = v->view.host->config->sort;

	pick_open(&v->pick, COLUMNS, sort < COLUMNS ? (size_t)sort : 0);
}

static void draw_choice(const void *ctx, struct area line, size_t row)
{
	const struct rings_view *v = ctx;
	const struct column_info *info = column_info((enum column)row);
	bool now = v->view.host->config->sort == row && !v->worst;

	area_put(line, 0, 1, ROLE_SORTED,
		 now ? widget_glyph(line, GLYPH_TAG) : ' ');
	area_text(line, 0, 3, 10, ROLE_VALUE, info->header);
	area_text(line, 0, 14, line.cols - 15, ROLE_DEFAULT, info->help);
}

void rings_pick_draw(struct rings_view *v, struct area a)
{
	pick_draw(&v->pick, a, PICK_WIDTH, "Sort by", draw_choice, v);
}

static bool take(struct rings_view *v, enum pick_result result)
{
	if (result == PICK_CHOSEN)
		rings_order_by(v, (enum column)v->pick.list.cursor);
	return result != PICK_OTHER;
}

bool rings_pick_action(struct rings_view *v, enum action action)
{
	return take(v, pick_action(&v->pick, action, ACTION_SORT));
}

void rings_pick_click(struct rings_view *v, int row, int col)
{
	take(v, pick_click(&v->pick, row, col));
}
