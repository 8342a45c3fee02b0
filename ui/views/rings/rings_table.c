/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/list_columns.h"
#include "ui/kit/widgets.h"

enum {
	GUTTER = 3,		/* tag, state, a blank; left of the columns */
	LEAST_LABEL = 6,
	LEAST_BAR = 10,		/* before other columns make room for it */
	WIDE_BAR = 24,		/* from here on HIST shares what is left */
};

static bool is_picture(enum figure column)
{
	return column == FIGURE_FILL || column == FIGURE_HIST;
}

static bool is_left_aligned(enum figure column)
{
	return figure_info(column)->kind == FIGURE_IS_TEXT ||
	       is_picture(column);
}

static bool is_loss(enum figure column)
{
	return figure_info(column)->loss;
}

int rings_table_label_width(const struct frame *frame)
{
	int width = LEAST_LABEL, most = figure_width(FIGURE_RING, IN_RINGS);

	for (size_t i = 0; i < frame->nr_rings && width < most; i++) {
		int label = text_width(frame->rings[i].label);

		if (label > width)
			width = label;
	}
	return width < most ? width : most;
}

static int width_of(enum figure column, const struct frame *frame)
{
	if (column == FIGURE_RING)
		return rings_table_label_width(frame);
	if (column == FIGURE_FILL)
		return LEAST_BAR;
	/* a loss has its '!' in front */
	return figure_width(column, IN_RINGS) + is_loss(column);
}

static enum list_sort sort_of(const struct rings_view *v, enum figure column)
{
	const struct config *config = v->view.shell->config;

	if (v->worst || v->map ||
	    column != (config->sort < FIGURES ? config->sort : FIGURE_RING))
		return LIST_UNSORTED;
	return figure_info(column)->ascending == config->invert ?
		       LIST_FALLING : LIST_RISING;
}

static struct list_column heading_of(const struct rings_view *v,
				     enum figure column, int width)
{
	return (struct list_column){
		.header = figure_header(column, IN_RINGS),
		.width = width,
		.left = is_left_aligned(column),
		.sort = sort_of(v, column),
	};
}

static void add_column(struct rings_view *v, enum figure column, int width)
{
	const struct list_column wants = heading_of(v, column, width);

	width = list_columns_width(&wants);
	v->columns[v->nr_columns++] =
		(struct rings_column){ .column = column, .width = width };
}

/* The configured columns, less those that are scrolled out. */
static void take_configured(struct rings_view *v, const struct frame *frame)
{
	const struct config *config = v->view.shell->config;
	int skip = v->scroll;

	v->nr_columns = 0;
	for (size_t i = 0; i < config->nr_columns; i++) {
		enum figure column = config->columns[i];

		if (figure_info(column)->aux && !frame->total.aux_rings)
			continue;
		if (column != FIGURE_RING && skip-- > 0)
			continue;
		add_column(v, column, width_of(column, frame));
	}
}

static int total_width(const struct rings_view *v)
{
	int width = GUTTER - 1;

	for (size_t i = 0; i < v->nr_columns; i++)
		width += 1 + v->columns[i].width;
	return width;
}

static int rank_of(const struct rings_column *c)
{
	return figure_info(c->column)->in[IN_RINGS].rank;
}

/*
 * What goes next where not all fit: of those with the highest rank the
 * rightmost.  Scrolling is there to see the others, so then it is simply the
 * rightmost.
 */
static size_t dispensable(const struct rings_view *v)
{
	size_t worst = v->nr_columns - 1;

	for (size_t i = v->nr_columns; i-- > 0 && !v->scroll;) {
		if (rank_of(&v->columns[i]) > rank_of(&v->columns[worst]))
			worst = i;
	}
	return worst;
}

static void drop_column(struct rings_view *v, size_t i)
{
	memmove(&v->columns[i], &v->columns[i + 1],
		(v->nr_columns - i - 1) * sizeof(v->columns[0]));
	v->nr_columns--;
	v->more_columns = true;
}

