/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/widgets.h"

enum {
	GUTTER = 3,		/* warning, state, a blank */
	LEAST_BAR = 8,		/* before other columns make room for it */
	NARROW = 60,		/* below that, names are cut to make room */
	NARROW_NAME = 10,
	LEAST_EVENT = 10, MOST_EVENT = 40,
	TEXT = 128,
};

size_t host_list_index(const struct host_view *v, enum figure figure)
{
	for (size_t i = 0; i < v->nr_columns; i++) {
		if (v->figures[i] == figure)
			return i;
	}
	return LIST_NONE;
}

bool host_list_shows(const struct host_view *v, enum figure figure)
{
	size_t at = host_list_index(v, figure);

	return at != LIST_NONE && v->places[at].width;
}

static bool is_name(enum figure column)
{
	return figure_info(column)->kind == FIGURE_IS_TEXT;
}

static bool is_loss(enum figure column)
{
	return figure_info(column)->loss;
}

/* Columns of the longest text, but @most at most. */
static int content_width(const struct host_view *v, const struct host *host,
			 enum figure column, int most)
{
	int width = text_width(figure_header(column, IN_HOST)) + 1;
	char text[TEXT];

	for (size_t i = 0; i < v->nr_order && width < most; i++) {
		int cell = text_width(figure_text(
			column, &host->rows[v->order[i]], text, sizeof(text)));

		if (cell > width)
			width = cell;
	}
	return width < most ? width : most;
}

static bool any_stopped(const struct host *host)
{
	for (size_t i = 0; i < host->nr_rows; i++) {
		if (host->rows[i].stopped && !host->rows[i].gone)
			return true;
	}
	return false;
}

static bool any_aux(const struct host *host)
{
	for (size_t i = 0; i < host->nr_rows; i++) {
		if (host->rows[i].aux.size)
			return true;
	}
	return false;
}

/* Whether there is anything to be said in it now. */
static bool says_something(const struct host *host, enum figure column)
{
	switch ((int)column) {
	case FIGURE_WARN:
		return host->total.warned || any_stopped(host);
	case FIGURE_PENDING:
		return unknown_as_zero(host->total.row.lost_pending);
	case FIGURE_AUXHEAD:
	case FIGURE_AUX:
		return any_aux(host);
	default:
		return true;
	}
}

/* Columns that never said anything only take room from those that do. */
static bool is_wanted(struct host_view *v, const struct host *host, size_t i)
{
	enum figure column = v->figures[i];

	if (!host->status.bpf && !figure_info(column)->proc)
		return false;
	v->wanted[i] |= says_something(host, column);
	return v->wanted[i];
}

static enum list_sort sort_of(const struct host_view *v,
			      enum figure column)
{
	if (v->sort != column || v->worst)
		return LIST_UNSORTED;
	return figure_info(column)->ascending == v->invert ?
		       LIST_FALLING : LIST_RISING;
}

static struct list_column lay_out(const struct host_view *v,
				 const struct host *host,
				 enum figure column, int cols)
{
	struct list_column c = {
		.header = figure_header(column, IN_HOST),
		/* '!' in front */
		.width = figure_width(column, IN_HOST) + is_loss(column),
		.rank = figure_info(column)->in[IN_HOST].rank,
		.left = is_name(column) || column == FIGURE_FILL,
		.sort = sort_of(v, column),
	};

	if (column == FIGURE_FILL) {
		c.width = LEAST_BAR;
		c.most = cols;	/* all that is left */
	} else if ((is_name(column) && column != FIGURE_WARN) ||
		   column == FIGURE_PID) {
		c.most = content_width(v, host, column,
				       column == FIGURE_EVENT ?
					       MOST_EVENT : c.width);
		if (column == FIGURE_EVENT)
			c.width = LEAST_EVENT;
		if (cols < NARROW && c.width > NARROW_NAME)
			c.width = NARROW_NAME;
		if (c.width > c.most)
			c.width = c.most;
	}
	return c;
}

/* Choose and place the columns; the owner's name always stays. */
void host_list_fit(struct host_view *v, const struct host *host, int cols)
{
	bool wanted[LIST_COLUMNS];
	int skip = v->scroll;

	for (size_t i = 0; i < v->nr_columns; i++) {
		v->columns[i] = lay_out(v, host, v->figures[i], cols);
		wanted[i] = is_wanted(v, host, i);
		if (i && wanted[i] && skip-- > 0)
			wanted[i] = false;
		/* scrolling is there to see them all: simply from the left */
		if (v->scroll)
			v->columns[i].rank = (int)i;
	}
	list_columns_fit(v->columns, v->nr_columns, wanted, GUTTER, cols,
			 v->places);
	v->more_columns = false;
	for (size_t i = 0; i < v->nr_columns; i++)
		v->more_columns |= wanted[i] && !v->places[i].width;
}

enum figure host_list_column_at(const struct host_view *v, int col)
{
	for (size_t i = 0; i < v->nr_columns; i++) {
		const struct list_place *p = &v->places[i];

		if (p->width && col >= p->col - 1 && col < p->col + p->width)
			return v->figures[i];
	}
	return FIGURES;
}

