/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/page.h"
#include "ui/kit/tune.h"
#include "ui/kit/view.h"
#include "ui/kit/widgets.h"

enum {
	THREE_COLUMNS = 179,	/* from this width on, less the scrollbar */
	TWO_COLUMNS = 119,
	PAIRS = 72,		/* from here on histograms stand side by side */
	GAP = 3,
};

struct ring_detail {
	struct view view;
	size_t ring;
	struct page page;
};

static struct ring_detail *detail(struct view *view)
{
	return (struct ring_detail *)(void *)view;
}

static struct view *detail_create(struct shell *shell)
{
	struct ring_detail *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_ring_detail, .shell = shell };
	return &v->view;
}

static void detail_destroy(struct view *view)
{
	page_free(&detail(view)->page);
	free(view);
}

static void detail_focus(struct view *view, size_t ring)
{
	struct ring_detail *v = detail(view);

	if (ring != v->ring)
		v->page.list = (struct list){ 0 };
	v->ring = ring;
}

static int draw_word(struct area a, int col, enum role role, const char *word)
{
	return col + area_text(a, 0, col, 0, role, word) + 2;
}

static int draw_title(struct area a, const struct ring_row *r, size_t nr)
{
	char place[64];
	int col = draw_word(a, 0, ROLE_TITLE, r->label);

	if (*r->comm)
		col = draw_word(a, col, ROLE_VALUE, r->comm);
	if (r->gone)
		col = draw_word(a, col, ROLE_WARN, "gone");
	if (r->overwrite)
		col = draw_word(a, col, ROLE_NOTICE, "overwrite");
	if (r->paused)
		col = draw_word(a, col, ROLE_WARN, "paused");
	if (!r->enabled && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "disabled");
	snprintf(place, sizeof(place), "%s %u of %zu %s",
		 widget_glyph_text(a, GLYPH_LEFT), (unsigned int)r->id + 1, nr,
		 widget_glyph_text(a, GLYPH_RIGHT));
	if (col + text_width(place) < a.cols)
		area_text_right(a, 0, a.cols, ROLE_DIM, place);
	return 1;
}

/* What became of it, and what that means. */
static page_part *const outcome[] = { ring_figures_overwrite,
				      ring_figures_advice, ring_charts_history,
				      ring_charts_fill, ring_charts_latency,
				      NULL };

/* The outcome stands beside the figures, too: most of it fits one screen. */
static int draw_three_columns(struct area a, int row,
			      const struct ring_row *r)
{
	static page_part *const top[] = { ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_types, ring_tables_pids,
					   NULL };
	static page_part *const middle[] = { ring_tables_events, NULL };
	int third = (a.cols - 2 * GAP) / 3, two = a.cols - third - GAP;
	struct area wide = area_sub(a, 0, 0, a.rows, two);
	int end_right = page_parts(area_sub(a, 0, two + GAP, a.rows, third),
				   row, r, outcome);

	row = page_parts(wide, row, r, top);
	row = page_columns(wide, row, r, left, middle);
	return row > end_right ? row : end_right;
}

static int draw_two_columns(struct area a, int row, const struct ring_row *r)
{
	static page_part *const top[] = { ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_types,
					   ring_tables_events,
					   ring_tables_pids, NULL };

	row = page_parts(a, row, r, top);
	return page_columns(a, row, r, left, outcome);
}

static int draw_one_column(struct area a, int row, const struct ring_row *r)
{
	static page_part *const first[] = { ring_figures_draw, ring_figures_aux,
					    ring_figures_overwrite,
					    ring_figures_advice,
					    ring_tables_types,
					    ring_tables_events, ring_tables_pids,
					    ring_charts_history, NULL };
	static page_part *const fill[] = { ring_charts_fill, NULL };
	static page_part *const latency[] = { ring_charts_latency, NULL };

	row = page_parts(a, row, r, first);
	if (a.cols >= PAIRS)
		return page_columns(a, row, r, fill, latency);
	row = page_parts(a, row, r, fill);
	return page_parts(a, row, r, latency);
}

static int draw_page(struct area a, const struct frame *frame, size_t ring)
{
	static page_part *const top[] = { ring_picture_draw, ring_picture_aux,
					  NULL };
	const struct ring_row *r = &frame->rings[ring];
	int row = draw_title(a, r, frame->nr_rings);

	row = page_parts(a, row, r, top);
	if (a.cols >= THREE_COLUMNS)
		row = draw_three_columns(a, row, r);
	else if (a.cols >= TWO_COLUMNS)
		row = draw_two_columns(a, row, r);
	else
		row = draw_one_column(a, row, r);
	return row - 1; /* no blank line at the end */
}

static void detail_draw(struct view *view, const struct frame *frame,
			struct area area)
{
	struct ring_detail *v = detail(view);
	struct area page;

	if (v->ring >= frame->nr_rings)
		area_text(area, 0, 0, 0, ROLE_DIM, "no such ring");
	else if (page_begin(&v->page, area, &page))
		page_end(&v->page, area, draw_page(page, frame, v->ring));
}

static void go_to(struct ring_detail *v, size_t ring)
{
	v->ring = ring;
	v->view.shell->visited = ring;
}

static bool detail_action(struct view *view, const struct frame *frame,
			  enum action action)
{
	struct ring_detail *v = detail(view);

	if (list_scroll_action(&v->page.list, action))
		return true;
	switch ((int)action) {
	case ACTION_LEFT:
		if (v->ring)
			go_to(v, v->ring - 1);
		return true;
	case ACTION_RIGHT:
		if (v->ring + 1 < frame->nr_rings)
			go_to(v, v->ring + 1);
		return true;
	default:
		return tune_action(view, frame, action, &v->ring,
				   v->ring < frame->nr_rings);
	}
}

static bool detail_wheel(struct view *view, const struct frame *frame,
			 int lines)
{
	(void)frame;
	list_scroll(&detail(view)->page.list, lines);
	return true;
}

static const char *label(enum action action)
{
	return action == ACTION_SNAPSHOT_SOME ? "Snapshot" : NULL;
}

static const enum action footer[] = {
	ACTION_HELP, ACTION_CANCEL, ACTION_LEFT, ACTION_RIGHT,
	ACTION_GROW, ACTION_SHRINK, ACTION_RATE, ACTION_PAUSE,
	ACTION_READ, ACTION_SNAPSHOT_SOME, ACTION_RESET, ACTION_QUIT,
	ACTION_NONE,
};

const struct view_ops view_ring_detail = {
	.id = VIEW_RING_DETAIL,
	.name = "Ring",
	.own_rings = true,
	.create = detail_create,
	.destroy = detail_destroy,
	.draw = detail_draw,
	.action = detail_action,
	.wheel = detail_wheel,
	.focus = detail_focus,
	.footer = footer,
	.label = label,
};
