/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/flame.h"

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"

enum { ROOMY = 60 };	/* columns from which the share of self is shown */

static enum role role_of(const struct flame_view *v, uint32_t box)
{
	const struct flame_box *b = &v->flame.boxes[box];

	if (flame_walk_matches(v, box))
		return ROLE_MATCH;
	if (b->dso)
		return widget_kind(b->kind)->role;
	return box ? ROLE_LABEL : ROLE_DEFAULT;
}

/* Boxes are reversed; the chosen one is not, and begins with a mark. */
static void draw_box(const struct flame_view *v, struct area a, uint32_t box)
{
	const struct flame_box *b = &v->flame.boxes[box];
	struct flame_span span = flame_walk_span(v, box);
	int line = (int)b->depth - (int)v->list.top;
	enum role role = role_of(v, box);
	bool chosen = box == v->at;
	int width;

	if (chosen && span.to == span.from)
		span.from -= span.to++ == v->cols;
	width = span.to - span.from;
	if (line < 0 || line >= a.rows || width < 1)
		return;
	area_fill(a, line, span.from, width, role, ' ');
	area_put(a, line, span.from, role,
		 widget_glyph(a, chosen ? GLYPH_RIGHT : GLYPH_EDGE));
	if (width > 1)
		area_text(a, line, span.from + 1, width - 1, role, b->name);
	if (!chosen)
		area_reverse(a, line, span.from, width);
}

/* Scroll to the levels around that of the chosen box. */
static void fit(struct flame_view *v, struct area a)
{
	v->cols = a.cols;
	if (flame_walk_levels(v) > (size_t)a.rows)
		v->cols--;	/* for the scrollbar */
	list_fit(&v->list, flame_walk_levels(v), a.rows);
	list_set(&v->list, v->flame.boxes[v->at].depth);
}

void flame_picture_draw(struct flame_view *v, struct area a)
{
	struct flame_span span;

	fit(v, a);
	for (uint32_t b = v->flame.boxes[v->zoom].parent; b != FLAME_NONE;
	     b = v->flame.boxes[b].parent)
		draw_box(v, a, b);
	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = flame_walk_next(v, b, span.to > span.from)) {
		span = flame_walk_span(v, b);
		if (b != v->at)
			draw_box(v, a, b);
	}
	draw_box(v, a, v->at);	/* on top, however narrow */
	list_scrollbar(&v->list, a);
}

void flame_picture_legend(struct area a, int from)
{
	static const enum symbol_kind shown[] = {
		SYMBOL_KERNEL, SYMBOL_USER, SYMBOL_JIT, SYMBOL_UNKNOWN,
	};
	const int width = (int)sizeof(" kernel  user  JIT  unknown ");
	int col = a.cols - width;

	if (col < from + 2)
		return;
	for (unsigned int i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		int drawn = area_printf(a, 0, col, widget_kind(shown[i])->role,
					" %s ", widget_kind(shown[i])->name);

		area_reverse(a, 0, col, drawn);
		col += drawn;
	}
}

/* Draw a part of the line; returns the column after it and a gap. */
static int part(struct area a, int col, enum role role, const char *text)
{
	area_text(a, 0, col, 0, role, text);
	return col + text_width(text) + 2;
}

void flame_picture_box(const struct flame_view *v, struct area a)
{
	const struct flame_box *b = &v->flame.boxes[v->at];
	double all = v->flame.boxes[0].weight;
	char text[16];
	int col = 1;

	col += area_printf(a, 0, col, ROLE_VALUE, "%.2f%%",
			   b->weight / all * 100) + 2;
	if (b->self > 0 && a.cols >= ROOMY)
		col += area_printf(a, 0, col, ROLE_DEFAULT, "self %.2f%%",
				   b->self / all * 100) + 2;
	if (!v->query.recent)
		col += area_printf(a, 0, col, ROLE_DIM, "%s samples",
				   units_count(text, sizeof(text),
					       b->samples)) + 2;
	col = part(a, col, ROLE_TITLE, b->name);
	if (b->dso) {
		col = part(a, col, widget_kind(b->kind)->role,
			   widget_kind(b->kind)->name);
		col = part(a, col, ROLE_DIM, b->dso);
	}
	if (col - 2 > a.cols)
		widget_more(a, 0);
}
