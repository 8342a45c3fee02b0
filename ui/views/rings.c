/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Rings view: a list, or a heat map in place of its table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/table/host.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"
#include "ui/kit/tune.h"
#include "ui/views/ring_cells.h"
#include "ui/views/ring_history.h"

struct rings_view {
	struct listing list;
	struct list lines;	/* of the map; a line has map_cols cells */
	int map_cols;		/* cells in a line */
	int map_top;		/* lines above it: its scale */
	bool map_noted;		/* its legend is among the notes */
	int map_left, map_cell;	/* first column, columns of a cell */
};

static struct rings_view *rings(const void *view)
{
	return (struct rings_view *)(uintptr_t)view;
}

/* The map */

enum {
	MIN_TABLE = 3,		/* its header, the cursor's ring, the worst */
	ROOMY = 10,		/* rows from which the map has a scale */
	ROUND = 8,		/* the cells of a line are a multiple of it */
	CLOSE = 4,		/* cells between two numbers above a short line */
	MAX_WORST = 64,		/* rows below the map */
	LEGEND = 60,		/* columns that the legend takes */
	MANY_RINGS = 256,	/* from which a note offers the map */
};

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
	const struct ring_row *r = v->list.order[at];

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
		  ((const struct ring_row *)v->list.order[first])->label);
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

/* Note what the characters mean, if it fits after @col; the column after it. */
static int map_legend(struct area a, int col)
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