/* Give the bar, and from some width on the sparkline, what is left. */
static void stretch(struct rings_view *v, int left)
{
	struct rings_column *bar = NULL, *hist = NULL;
	int extra;

	for (size_t i = 0; i < v->nr_columns; i++) {
		if (v->columns[i].column == FIGURE_FILL)
			bar = &v->columns[i];
		else if (v->columns[i].column == FIGURE_HIST)
			hist = &v->columns[i];
	}
	if (!bar)
		return;
	extra = (bar->width + left - WIDE_BAR) / 2;
	if (hist && extra > 0) {
		if (extra > HISTORY_LEN - hist->width)
			extra = HISTORY_LEN - hist->width;
		hist->width += extra;
		left -= extra;
	}
	bar->width += left;
}

void rings_table_fit(struct rings_view *v, const struct frame *frame,
		     int cols)
{
	int col = GUTTER;

	v->more_columns = false;
	take_configured(v, frame);
	while (v->nr_columns > 1 && total_width(v) > cols)
		drop_column(v, dispensable(v));
	stretch(v, cols - total_width(v));
	for (size_t i = 0; i < v->nr_columns; i++) {
		v->columns[i].col = col;
		col += v->columns[i].width + 1;
	}
}

bool rings_table_shows(const struct rings_view *v, enum figure column)
{
	for (size_t i = 0; i < v->nr_columns; i++) {
		if (v->columns[i].column == column)
			return true;
	}
	return false;
}

enum figure rings_table_column_at(const struct rings_view *v, int col)
{
	for (size_t i = 0; i < v->nr_columns; i++) {
		const struct rings_column *c = &v->columns[i];

		if (col >= c->col - 1 && col < c->col + c->width)
			return c->column;
	}
	return FIGURES;
}

static void draw_heading(const struct rings_view *v, struct area a, int row,
			 const struct rings_column *c)
{
	const struct list_column column = heading_of(v, c->column, c->width);

	list_columns_heading(a, row, &column, &(struct list_place){
		.col = c->col, .width = c->width,
	});
}

void rings_table_header(struct rings_view *v, struct area a, int row)
{
	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	for (size_t i = 0; i < v->nr_columns; i++)
		draw_heading(v, a, row, &v->columns[i]);
	if (v->scroll)
		area_put(a, row, 0, ROLE_KEY, widget_glyph(a, GLYPH_LEFT));
	if (v->more_columns)
		area_put(a, row, 1, ROLE_KEY, widget_glyph(a, GLYPH_RIGHT));
}

/* An overwrite ring is full as a rule, so that is no alarm. */
static enum role picture_role(const struct ring_row *r)
{
	if (r->gone)
		return ROLE_DIM;
	return r->overwrite ? ROLE_SPARK : ROLE_DEFAULT;
}

static void draw_picture(struct area a, int row, const struct rings_column *c,
			 const struct ring_row *r)
{
	enum role role = picture_role(r);
	struct widget_bar bar = { .fill = r->fill, .peak = r->peak,
				  .tick = ring_row_wakeup_fill(r),
				  .role = role };

	if (c->column == FIGURE_FILL)
		widget_bar(a, row, c->col, c->width, &bar);
	else
		widget_sparkline(a, row, c->col, c->width, r->fill_history, 1,
				 role == ROLE_DEFAULT, role);
}

/* A share that is no good when it is high; an overwrite ring is full as a
 * rule. */
static bool is_alarming(enum figure column, const struct ring_row *r)
{
	const struct figure_info *info = figure_info(column);

	return info->alarms && (info->aux || !r->overwrite);
}

static enum role cell_role(enum figure column, const struct ring_row *r,
			   const char *text)
{
	double value = figure_number(column, r);

	if (is_loss(column) && value > 0)
		return ROLE_BAD;
	if (r->gone || !strcmp(text, "-") || !strcmp(text, "0") ||
	    !strcmp(text, "0%"))
		return ROLE_DIM;
	if (is_alarming(column, r) && widget_level(value) == ROLE_BAR_HIGH)
		return ROLE_BAR_HIGH;
	return figure_info(column)->warns ? ROLE_WARN : ROLE_DEFAULT;
}

