/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/samples/samples.h"

#include <string.h>

#include "base/text.h"
#include "ui/kit/widgets.h"

enum {
	LEAST_WHAT = 24,	/* before other columns make room for it */
	STEP_COMM = 4,		/* columns that a name, or a number, gets more
				 * at a time */
	STEP_ID = 2,
	LEAST_NAME = 8,		/* the least that a name is cut to */
	MOST_NAME = 60,		/* the most where there is room */
	LONE_EVENT = 12,	/* of the only event, where room is scarce */
	GOOD_WHAT = 70,		/* from here on names get what is left */
};

static bool is_left_aligned(enum sample_column column)
{
	return column == SAMPLE_COLUMN_COMM || column == SAMPLE_COLUMN_EVENT ||
	       column == SAMPLE_COLUMN_WHAT || column == SAMPLE_COLUMN_SYMBOL ||
	       column == SAMPLE_COLUMN_DSO || column == SAMPLE_COLUMN_SRC;
}

/* What a person cannot do without on a narrow screen. */
static bool is_essential(enum sample_column column)
{
	return column == SAMPLE_COLUMN_COMM || column == SAMPLE_COLUMN_WHAT ||
	       column == SAMPLE_COLUMN_SYMBOL;
}

/* Names that may be cut. */
static bool is_name(enum sample_column column)
{
	return column == SAMPLE_COLUMN_COMM || column == SAMPLE_COLUMN_EVENT ||
	       column == SAMPLE_COLUMN_SYMBOL || column == SAMPLE_COLUMN_DSO;
}

static const char *heading(const struct samples_view *v,
			   enum sample_column column)
{
	if (column == SAMPLE_COLUMN_WHAT && v->values)
		return "WHAT (FIELDS)";
	return sample_column_info(column)->header;
}

/* Tasks come and go: a column that grows for each would never stand still. */
static int in_steps(enum sample_column column, int width)
{
	if (column == SAMPLE_COLUMN_COMM)
		return (width + STEP_COMM - 1) / STEP_COMM * STEP_COMM;
	if (column == SAMPLE_COLUMN_PID || column == SAMPLE_COLUMN_TID)
		return (width + STEP_ID - 1) / STEP_ID * STEP_ID;
	return width;
}

/* Whether there are several; names that are equal may not be the same. */
static void learn_event(struct samples_view *v, const char *event)
{
	if (!v->nr_events || (v->nr_events == 1 && strcmp(v->event, event)))
		v->nr_events++;
	if (v->nr_events == 1)
		text_copy(v->event, sizeof(v->event), event);
}

/*
 * Columns are as wide as what was seen in them, so that the text behind them
 * has more room; they never get narrower, which would make the list jump.
 */
static void learn_widths(struct samples_view *v,
			 const struct feed_sample *sample)
{
	const struct config *config = v->view.shell->config;
	char text[SAMPLES_CELL];

	learn_event(v, sample->event);
	for (size_t i = 0; i < config->nr_sample_columns; i++) {
		enum sample_column column = config->sample_columns[i];
		int most = is_name(column) ? MOST_NAME :
			   sample_column_info(column)->width, width;

		if (column == SAMPLE_COLUMN_WHAT || v->widths[column] >= most)
			continue;
		width = text_width(sample_column_text(column, sample, false,
						      text, sizeof(text)));
		width = in_steps(column, width);
		if (width > most)
			width = most;
		if (width > v->widths[column])
			v->widths[column] = width;
	}
}

/* The title names the event where there is but one. */
static int most_of(const struct samples_view *v, enum sample_column column)
{
	if (column == SAMPLE_COLUMN_EVENT && v->nr_events < 2)
		return LONE_EVENT;
	return sample_column_info(column)->width;
}

static int width_of(const struct samples_view *v, enum sample_column column)
{
	const struct sample_column_info *info = sample_column_info(column);
	int width = v->widths[column], header = text_width(info->header);

	if (column == SAMPLE_COLUMN_WHAT)
		return LEAST_WHAT;
	if (width > most_of(v, column))
		width = most_of(v, column);
	return width > header ? width : header;
}

static void take_configured(struct samples_view *v)
{
	const struct config *config = v->view.shell->config;

	v->nr_columns = 0;
	for (size_t i = (size_t)v->scroll; i < config->nr_sample_columns; i++) {
		enum sample_column column = config->sample_columns[i];

		v->columns[v->nr_columns++] = (struct samples_column){
			.column = column, .width = width_of(v, column),
		};
	}
}

static int total_width(const struct samples_view *v)
{
	int width = -1;

	for (size_t i = 0; i < v->nr_columns; i++)
		width += 1 + v->columns[i].width;
	return width;
}

/* The widest name that may be cut further; NULL: none. */
static struct samples_column *widest_name(struct samples_view *v)
{
	struct samples_column *widest = NULL;

	for (size_t i = 0; i < v->nr_columns; i++) {
		struct samples_column *c = &v->columns[i];

		if (is_name(c->column) && c->width > LEAST_NAME &&
		    (!widest || c->width > widest->width))
			widest = c;
	}
	return widest;
}

static bool squeeze(struct samples_view *v, int cols)
{
	struct samples_column *c;

	while (total_width(v) > cols) {
		c = widest_name(v);
		if (!c)
			return false;
		c->width--;
	}
	return true;
}

/* The rightmost column that a person can do without, else the rightmost. */
static void drop_column(struct samples_view *v)
{
	size_t i = v->nr_columns;

	while (i > 0 && is_essential(v->columns[i - 1].column))
		i--;
	i = i ? i - 1 : v->nr_columns - 1;
	memmove(&v->columns[i], &v->columns[i + 1],
		(v->nr_columns - i - 1) * sizeof(v->columns[0]));
	v->nr_columns--;
	v->more_columns = true;
}

