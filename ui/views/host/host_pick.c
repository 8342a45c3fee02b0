/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include "ui/kit/widgets.h"

enum { PICK_WIDTH = 72 };

void host_pick_open(struct host_view *v)
{
	pick_open(&v->pick, HOST_COLUMNS,
		  v->sort < HOST_COLUMNS ? (size_t)v->sort : 0);
}

static void draw_choice(const void *ctx, struct area line, size_t row)
{
	const struct host_view *v = ctx;
	const struct host_column_info *info =
		host_column_info((enum host_column)row);
	bool now = v->sort == row && !v->worst;

	area_put(line, 0, 1, ROLE_SORTED,
		 now ? widget_glyph(line, GLYPH_TAG) : ' ');
	area_text(line, 0, 3, 10, ROLE_VALUE, info->header);
	area_text(line, 0, 14, line.cols - 15, ROLE_DEFAULT, info->help);
}

void host_pick_draw(struct host_view *v, struct area a)
{
	pick_draw(&v->pick, a, PICK_WIDTH, "Sort by", draw_choice, v);
}

static bool take(struct host_view *v, enum pick_result result)
{
	if (result == PICK_CHOSEN)
		host_order_by(v, (enum host_column)v->pick.list.cursor);
	return result != PICK_OTHER;
}

bool host_pick_action(struct host_view *v, enum action action)
{
	return take(v, pick_action(&v->pick, action, ACTION_SORT));
}

void host_pick_click(struct host_view *v, int row, int col)
{
	take(v, pick_click(&v->pick, row, col));
}
