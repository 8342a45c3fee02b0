/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include "ui/kit/widgets.h"

enum { PICK_WIDTH = 72 };

void rings_pick_open(struct rings_view *v)
{
	enum figure sort = v->view.shell->config->sort, all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all), at = 0;

	for (size_t i = 0; i < nr; i++)
		at = all[i] == sort ? i : at;
	pick_open(&v->pick, nr, at);
}

static void draw_choice(const void *ctx, struct area line, size_t row)
{
	const struct rings_view *v = ctx;
	enum figure all[FIGURES];
	bool now;

	figure_columns(IN_RINGS, all);
	now = v->view.shell->config->sort == all[row] && !v->worst;
	area_put(line, 0, 1, ROLE_SORTED,
		 now ? widget_glyph(line, GLYPH_TAG) : ' ');
	area_text(line, 0, 3, 10, ROLE_VALUE,
		  figure_header(all[row], IN_RINGS));
	area_text(line, 0, 14, line.cols - 15, ROLE_DEFAULT,
		  figure_info(all[row])->help);
}

void rings_pick_draw(struct rings_view *v, struct area a)
{
	pick_draw(&v->pick, a, PICK_WIDTH, "Sort by", draw_choice, v);
}

static bool take(struct rings_view *v, enum pick_result result)
{
	enum figure all[FIGURES];

	figure_columns(IN_RINGS, all);
	if (result == PICK_CHOSEN)
		rings_order_by(v, all[v->pick.list.cursor]);
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