/* On a wide screen names need not be cut. */
static void stretch_names(struct samples_view *v, int cols)
{
	for (size_t i = 0; i < v->nr_columns; i++) {
		if (v->columns[i].column == SAMPLE_COLUMN_WHAT)
			cols -= GOOD_WHAT - LEAST_WHAT;
	}
	for (size_t i = 0; i < v->nr_columns; i++) {
		struct samples_column *c = &v->columns[i];

		while (is_name(c->column) && total_width(v) < cols &&
		       c->width < v->widths[c->column])
			c->width++;
	}
}

/* WHAT takes what is left, wherever it stands. */
static void place(struct samples_view *v, int cols)
{
	int left = cols - total_width(v), col = 0;

	for (size_t i = 0; i < v->nr_columns; i++) {
		struct samples_column *c = &v->columns[i];

		if (c->column == SAMPLE_COLUMN_WHAT)
			c->width += left;
		c->col = col;
		col += c->width + 1;
	}
}

static void fit(struct samples_view *v, int cols)
{
	int last = (int)v->view.shell->config->nr_sample_columns - 1;

	if (v->scroll > last)
		v->scroll = last > 0 ? last : 0;
	v->more_columns = false;
	take_configured(v);
	while (!squeeze(v, cols) && v->nr_columns > 1) {
		drop_column(v);
		for (size_t i = 0; i < v->nr_columns; i++)
			v->columns[i].width = width_of(v, v->columns[i].column);
	}
	stretch_names(v, cols);
	place(v, cols);
}

static void draw_header(const struct samples_view *v, struct area a)
{
	area_fill(a, 0, 0, a.cols, ROLE_HEADER, ' ');
	for (size_t i = 0; i < v->nr_columns; i++) {
		const struct samples_column *c = &v->columns[i];
		const char *text = heading(v, c->column);

		if (is_left_aligned(c->column))
			area_text(a, 0, c->col, c->width, ROLE_HEADER, text);
		else
			area_text_right(a, 0, c->col + c->width, ROLE_HEADER,
					text);
	}
	if (v->scroll || v->text_scroll)
		area_put(a, 0, a.cols - 2, ROLE_KEY,
			 widget_glyph(a, GLYPH_LEFT));
	if (v->more_columns)
		area_put(a, 0, a.cols - 1, ROLE_KEY,
			 widget_glyph(a, GLYPH_RIGHT));
}

static enum role cell_role(enum sample_column column,
			   const struct feed_sample *s, const char *text)
{
	bool symbol = column == SAMPLE_COLUMN_SYMBOL ||
		      (column == SAMPLE_COLUMN_WHAT && !*s->text);

	if (!strcmp(text, "-") || column == SAMPLE_COLUMN_TIME)
		return ROLE_DIM;
	if (symbol && s->nr_frames)
		return widget_kind(s->frames[0].symbol.kind)->role;
	return column == SAMPLE_COLUMN_EVENT ? ROLE_LABEL : ROLE_DEFAULT;
}

static void draw_cell(struct samples_view *v, struct area row,
		      const struct samples_column *c,
		      const struct feed_sample *s)
{
	struct area a = area_sub(row, 0, c->col, 1, c->width);
	bool what = c->column == SAMPLE_COLUMN_WHAT;
	char buf[SAMPLES_CELL], *text;
	enum role role;
	int indent;

	text = sample_column_text(c->column, s, v->values, buf, sizeof(buf));
	role = cell_role(c->column, s, text);
	if (what)
		text += text_prefix(text, v->text_scroll);
	indent = is_left_aligned(c->column) ? 0 : a.cols - text_width(text);
	a = area_sub(a, 0, indent > 0 ? indent : 0, 1, a.cols);
	area_text(a, 0, 0, 0, role, text);
	widget_mark(a, 0, text, v->search);
	if (text_width(text) > a.cols) {
		widget_more(a, 0);
		v->cut |= what;
	}
}

bool samples_table_match(const struct samples_view *v,
			 const struct feed_sample *sample)
{
	const struct config *config = v->view.shell->config;
	char text[SAMPLES_CELL];

	for (size_t i = 0; i < config->nr_sample_columns; i++) {
		sample_column_text(config->sample_columns[i], sample,
				   v->values, text, sizeof(text));
		if (list_match(text, v->search))
			return true;
	}
	return false;
}

static const struct feed_sample *sample_at(const struct samples_view *v,
					   const struct feed *feed, int line)
{
	size_t row = list_row_at(&v->list, line);

	return row == LIST_NONE ? NULL :
	       feed_entry_sample(feed_find(feed, v->rows[row]));
}

void samples_table_draw(struct samples_view *v, const struct feed *feed,
			struct area a)
{
	bool bar = v->nr_rows > v->list.page;
	struct area rows = area_sub(a, 1, 0, a.rows - 1, a.cols - bar);
	const struct feed_sample *s;

	for (int line = 0; (s = sample_at(v, feed, line)); line++)
		learn_widths(v, s);
	fit(v, rows.cols);
	v->cut = false;
	draw_header(v, a);
	for (int line = 0; (s = sample_at(v, feed, line)); line++) {
		for (size_t i = 0; i < v->nr_columns; i++)
			draw_cell(v, area_sub(rows, line, 0, 1, rows.cols),
				  &v->columns[i], s);
		if (v->list.top + (size_t)line == v->list.cursor)
			area_reverse(rows, line, 0, rows.cols);
	}
	widget_scrollbar(area_sub(a, 1, 0, a.rows - 1, a.cols), &v->list);
}
