/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/table/host.h"
#include "ui/draw/widgets.h"
#include "ui/kit/keys.h"
#include "ui/kit/tune.h"
#include "ui/views/ring_history.h"

enum {
	MANY_RINGS = 256,	/* from which a note offers the map */
};

static struct rings_view *rings(const void *view)
{
	return (struct rings_view *)(uintptr_t)view;
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

static void draw_map(struct listing *l, struct area a)
{
	rings_map_draw(rings(l), a);
}

static size_t map_at(const struct listing *l, int row, int col)
{
	return rings_map_at(rings(l), row, col);
}

static int add_notes(const struct listing *l, struct area a, int col)
{
	const struct advice *all = &l->frame->total.row.advice;
	const struct host *host = l->frame->host;
	char key[16];

	if (all->pages)
		col = widget_note(a, col, ROLE_WARN, "%s", all->text);
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
		int end = rings_map_legend(a, col);

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

	if ((map && rings_map_action(v, frame, action)) ||
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
		rings_map_action(v, frame, lines < 0 ? ACTION_UP :
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
