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

_Static_assert(HOST_COLUMNS <= (int)LIST_COLUMNS, "all fit in a list");

static bool is_name(enum host_column column)
{
	return column == HOST_COLUMN_OWNER || column == HOST_COLUMN_RING ||
	       column == HOST_COLUMN_EVENT || column == HOST_COLUMN_USER ||
	       column == HOST_COLUMN_WARN;
}

static bool is_loss(enum host_column column)
{
	return column == HOST_COLUMN_LOST || column == HOST_COLUMN_PENDING ||
	       column == HOST_COLUMN_LOSTRATE;
}

/* Columns of the longest text, but @most at most. */
static int content_width(const struct host_view *v, const struct host *host,
			 enum host_column column, int most)
{
	int width = text_width(host_column_info(column)->header) + 1;
	char text[TEXT];

	for (size_t i = 0; i < v->nr_order && width < most; i++) {
		int cell = text_width(host_column_text(
			column, &host->rows[v->order[i]], text, sizeof(text)));

		if (cell > width)
			width = cell;
	}
	return width < most ? width : most;
}

/* What /proc alone can tell; and that it does not tell how full a ring is. */
static bool is_in_proc(enum host_column column)
{
	return is_name(column) || column == HOST_COLUMN_PID ||
	       column == HOST_COLUMN_SIZE || column == HOST_COLUMN_FILLPCT ||
	       column == HOST_COLUMN_AUXSIZE || column == HOST_COLUMN_LOCKED;
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
static bool says_something(const struct host *host, enum host_column column)
{
	switch ((int)column) {
	case HOST_COLUMN_WARN:
		return host->total.warned || any_stopped(host);
	case HOST_COLUMN_PENDING:
		return unknown_as_zero(host->total.row.lost_pending);
	case HOST_COLUMN_AUX:
	case HOST_COLUMN_AUXSIZE:
		return any_aux(host);
	default:
		return true;
	}
}

/* Columns that never said anything only take room from those that do. */
static bool is_wanted(struct host_view *v, const struct host *host,
		      enum host_column column)
{
	if (!host->status.bpf && !is_in_proc(column))
		return false;
	v->wanted[column] |= says_something(host, column);
	return v->wanted[column];
}

static enum list_sort sort_of(const struct host_view *v,
			      enum host_column column)
{
	if (v->sort != column || v->worst)
		return LIST_UNSORTED;
	return host_column_info(column)->descending != v->invert ?
		       LIST_FALLING : LIST_RISING;
}

static struct list_column lay_out(const struct host_view *v,
				 const struct host *host,
				 enum host_column column, int cols)
{
	const struct host_column_info *info = host_column_info(column);
	struct list_column c = {
		.header = info->header,
		.width = info->width + is_loss(column), /* '!' in front */
		.rank = info->rank,
		.left = is_name(column) || column == HOST_COLUMN_FILL,
		.sort = sort_of(v, column),
	};

	if (column == HOST_COLUMN_FILL) {
		c.width = LEAST_BAR;
		c.most = cols;	/* all that is left */
	} else if ((is_name(column) && column != HOST_COLUMN_WARN) ||
		   column == HOST_COLUMN_PID) {
		c.most = content_width(v, host, column,
				       column == HOST_COLUMN_EVENT ?
					       MOST_EVENT : c.width);
		if (column == HOST_COLUMN_EVENT)
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
	bool wanted[HOST_COLUMNS];
	int skip = v->scroll;

	for (int i = 0; i < HOST_COLUMNS; i++) {
		enum host_column column = (enum host_column)i;

		v->columns[i] = lay_out(v, host, column, cols);
		wanted[i] = is_wanted(v, host, column);
		if (i && wanted[i] && skip-- > 0)
			wanted[i] = false;
		/* scrolling is there to see them all: simply from the left */
		if (v->scroll)
			v->columns[i].rank = i;
	}
	list_columns_fit(v->columns, HOST_COLUMNS, wanted, GUTTER, cols,
			 v->places);
	v->more_columns = false;
	for (int i = 0; i < HOST_COLUMNS; i++)
		v->more_columns |= wanted[i] && !v->places[i].width;
}

enum host_column host_list_column_at(const struct host_view *v, int col)
{
	for (int i = 0; i < HOST_COLUMNS; i++) {
		const struct list_place *p = &v->places[i];

		if (p->width && col >= p->col - 1 && col < p->col + p->width)
			return (enum host_column)i;
	}
	return HOST_COLUMNS;
}

static void draw_header(const struct host_view *v, struct area a)
{
	list_columns_header(a, 0, v->columns, HOST_COLUMNS, v->places);
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

static enum role cell_role(enum host_column column, const struct ring_row *r,
			   const char *text)
{
	double value = is_name(column) ? (double)NAN :
					 host_column_value(column, r);

	if (r->gone)
		return ROLE_DIM;
	if (is_loss(column) && value > 0)
		return ROLE_BAD;
	if (column == HOST_COLUMN_WARN || column == HOST_COLUMN_OWNER) {
		if (r->warnings)
			return host_alarm_role(r->warnings);
		if (r->stopped && column == HOST_COLUMN_WARN)
			return ROLE_WARN;
	}
	if (r->self || !strcmp(text, "-") || !strcmp(text, "0") ||
	    !strcmp(text, "0%"))
		return ROLE_DIM;
	if ((column == HOST_COLUMN_FILLPCT || column == HOST_COLUMN_PEAK) &&
	    !r->overwrite && widget_level(value) == ROLE_BAR_HIGH)
		return ROLE_BAR_HIGH;
	return ROLE_DEFAULT;
}

static void draw_cell(const struct host_view *v, struct area a, int row,
		      enum host_column column, const struct ring_row *r)
{
	char buf[TEXT], marked[TEXT + 1];
	const char *text = host_column_text(column, r, buf, sizeof(buf));
	enum role role = cell_role(column, r, text);

	snprintf(marked, sizeof(marked), "%s%s",
		 is_loss(column) && role == ROLE_BAD ? "!" : "", text);
	list_columns_cell(a, row, &v->columns[column], &v->places[column], role,
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
	const struct list_place *bar = &v->places[HOST_COLUMN_FILL];
	int end = bar->width ? bar->col + bar->width : a.cols;

	area_reverse(a, row, 0, bar->width ? bar->col : a.cols);
	area_reverse(a, row, end, a.cols - end);
}

static void draw_row(const struct host_view *v, struct area a, int row,
		     const struct ring_row *r)
{
	draw_gutter(a, row, r);
	for (int i = 0; i < HOST_COLUMNS; i++) {
		if (i == HOST_COLUMN_FILL)
			draw_bar(a, row, &v->places[i], r);
		else
			draw_cell(v, a, row, (enum host_column)i, r);
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
