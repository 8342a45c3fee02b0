/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include <math.h>
#include <stdio.h>

#include "ui/draw/widgets.h"

enum {
	MIN_TABLE = 3,		/* its header, the cursor's ring, the worst */
	ROOMY = 10,		/* rows from which the map has a scale */
	ROUND = 8,		/* the cells of a line are a multiple of it */
	CLOSE = 4,		/* cells between two numbers above a short line */
	MAX_WORST = 64,		/* rows below the map */
	LEGEND = 60,		/* columns that the legend takes */
};

static const struct ring_row *ring_at(const struct rings_view *v, size_t at)
{
	return v->list.order[at];
}

static size_t nr_of(const struct rings_view *v)
{
	return v->list.list.nr;
}

/* The higher of the fill now and the peak in the last tick. */
static double level_of(const struct ring_row *r)
{
	return fmax(r->fill, r->peak_tick);
}

/*
 * Two columns per ring if all rings fit then (the second one is for tags), else
 * one; a line has a multiple of ROUND rings, or all of them.
 */
static void lay_out(struct rings_view *v, struct area a)
{
	const struct frame *frame = v->list.frame;
	int nr = (int)nr_of(v), width, cells;

	v->map_left = ring_cells_label_width(frame->rings, frame->nr_rings,
					     IN_RINGS) + 1;
	width = a.cols - 1 - v->map_left;
	v->map_cell = nr > width / 2 / ROUND * ROUND * (a.rows - MIN_TABLE) ?
			      1 : 2;
	cells = width / v->map_cell;
	if (cells > ROUND)
		cells -= cells % ROUND;
	v->map_cols = cells < 1 ? 1 : cells > nr && nr ? nr : cells;
}

static bool is_losing(const struct ring_row *r)
{
	return !r->gone && r->lost_per_s > 0;
}

static uint32_t glyph_of(struct area a, const struct ring_row *r)
{
	if (r->gone)
		return widget_glyph(a, GLYPH_GONE);
	/* in place of the fill: a ring that loses is, or was, full */
	if (is_losing(r))
		return '!';
	if (r->paused)
		return 'P';
	return widget_spark_glyph(a, level_of(r), 1);
}

static enum role role_of(const struct ring_row *r)
{
	if (r->gone)
		return ROLE_DIM;
	if (is_losing(r))
		return ROLE_BAD;
	if (r->paused)
		return ROLE_WARN;
	return r->overwrite ? ROLE_SPARK :
			      widget_level(level_of(r), ring_row_mark(r));
}

static void draw_ring(const struct rings_view *v, struct area cell, size_t at)
{
	const struct ring_row *r = ring_at(v, at);

	area_put(cell, 0, 0, role_of(r), glyph_of(cell, r));
	if (is_losing(r))
		area_reverse(cell, 0, 0, 1);
	if (v->map_cell > 1 && listing_has_tag(&v->list, r->id))
		area_put(cell, 0, 1, ROLE_TAG, '*');
	if (listing_found(&v->list, r))
		area_role(cell, 0, 0, v->map_cell, ROLE_MATCH);
	if (at == v->list.list.cursor)
		area_reverse(cell, 0, 0, v->map_cell);
}

static void draw_line(const struct rings_view *v, struct area a, int row,
		      size_t line)
{
	size_t first = line * (size_t)v->map_cols;

	area_text(a, row, 0, v->map_left - 1, ROLE_LABEL,
		  ring_at(v, first)->label);
	for (int i = 0; i < v->map_cols; i++) {
		if (first + (size_t)i < nr_of(v))
			draw_ring(v,
				  area_sub(a, row,
					   v->map_left + i * v->map_cell, 1,
					   v->map_cell),
				  first + (size_t)i);
	}
}

/* At each ROUND cells, or CLOSE, how many come before in a line. */
static void draw_scale(const struct rings_view *v, struct area a)
{
	int step = v->map_cols > ROUND ? ROUND : CLOSE;
	char text[16];

	for (int i = 0; i < v->map_cols; i += step) {
		snprintf(text, sizeof(text), "+%d", i);
		area_text(a, 0, v->map_left + i * v->map_cell,
			  step * v->map_cell - 1, ROLE_DIM, text);
	}
}

/* On a line of its own. */
static void draw_legend(struct area line)
{
	bool ascii = line.canvas->ascii;

	if (rings_map_legend(line, 1) > 1)
		return;
	area_printf(line, 0, 1, ROLE_DIM,
		    "%s 0 %s 100%%  ! losing  P paused  %s gone",
		    ascii ? "_" : "▁", ascii ? "#" : "█",
		    widget_glyph_text(line, GLYPH_GONE));
}

static void draw_lines(struct rings_view *v, struct area a)
{
	for (int row = 0; row < a.rows; row++) {
		size_t line = list_row_at(&v->lines, row);

		if (line != LIST_NONE)
			draw_line(v, a, row, line);
	}
	list_scrollbar(&v->lines, a);
}