/* On a line of its own. */
static void draw_map_legend(struct area line)
{
	bool ascii = line.canvas->ascii;

	if (map_legend(line, 1) > 1)
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

/* A cell per ring, in the order of the list, and a table of the worst. */
static void draw_map(struct listing *l, struct area a)
{
	struct rings_view *v = rings(l);
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
		draw_map_legend(area_sub(a, rows++, 0, 1, a.cols));
	draw_table(v, area_sub(a, rows, 0, a.rows - rows, a.cols));
}

static bool map_action(struct rings_view *v, const struct frame *frame,
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

/* The index in list.order of the ring at a cell of the area, or LIST_NONE. */
static size_t map_at(const struct listing *l, int row, int col)
{
	const struct rings_view *v = rings(l);
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

/* Order */

static void update(struct listing *l)
{
	const struct config *config = l->view.shell->config;

	l->sort = config->sort < FIGURES ? (int)config->sort :
					   LISTING_UNSORTED;
	l->invert = config->invert;
}

/* Store the order in the configuration. */
static void sorted(struct listing *l)
{
	struct config *config = l->view.shell->config;

	config->sort = l->sort == LISTING_UNSORTED ? FIGURES :
						     (enum figure)l->sort;
	config->invert = l->invert;
}

static size_t nr_rings(const struct listing *l)
{
	return l->frame->nr_rings;
}

static const void *ring_at(const struct listing *l, size_t i)
{
	return &l->frame->rings[i];
}

/* Columns and cells */

/* In a recording, some figures are unknown of all rings. */
static bool is_wanted(const struct frame *frame, enum figure figure)
{
	const struct figure_info *info = figure_info(figure);
	bool any = !frame->playback || info->kind == FIGURE_IS_TEXT ||
		   !frame->nr_rings;

	for (size_t i = 0; !any && i < frame->nr_rings; i++)
		any = figure_is_known(figure, &frame->rings[i]);
	return any;
}

static struct list_column column_of(const struct frame *frame,
				       enum figure figure)
{
	struct list_column c = ring_cells_column(figure, IN_RINGS);

	c.fixed = figure == FIGURE_RING;
	if (c.fixed)
		c.width = ring_cells_label_width(frame->rings, frame->nr_rings,
						 IN_RINGS);
	c.hidden = (figure_info(figure)->aux && !frame->total.aux_rings) ||
		   !is_wanted(frame, figure);
	return c;
}

/* The configured columns, then the others, hidden, which can be sorted by. */
static size_t columns(struct listing *l, int cols, struct list_column *columns)
{
	const struct config_columns *chosen =
		&l->view.shell->config->columns[CONFIG_RINGS];
	unsigned int order[CONFIG_COLUMNS];
	size_t nr = config_columns_order(CONFIG_RINGS, chosen, order);

	(void)cols;
	for (size_t i = 0; i < nr; i++) {
		columns[i] = column_of(l->frame, (enum figure)order[i]);
		columns[i].hidden |= i >= chosen->nr;
	}
	return nr;
}

static enum role draw_sum(const struct frame *frame, enum figure figure,
			  struct area cell, char *text)
{
	if (figure != FIGURE_RING)
		return ring_cells_sum(figure, &frame->total.row, cell, text);
	snprintf(text, LISTING_CELL, "all %zu", frame->nr_rings);
	return ROLE_HEADER;
}

static enum role draw_cell(struct listing *l, const void *row,
			   const struct list_column *column, struct area cell,
			   char *text)
{
	enum figure figure = (enum figure)column->id;

	return row ? ring_cells_draw(figure, row, cell, text) :
		     draw_sum(l->frame, figure, cell, text);
}

static bool has_total(const struct listing *l)
{
	return l->frame->nr_rings > 1;
}

static int add_notes(const struct listing *l, struct area a, int col)
{
	const struct advice *all = &l->frame->total.row.advice;
	const struct host *host = l->frame->host;
	char key[16];

	if (all->pages)
		col = widget_note(a, col, ROLE_WARN, "%s", all->text);
	else if (l->frame->playback && *all->text)
		col = widget_note(a, col, ROLE_DIM, "%s", all->text);
	if (all->valid && !l->frame->playback)
		col = widget_note(a, col, ROLE_DIM, "for perf: %s",
				  all->setting);
	if (host && host->status.ready && host->total.row.lost_per_s > 0)
		col = widget_note(a, col, ROLE_BAD, "other programs lose "
				  "records: see Host (%s)",
				  keys_text(l->view.shell->keys,
					    ACTION_SCREEN_HOST, true, key,
					    sizeof(key)));
	if (l->pictured) {
		int end = map_legend(a, col);

		rings(l)->map_noted = end > col;
		return end;
	}
	if (l->frame->nr_rings >= MANY_RINGS)
		return widget_note(a, col, ROLE_DIM, "m: all rings as a map");
	return col;
}

static void draw_legend(const struct listing *l, struct area line)
{
	static const struct ring_mark marks[] = {
		{ "P", "paused" }, { "D", "disabled" }, { "O", "overwrite" },
		{ NULL, NULL },
	};

	if (!l->frame->playback)	/* which has nothing but counts */
		ring_cells_legend(l, line, marks);
}

static void draw_empty(const struct listing *l, struct area a)
{
	area_text(a, (a.rows - 1) / 2, 2, 0, ROLE_DIM, *l->filter ?
		  "no ring matches the filter" : "no rings yet");
}

static const struct listing_key sort_keys[] = {
	{ ACTION_SORT_RATE, FIGURE_RATE },
	{ ACTION_SORT_SIZE, FIGURE_SIZE },
	{ ACTION_SORT_TOTAL, FIGURE_BYTES },
	{ ACTION_SORT_NUMBER, LISTING_UNSORTED },
	{ ACTION_NONE, LISTING_UNSORTED },
};

static const struct listing_ops rings_listing = {
	.update = update,
	.nr = nr_rings,
	.at = ring_at,
	.id = ring_cells_id,
	.match = ring_cells_match,
	.compare = ring_cells_compare,
	.is_known = ring_cells_is_known,
	.worst = ring_cells_worst,
	.sorted = sorted,
	.columns = columns,
	.cell = draw_cell,
	.gutter = ring_cells_gutter,
	.has_total = has_total,
	.picture = draw_map,
	.picture_at = map_at,
	.notes = add_notes,
	.legend = draw_legend,
	.empty = draw_empty,
	.detail = VIEW_RING_DETAIL,
	.gutter_cols = RING_CELLS_GUTTER,
	.natural = FIGURE_RING,
	.keys = sort_keys,
	.tags = true,
};

static void rings_init(struct view *view)
{
	listing_init(&rings(view)->list, view, &rings_listing);
}

static void rings_draw(struct view *view, const struct frame *frame,
		       struct area area)
{
	struct listing *l = &rings(view)->list;

	listing_update(l, frame);
	l->below = ring_history_lines(l, area, 0);
	if (l->below)
		ring_history_panel(l, area_sub(area, area.rows - l->below, 0,
					       l->below, area.cols));
	listing_draw(view, frame, area);
}

/* The row under the cursor, else, as a recording has advice on all alone, the
 * total. */
static const struct ring_row *advised(const struct listing *l)
{
	const struct ring_row *r = listing_current(l);

	return ring_cells_command(r) || !l->frame ? r : &l->frame->total.row;
}

static bool rings_action(struct view *view, const struct frame *frame,
			 enum action action)
{
	struct rings_view *v = rings(view);
	bool map = v->list.pictured && !v->list.pick.open;
	size_t nr;

	if ((map && map_action(v, frame, action)) ||
	    ring_history_action(&v->list, action) ||
	    listing_action(view, frame, action))
		return true;
	if (v->list.pick.open)
		return false;
	if (action == ACTION_COPY) {
		ring_cells_copy(view, advised(&v->list));
		return true;
	}
	nr = listing_targets(&v->list);
	return tune_action(view, frame, action, v->list.targets, nr);
}

static bool rings_wheel(struct view *view, const struct frame *frame,
			int lines)
{
	struct rings_view *v = rings(view);

	if (!v->list.pictured || v->list.pick.open)
		return listing_wheel(view, frame, lines);
	for (int i = abs(lines); i > 0; i--)
		map_action(v, frame, lines < 0 ? ACTION_UP :
			   ACTION_DOWN);
	return true;
}

/* The key that copies is shown if the present size is too small or tight. */
static const char *rings_label(const struct view *view, enum action action)
{
	const struct listing *l = (const void *)view;
	const struct ring_row *r;

	if (action != ACTION_COPY || l->pick.open)
		return listing_label(view, action);
	r = advised(l);
	return ring_cells_command(r) && verdict_of(r) >= VERDICT_CONCERN ?
		       "Copy" : NULL;
}

const struct view_ops view_rings = {
	.id = VIEW_RINGS,
	.own_rings = true,
	.size = sizeof(struct rings_view),
	.init = rings_init,
	.release = listing_release,
	.draw = rings_draw,
	.action = rings_action,
	.click = listing_click,
	.wheel = rings_wheel,
	.label = rings_label,
};