static void draw_cell(struct area a, int row, const struct rings_column *c,
		      const struct ring_row *r)
{
	char text[64], marked[66];
	enum role role;

	figure_text(c->column, r, text, sizeof(text));
	role = cell_role(c->column, r, text);
	snprintf(marked, sizeof(marked), "%s%s",
		 role == ROLE_BAD ? "!" : "", text);
	if (is_left_aligned(c->column))
		area_text(a, row, c->col, c->width, role, marked);
	else
		area_text_right(a, row, c->col + c->width, role, marked);
}

/* Beside the label, what colour alone must not tell. */
static void draw_gutter(const struct rings_view *v, struct area a, int row,
			size_t ring, const struct ring_row *r)
{
	if (tags_has(&v->tags, ring))
		area_put(a, row, 0, ROLE_TAG, widget_glyph(a, GLYPH_TAG));
	if (r->gone)
		area_put(a, row, 1, ROLE_DIM, widget_glyph(a, GLYPH_GONE));
	else if (r->paused)
		area_put(a, row, 1, ROLE_WARN, 'P');
	else if (!r->enabled)
		area_put(a, row, 1, ROLE_WARN, 'D');
	else if (r->overwrite)
		area_put(a, row, 1, ROLE_DIM, 'O');
}

/* All but the pictures, which would say the opposite in reverse. */
static void mark_cursor(const struct rings_view *v, struct area a, int row)
{
	int col = 0;

	for (size_t i = 0; i < v->nr_columns; i++) {
		const struct rings_column *c = &v->columns[i];

		if (!is_picture(c->column))
			continue;
		area_reverse(a, row, col, c->col - col);
		col = c->col + c->width;
	}
	area_reverse(a, row, col, a.cols - col);
}

void rings_table_row(const struct rings_view *v, struct area a, int row,
		     const struct frame *frame, size_t ring)
{
	const struct ring_row *r = &frame->rings[ring];

	draw_gutter(v, a, row, ring, r);
	for (size_t i = 0; i < v->nr_columns; i++) {
		const struct rings_column *c = &v->columns[i];

		if (is_picture(c->column))
			draw_picture(a, row, c, r);
		else
			draw_cell(a, row, c, r);
		if (c->column == FIGURE_RING && *v->search &&
		    rings_order_match(r, v->search))
			area_role(a, row, c->col, c->width, ROLE_MATCH);
	}
	if (ring == v->current)
		mark_cursor(v, a, row);
}

void rings_table_total(const struct rings_view *v, struct area a, int row,
		       const struct frame *frame)
{
	struct ring_row all = frame->total.row, bar = all;
	char text[64];

	bar.peak = (double)NAN; /* that of one ring: no place in this bar */
	snprintf(all.label, sizeof(all.label), "all %zu", frame->nr_rings);
	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	for (size_t i = 0; i < v->nr_columns; i++) {
		const struct rings_column *c = &v->columns[i];

		figure_text(c->column, &all, text, sizeof(text));
		if (c->column == FIGURE_FILL) {
			draw_picture(a, row, c, &bar);
		} else if (strcmp(text, "-") && !is_picture(c->column)) {
			draw_cell(a, row, c, &all);
			if (cell_role(c->column, &all, text) != ROLE_BAD)
				area_role(a, row, c->col, c->width,
					  ROLE_HEADER);
		}
	}
}

void rings_table_draw(struct rings_view *v, const struct frame *frame,
		      struct area a)
{
	bool bar;

	rings_table_fit(v, frame, a.cols);
	list_fit(&v->list, v->nr_order, a.rows - 1);
	bar = v->nr_order > v->list.page;
	if (bar)
		rings_table_fit(v, frame, a.cols - 1);
	rings_table_header(v, a, 0);
	for (int line = 0; line < a.rows - 1; line++) {
		size_t row = list_row_at(&v->list, line);
		struct area rows = area_sub(a, 0, 0, a.rows, a.cols - bar);

		if (row != LIST_NONE)
			rings_table_row(v, rows, line + 1, frame,
					v->order[row].ring);
	}
	widget_scrollbar(area_sub(a, 1, 0, a.rows - 1, a.cols), &v->list);
}