/* Insert @row into the @nr worst so far, in order.  Returns their number. */
static size_t insert(const void *row, const void **best, size_t nr)
{
	size_t at = nr;

	for (; at && ring_cells_worst(row, best[at - 1]) < 0; at--) {
		if (at < MAX_WORST)
			best[at] = best[at - 1];
	}
	if (at < MAX_WORST)
		best[at] = row;
	return nr < MAX_WORST ? nr + 1 : nr;
}

/* No column has an arrow, since the list's order is that of the map: below the
 * cursor's ring the worst is first. */
static void draw_header(const struct rings_view *v, struct area line)
{
	struct list_column columns[LIST_COLUMNS];
	size_t nr = v->list.nr_columns;

	for (size_t i = 0; i < nr; i++) {
		columns[i] = v->list.columns[i];
		columns[i].sort = LIST_UNSORTED;
	}
	list_columns_header(columns, nr, line);
	area_put(line, 0, 0, ROLE_SORTED, widget_glyph(line, GLYPH_DOWN));
}

/* The ring under the cursor, then the worst ones of the list. */
static void draw_table(struct rings_view *v, struct area a)
{
	const void *best[MAX_WORST], *current = listing_current(&v->list);
	size_t nr = 0;
	int row = 0;

	for (size_t at = 0; at < nr_of(v); at++)
		nr = insert(v->list.order[at], best, nr);
	draw_header(v, area_sub(a, row++, 0, 1, a.cols));
	listing_draw_row(&v->list, current, area_sub(a, row++, 0, 1, a.cols));
	for (size_t i = 0; i < nr && row < a.rows; i++) {
		if (best[i] != current)
			listing_draw_row(&v->list, best[i],
					 area_sub(a, row++, 0, 1, a.cols));
	}
}

/* Whether a row is left for one more line than the map's @lines, @used others
 * and the table; a map that is roomy scrolls for it. */
static bool is_spare(struct area a, size_t lines, int used)
{
	return a.rows >= ROOMY + used ||
	       lines + MIN_TABLE + (size_t)used < (size_t)a.rows;
}

void rings_map_draw(struct rings_view *v, struct area a)
{
	size_t cols, lines;
	bool legend;
	int rows;

	lay_out(v, a);
	cols = (size_t)v->map_cols;
	lines = (nr_of(v) + cols - 1) / cols;
	v->map_top = is_spare(a, lines, 0);
	legend = !v->map_noted && is_spare(a, lines, v->map_top);
	if (v->map_top)
		draw_scale(v, a);
	rows = a.rows - MIN_TABLE - v->map_top - legend;
	if ((size_t)rows > lines)
		rows = (int)lines;
	v->lines.cursor = v->list.list.cursor / cols;
	list_fit(&v->lines, lines, rows);
	draw_lines(v, area_sub(a, v->map_top, 0, rows, a.cols));
	rows += v->map_top;
	if (legend)
		draw_legend(area_sub(a, rows++, 0, 1, a.cols));
	draw_table(v, area_sub(a, rows, 0, a.rows - rows, a.cols));
}

bool rings_map_action(struct rings_view *v, const struct frame *frame,
		      enum action action)
{
	size_t line = (size_t)(v->map_cols > 0 ? v->map_cols : 1);
	struct list cells;

	listing_update(&v->list, frame);
	cells = (struct list){ .nr = nr_of(v), .cursor = v->list.list.cursor };
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
	case ACTION_PAGE_DOWN:
	case ACTION_END:
		cells.page = line * v->lines.page + 1;
		list_action(&cells, action);
		break;
	default:
		return false;
	}
	listing_place(&v->list, cells.cursor);
	return true;
}

size_t rings_map_at(const struct rings_view *v, int row, int col)
{
	size_t line = list_row_at(&v->lines, row - v->map_top), at;
	int cell;

	if (line == LIST_NONE || col < v->map_left || !v->map_cell)
		return LIST_NONE;
	cell = (col - v->map_left) / v->map_cell;
	if (cell >= v->map_cols)
		return LIST_NONE;
	at = line * (size_t)v->map_cols + (size_t)cell;
	return at < nr_of(v) ? at : LIST_NONE;
}

int rings_map_legend(struct area a, int col)
{
	bool ascii = a.canvas->ascii;

	if (a.cols - col < LEGEND)
		return col;
	col = widget_note(a, col, ROLE_DIM,
			  "peak in the last tick: %s 0 to %s 100%%",
			  ascii ? "_" : "▁", ascii ? "#" : "█");
	return widget_note(a, col, ROLE_DIM, "! losing  P paused  %s gone",
			   widget_glyph_text(a, GLYPH_GONE));
}
