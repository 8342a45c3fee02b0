/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/samples/samples.h"

#include <string.h>

#include "base/text.h"
#include "ui/draw/widgets.h"

enum {
	MIN_WHAT = 24,		/* normal width of WHAT */
	STEP_COMM = 4,		/* names and numbers of tasks get wider in
				 * steps of so many columns */
	STEP_ID = 2,
	MIN_NAME = 8,		/* names are narrowed down to this */
	MAX_NAME = 60,		/* and get at most this wide */
	LONE_EVENT = 12,	/* normal width of the only event's name */
	GOOD_WHAT = 70,		/* WHAT gets this wide before names grow */
};

static bool is_left_aligned(enum sample_column column)
{
	return column == SAMPLE_COLUMN_COMM || column == SAMPLE_COLUMN_EVENT ||
	       column == SAMPLE_COLUMN_WHAT || column == SAMPLE_COLUMN_SYMBOL ||
	       column == SAMPLE_COLUMN_DSO || column == SAMPLE_COLUMN_SRC;
}

/* Columns that are left out last on a narrow screen. */
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
	if (column == SAMPLE_COLUMN_WHAT && v->style.values)
		return "WHAT (FIELDS)";
	return sample_column_info(column)->header;
}

/* Widths grow in steps, so that the list does not change with each new task. */
static int in_steps(enum sample_column column, int width)
{
	if (column == SAMPLE_COLUMN_COMM)
		return (width + STEP_COMM - 1) / STEP_COMM * STEP_COMM;
	if (column == SAMPLE_COLUMN_PID || column == SAMPLE_COLUMN_TID)
		return (width + STEP_ID - 1) / STEP_ID * STEP_ID;
	return width;
}

/* Note whether there are several events; equal names may be different
 * pointers. */
static void learn_event(struct samples_view *v, const char *event)
{
	if (!v->nr_events || (v->nr_events == 1 && strcmp(v->event, event)))
		v->nr_events++;
	if (v->nr_events == 1)
		text_copy(v->event, sizeof(v->event), event);
}

static const struct config_columns *chosen_columns(const struct listing *l)
{
	return &l->view.shell->config->columns[CONFIG_SAMPLES];
}

/*
 * Columns are as wide as the texts seen in them, so that WHAT has more room;
 * they never get narrower, so that the list does not move.
 */
static void learn_widths(struct samples_view *v,
			 const struct feed_sample *sample)
{
	const struct config_columns *chosen = chosen_columns(&v->list);
	struct sample_style style = v->style;
	char text[LISTING_CELL];

	style.values = false;
	learn_event(v, sample->event);
	for (size_t i = 0; i < chosen->nr; i++) {
		enum sample_column column =
			(enum sample_column)chosen->shown[i];
		int max = is_name(column) ? MAX_NAME :
			   sample_column_info(column)->width, width;

		if (column == SAMPLE_COLUMN_WHAT || v->widths[column] >= max)
			continue;
		width = text_width(sample_column_text(column, sample, &style,
						      text, sizeof(text)));
		width = in_steps(column, width);
		if (width > max)
			width = max;
		if (width > v->widths[column])
			v->widths[column] = width;
	}
}

/* A single event gets less room: the title names it. */
static int max_width(const struct samples_view *v, enum sample_column column)
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
		return MIN_WHAT;
	if (width > max_width(v, column))
		width = max_width(v, column);
	return width > header ? width : header;
}

/* Learn the widths of the visible rows. */
static void learn_rows(struct samples_view *v)
{
	const struct listing *l = &v->list;

	for (size_t line = 0; line < l->list.page; line++) {
		size_t at = list_row_at(&l->list, (int)line);

		if (at != LIST_NONE)
			learn_widths(v, feed_entry_sample(l->order[at]));
	}
}

static struct list_column column_of(const struct samples_view *v,
				       enum sample_column column)
{
	struct list_column c = {
		.id = (int)column,
		.header = heading(v, column),
		.width = width_of(v, column),
		.rank = is_essential(column) ? 1 : 2,
		.left = is_left_aligned(column),
		.marked = true,
		.ends = column == SAMPLE_COLUMN_EVENT,
	};

	if (is_name(column)) {
		c.min = c.width < MIN_NAME ? c.width : MIN_NAME;
		c.max = v->widths[column];
	} else if (column == SAMPLE_COLUMN_WHAT) {
		c.fair = GOOD_WHAT;
		c.rest = c.scrolls = true;
	}
	return c;
}

size_t samples_table_columns(struct listing *l, int cols,
			     struct list_column *columns)
{
	struct samples_view *v = (struct samples_view *)(void *)l;
	const struct config_columns *chosen = chosen_columns(l);

	(void)cols;
	learn_rows(v);
	for (size_t i = 0; i < chosen->nr; i++)
		columns[i] = column_of(v, (enum sample_column)chosen->shown[i]);
	return chosen->nr;
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

enum role samples_table_cell(struct listing *l, const void *row,
			     const struct list_column *column, struct area cell,
			     char *text)
{
	struct samples_view *v = (struct samples_view *)(void *)l;
	const struct feed_sample *s = feed_entry_sample(row);
	enum sample_column id = (enum sample_column)column->id;

	(void)cell;
	sample_column_text(id, s, &v->style, text, LISTING_CELL);
	return cell_role(id, s, text);
}

bool samples_table_match(const struct listing *l, const void *row,
			 const char *needle)
{
	const struct samples_view *v = (const void *)l;
	const struct feed_sample *s = feed_entry_sample(row);
	const struct config_columns *chosen = chosen_columns(l);
	char text[LISTING_CELL];

	for (size_t i = 0; i < chosen->nr; i++) {
		sample_column_text((enum sample_column)chosen->shown[i], s,
				   &v->style, text, sizeof(text));
		if (list_match(text, needle))
			return true;
	}
	return false;
}
