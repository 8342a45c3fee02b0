/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include <math.h>

#include "ui/kit/widgets.h"

enum {
	LEAST_TABLE = 3,	/* its header, the cursor's ring, the worst */
	ROUND = 8,		/* cells in a line: a multiple of it */
};

/* How full it got since the last picture, or is now. */
static double level_of(const struct ring_row *r)
{
	return fmax(r->fill, r->peak_tick);
}

/*
 * Two columns a ring where they fit in @rows lines (the second one marks
 * losses), else one; a line has a multiple of 8, or all there are.
 */
static void lay_out(struct rings_view *v, const struct frame *frame,
		    struct area a)
{
	int nr = (int)frame->nr_rings, width, cells;

	v->map_left = rings_table_label_width(frame) + 1;
	width = a.cols - 1 - v->map_left;
	v->map_cell = nr > width / 2 / ROUND * ROUND * (a.rows - LEAST_TABLE) ?
			      1 : 2;
	cells = width / v->map_cell;
	if (cells > ROUND)
		cells -= cells % ROUND;
	v->map_cols = cells < 1 ? 1 : cells > nr && nr ? nr : cells;
}

static uint32_t glyph_of(struct area a, const struct ring_row *r, bool wide)
{
	if (r->gone)
		return widget_glyph(a, GLYPH_GONE);
	if (r->lost_per_s > 0 && !wide)
		return '!';
	if (r->paused)
		return 'P';
	return widget_spark_glyph(a, level_of(r), 1);
}

static void draw_ring(const struct rings_view *v, struct area a, int row,
		      int col, const struct frame *frame, size_t ring)
{
	const struct ring_row *r = &frame->rings[ring];
	bool wide = v->map_cell > 1, losing = r->lost_per_s > 0;
	bool hidden = !rings_order_match(r, v->filter);
	enum role role = widget_level(level_of(r));

	losing &= !hidden;
	if (r->gone || hidden)
		role = ROLE_DIM;
	else if (losing)
		role = ROLE_BAD;
	else if (r->paused)
		role = ROLE_WARN;
	else if (r->overwrite)
		role = ROLE_SPARK;
	area_put(a, row, col, role, hidden ? widget_glyph(a, GLYPH_FREE) :
					     glyph_of(a, r, wide));
	if (wide && losing)
		area_put(a, row, col + 1, ROLE_BAD, '!');
	else if (wide && tags_has(&v->tags, ring))
		area_put(a, row, col + 1, ROLE_TAG, '*');
	if (ring == v->current)
		area_reverse(a, row, col, v->map_cell);
}

static void draw_line(const struct rings_view *v, struct area a, int row,
		      const struct frame *frame, size_t line)
{
	size_t first = line * (size_t)v->map_cols;

	area_text(a, row, 0, v->map_left - 1, ROLE_LABEL,
		  frame->rings[first].label);
	for (int i = 0; i < v->map_cols; i++) {
		size_t ring = first + (size_t)i;

		if (ring < frame->nr_rings)
			draw_ring(v, a, row, v->map_left + i * v->map_cell,
				  frame, ring);
	}
}

static void draw_lines(struct rings_view *v, const struct frame *frame,
		       struct area a)
{
	for (int row = 0; row < a.rows; row++) {
		size_t line = list_row_at(&v->map_list, row);

		if (line != LIST_NONE)
			draw_line(v, a, row, frame, line);
	}
	widget_scrollbar(a, &v->map_list);
}

/* The ring under the cursor, then the worst ones that match the filter. */
static void draw_table(struct rings_view *v, const struct frame *frame,
		       struct area a)
{
	size_t worst[RINGS_WORST], nr;
	int row = 0;

	rings_table_fit(v, frame, a.cols);
	rings_table_header(v, a, row++);
	if (v->current < frame->nr_rings)
		rings_table_row(v, a, row++, frame, v->current);
	nr = rings_order_worst(frame, v->filter, worst, RINGS_WORST);
	for (size_t i = 0; i < nr && row < a.rows; i++) {
		if (worst[i] != v->current)
			rings_table_row(v, a, row++, frame, worst[i]);
	}
}

void rings_map_draw(struct rings_view *v, const struct frame *frame,
		    struct area a)
{
	size_t lines;
	int rows;

	lay_out(v, frame, a);
	lines = (frame->nr_rings + (size_t)v->map_cols - 1) /
		(size_t)v->map_cols;
	rows = a.rows - LEAST_TABLE;
	if ((size_t)rows > lines)
		rows = (int)lines;
	v->map_list.cursor = v->current == LIST_NONE ?
				     0 : v->current / (size_t)v->map_cols;
	list_fit(&v->map_list, lines, rows);
	draw_lines(v, frame, area_sub(a, 0, 0, rows, a.cols));
	draw_table(v, frame, area_sub(a, rows, 0, a.rows - rows, a.cols));
}

/* In the map the order is the rings' own, so rows are rings. */
bool rings_map_action(struct rings_view *v, const struct frame *frame,
		      enum action action)
{
	struct list cells = { .nr = frame->nr_rings,
			      .cursor = v->current == LIST_NONE ? 0 :
								  v->current };
	size_t line = (size_t)(v->map_cols > 0 ? v->map_cols : 1);

	switch ((int)action) {
	case ACTION_LEFT:
		list_action(&cells, ACTION_UP);
		break;
	case ACTION_RIGHT:
		list_action(&cells, ACTION_DOWN);
		break;
	case ACTION_UP:
		if (cells.cursor >= line)
			cells.cursor -= line;
		break;
	case ACTION_DOWN:
		if (cells.cursor + line < cells.nr)
			cells.cursor += line;
		break;
	case ACTION_PAGE_UP:
	case ACTION_HOME:
	case ACTION_PAGE_DOWN:
	case ACTION_END:
		cells.page = line * v->map_list.page + 1;
		list_action(&cells, action);
		break;
	default:
		return false;
	}
	rings_order_place(v, cells.cursor);
	return true;
}

size_t rings_map_ring_at(const struct rings_view *v, const struct frame *frame,
			 int row, int col)
{
	size_t line = list_row_at(&v->map_list, row), ring;
	int cell = (col - v->map_left) / v->map_cell;

	if (line == LIST_NONE || col < v->map_left || cell >= v->map_cols)
		return LIST_NONE;
	ring = line * (size_t)v->map_cols + (size_t)cell;
	return ring < frame->nr_rings ? ring : LIST_NONE;
}
