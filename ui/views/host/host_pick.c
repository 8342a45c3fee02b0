/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include "ui/kit/widgets.h"

enum { PICK_WIDTH = 72 };

void host_pick_open(struct host_view *v)
{
	size_t at = host_list_index(v, v->sort);

	pick_open(&v->pick, v->nr_columns, at == LIST_NONE ? 0 : at);
}

static void draw_choice(const void *ctx, struct area line, size_t row)
{
	const struct host_view *v = ctx;
	enum figure figure = v->figures[row];
	bool now = v->sort == figure && !v->worst;

	area_put(line, 0, 1, ROLE_SORTED,
		 now ? widget_glyph(line, GLYPH_TAG) : ' ');
	area_text(line, 0, 3, 10, ROLE_VALUE, figure_header(figure, IN_HOST));
	area_text(line, 0, 14, line.cols - 15, ROLE_DEFAULT,
		  figure_info(figure)->help);
}

void host_pick_draw(struct host_view *v, struct area a)
{
	pick_draw(&v->pick, a, PICK_WIDTH, "Sort by", draw_choice, v);
}

static bool take(struct host_view *v, enum pick_result result)
{
	if (result == PICK_CHOSEN)
		host_order_by(v, v->figures[v->pick.list.cursor]);
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