static void draw_header(const struct host_view *v, struct area a)
{
	list_columns_header(a, 0, v->columns, v->nr_columns, v->places);
	if (v->scroll)
		area_put(a, 0, 0, ROLE_KEY, widget_glyph(a, GLYPH_LEFT));
	if (v->more_columns)
		area_put(a, 0, 1, ROLE_KEY, widget_glyph(a, GLYPH_RIGHT));
}

static void draw_bar(struct area a, int row, const struct list_place *p,
		     const struct ring_row *r)
{
	struct widget_bar bar = { .fill = r->fill, .peak = r->peak,
				  .tick = ring_row_wakeup_fill(r) };

	if (r->gone)
		bar.role = ROLE_DIM;
	else if (r->overwrite) /* full as a rule: no alarm */
		bar.role = ROLE_SPARK;
	if (p->width)
		widget_bar(a, row, p->col, p->width, &bar);
}

static enum role cell_role(enum figure column, const struct ring_row *r,
			   const char *text)
{
	double value = is_name(column) ? (double)NAN :
					 figure_number(column, r);

	if (r->gone)
		return ROLE_DIM;
	if (is_loss(column) && value > 0)
		return ROLE_BAD;
	if (column == FIGURE_WARN || column == FIGURE_OWNER) {
		if (r->warnings)
			return host_alarm_role(r->warnings);
		if (r->stopped && column == FIGURE_WARN)
			return ROLE_WARN;
	}
	if (r->self || !strcmp(text, "-") || !strcmp(text, "0") ||
	    !strcmp(text, "0%"))
		return ROLE_DIM;
	if (figure_info(column)->alarms && !r->overwrite &&
	    widget_level(value) == ROLE_BAR_HIGH)
		return ROLE_BAR_HIGH;
	return ROLE_DEFAULT;
}

static void draw_cell(const struct host_view *v, struct area a, int row,
		      size_t i, const struct ring_row *r)
{
	enum figure column = v->figures[i];
	char buf[TEXT], marked[TEXT + 1];
	const char *text = figure_text(column, r, buf, sizeof(buf));
	enum role role = cell_role(column, r, text);

	snprintf(marked, sizeof(marked), "%s%s",
		 is_loss(column) && role == ROLE_BAD ? "!" : "", text);
	list_columns_cell(a, row, &v->columns[i], &v->places[i], role,
			  marked);
}

/* What colour alone must not tell. */
static void draw_gutter(struct area a, int row, const struct ring_row *r)
{
	if (r->warnings && !r->gone)
		area_put(a, row, 0, host_alarm_role(r->warnings), '!');
	if (r->gone)
		area_put(a, row, 1, ROLE_DIM, widget_glyph(a, GLYPH_GONE));
	else if (r->paused)
		area_put(a, row, 1, ROLE_WARN, 'P');
	else if (r->self)
		area_put(a, row, 1, ROLE_DIM, 'r');
	else if (r->kind == RING_BPF)
		area_put(a, row, 1, ROLE_DIM, 'B');
	else if (r->overwrite)
		area_put(a, row, 1, ROLE_DIM, 'O');
	else if (!r->mapped)
		area_put(a, row, 1, ROLE_DIM, 'F');
}

/* All but the bar, which would say the opposite in reverse. */
static void mark_cursor(const struct host_view *v, struct area a, int row)
{
	const struct list_place *bar =
		&v->places[host_list_index(v, FIGURE_FILL)];
	int end = bar->width ? bar->col + bar->width : a.cols;

	area_reverse(a, row, 0, bar->width ? bar->col : a.cols);
	area_reverse(a, row, end, a.cols - end);
}

static void draw_row(const struct host_view *v, struct area a, int row,
		     const struct ring_row *r)
{
	draw_gutter(a, row, r);
	for (size_t i = 0; i < v->nr_columns; i++) {
		if (v->figures[i] == FIGURE_FILL)
			draw_bar(a, row, &v->places[i], r);
		else
			draw_cell(v, a, row, i, r);
	}
	if (*v->search && host_order_match(r, v->search))
		area_role(a, row, v->places[0].col, v->places[0].width,
			  ROLE_MATCH);
	if (r->id == v->current)
		mark_cursor(v, a, row);
}

void host_list_draw(struct host_view *v, const struct host *host,
		    struct area a)
{
	struct area rows = area_sub(a, 1, 0, a.rows - 1, a.cols), body = rows;

	list_fit(&v->list, v->nr_order, rows.rows);
	body.cols -= v->nr_order > v->list.page;
	host_list_fit(v, host, body.cols);
	draw_header(v, area_sub(a, 0, 0, 1, a.cols));
	for (int line = 0; line < body.rows; line++) {
		size_t at = list_row_at(&v->list, line);

		if (at != LIST_NONE)
			draw_row(v, body, line, &host->rows[v->order[at]]);
	}
	widget_scrollbar(rows, &v->list);
}
