/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Log screen: events with their times, the newest at the bottom.  Enter
 * shows the line under the cursor as a whole, below the list.
 */
#include "ui/kit/listing.h"

#include <stdio.h>

#include "ui/draw/widgets.h"

enum {
	WIDE = 60,		/* columns from which kinds are named */
	MIN_LIST = 3,		/* rows that are left to the list */
};

struct log_view {
	struct listing list;	/* first */
	bool whole;		/* the line under the cursor is shown whole */
};

static struct log_view *log_view(struct view *view)
{
	return (struct log_view *)(void *)view;
}

static size_t nr_entries(const struct listing *l)
{
	return log_len(l->frame->log);
}

static const void *entry_at(const struct listing *l, size_t i)
{
	return log_at(l->frame->log, i);
}

static uint64_t entry_id(const struct listing *l, const void *row)
{
	(void)l;
	return ((const struct log_entry *)row)->serial;
}

static bool entry_match(const struct listing *l, const void *row,
			const char *needle)
{
	const struct log_entry *e = row;

	(void)l;
	return list_match(e->text, needle) ||
	       list_match(log_kind_name(e->kind), needle);
}

static struct list_column column_of(unsigned int column, bool wide)
{
	struct list_column c = {
		.id = (int)column, .left = true, .fixed = true,
		.header = config_columns_info(CONFIG_LOG, column).header,
	};

	if (column == CONFIG_LOG_TIME) {
		c.width = wide ? 12 : 8;
		return c;
	}
	c.marked = true;
	if (column == CONFIG_LOG_WHAT) {
		c.scrolls = c.rest = true;
	} else {
		c.width = wide ? 11 : 1;
		c.header = wide ? c.header : "K";
	}
	return c;
}

/* The chosen columns; all of them if none is chosen. */
static size_t log_columns(struct listing *l, int cols,
			  struct list_column *columns)
{
	const struct config_columns *chosen =
		&l->view.shell->config->columns[CONFIG_LOG];
	unsigned int order[CONFIG_COLUMNS];
	size_t nr = config_columns_order(CONFIG_LOG, chosen, order);

	nr = chosen->nr ? chosen->nr : nr;
	for (size_t i = 0; i < nr; i++)
		columns[i] = column_of(order[i], cols >= WIDE);
	return nr;
}

static enum role log_cell(struct listing *l, const void *row,
			  const struct list_column *column, struct area cell,
			  char *text)
{
	const struct log_entry *e = row;

	switch (column->id) {
	case CONFIG_LOG_TIME:
		view_time(l->view.shell, l->frame, e->time,
			  cell.cols > 8 ? 3 : 0, text, LISTING_CELL);
		return ROLE_DIM;
	case CONFIG_LOG_KIND:
		snprintf(text, LISTING_CELL, "%c%s%s",
			 widget_log(e->kind)->letter,
			 cell.cols > 1 ? " " : "",
			 cell.cols > 1 ? log_kind_name(e->kind) : "");
		return widget_log(e->kind)->role;
	default:
		snprintf(text, LISTING_CELL, "%s", e->text);
		return ROLE_DEFAULT;
	}
}

static void log_empty(const struct listing *l, struct area a)
{
	if (*l->filter) {
		area_text(a, a.rows / 2, 2, 0, ROLE_DIM,
			  "no entry matches the filter");
		return;
	}
	area_text(a, a.rows / 2 - 1, 2, 0, ROLE_DIM, "nothing so far");
	area_text(a, a.rows / 2, 2, 0, ROLE_DIM,
		  "losses, throttles, snapshots, exits,");
	area_text(a, a.rows / 2 + 1, 2, 0, ROLE_DIM,
		  "hotplug and the command's output");
}

/* Show the whole line, or no longer: on the last one it follows again. */
static void log_open(struct listing *l, const void *row)
{
	struct log_view *v = log_view(&l->view);

	(void)row;
	v->whole = !v->whole;
	listing_place(l, l->list.cursor);
}

static const struct listing_ops log_listing = {
	.nr = nr_entries,
	.at = entry_at,
	.id = entry_id,
	.match = entry_match,
	.columns = log_columns,
	.cell = log_cell,
	.empty = log_empty,
	.open = log_open,
	.natural = CONFIG_LOG_TIME,
	.follows_end = true,
};

static void log_init(struct view *view)
{
	listing_init((struct listing *)(void *)view, view, &log_listing);
}

static void draw_whole(const struct log_view *v, const struct log_entry *e,
		       struct area a)
{
	char time[32], title[64];

	snprintf(title, sizeof(title), "%s %s",
		 view_time(v->list.view.shell, v->list.frame, e->time, 3, time,
			   sizeof(time)), log_kind_name(e->kind));
	widget_heading(a, 0, title);
	widget_text(a, 1, a.rows - 1, ROLE_DEFAULT, e->text);
}

/* The cursor stays on the whole line; if there is no room for the list, too, it
 * is not drawn. */
static void log_draw(struct view *view, const struct frame *frame,
		     struct area area)
{
	struct log_view *v = log_view(view);
	struct listing *l = &v->list;
	struct area none = { .canvas = area.canvas, .cols = area.cols };
	const struct log_entry *e;

	listing_update(l, frame);
	e = v->whole ? listing_current(l) : NULL;
	if (e)
		listing_go_to(l, e->serial);	/* also if others follow */
	l->below = e ? 1 + area_wrapped(none, 0, ROLE_DEFAULT, e->text) : 0;
	if (l->below && l->below > area.rows - MIN_LIST)
		l->below = area.rows;
	if (l->below < area.rows)
		listing_draw(view, frame, area);
	if (!e)
		return;
	draw_whole(v, e, area_sub(area, area.rows - l->below, 0, l->below,
				  area.cols));
}

static bool log_action(struct view *view, const struct frame *frame,
		       enum action action)
{
	struct log_view *v = log_view(view);

	if (action == ACTION_CANCEL && v->whole && listing_current(&v->list))
		action = ACTION_OPEN;	/* which closes it */
	if (action == ACTION_END)
		v->whole = false;	/* it follows, as the note says */
	return listing_action(view, frame, action);
}

static const char *log_label(const struct view *view, enum action action)
{
	const struct log_view *v = (const void *)view;

	if (v->whole && listing_current(&v->list) &&
	    (action == ACTION_OPEN || action == ACTION_CANCEL))
		return action == ACTION_OPEN ? "" : "Close";
	if (action == ACTION_OPEN)
		return v->list.cut ? "Whole line" : "";
	return listing_label(view, action);
}

const struct view_ops view_log = {
	.id = VIEW_LOG,
	.size = sizeof(struct log_view),
	.init = log_init,
	.release = listing_release,
	.draw = log_draw,
	.action = log_action,
	.click = listing_click,
	.wheel = listing_wheel,
	.label = log_label,
};
