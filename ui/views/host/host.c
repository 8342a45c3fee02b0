/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include <stdio.h>
#include <string.h>

#include "ui/draw/widgets.h"
#include "ui/views/ring_history.h"

static struct host_view *rows(const void *view)
{
	return (struct host_view *)(uintptr_t)view;
}

static size_t nr_rows(const struct listing *l)
{
	return l->frame->host ? l->frame->host->nr_rows : 0;
}

static const void *row_at(const struct listing *l, size_t i)
{
	const struct ring_row *r = &l->frame->host->rows[i];

	return host_listed(rows(l), r) ? r : NULL;
}

/* Matches owner, event, ring, user, map or pid. */
static bool match(const struct listing *l, const void *row, const char *needle)
{
	const struct ring_row *r = row;
	char pid[16];

	(void)l;
	snprintf(pid, sizeof(pid), "%d", (int)r->pid);
	return list_match(r->comm, needle) || list_match(r->event, needle) ||
	       list_match(r->label, needle) || list_match(r->user, needle) ||
	       list_match(r->map, needle) ||
	       (r->pid >= 0 && list_match(pid, needle));
}

/* Rows that are gone are at the bottom in any order. */
static int group(const void *a, const void *b)
{
	const struct ring_row *x = a, *y = b;

	return x->gone - y->gone;
}

static enum role draw_cell(struct listing *l, const void *row,
			   const struct list_column *column, struct area cell,
			   char *text)
{
	(void)l;
	return ring_cells_draw((enum figure)column->id, row, cell, text);
}

/* Where there is no room for charts, which show it as well. */
static int add_advice(const struct listing *l, struct area a, int col)
{
	const struct ring_row *row = listing_current(l);

	if (l->below || !row || !row->advice.valid ||
	    verdict_of(row) < VERDICT_CONCERN)
		return col;
	return widget_note(a, col, ROLE_WARN, "%s", row->advice.text);
}

static void draw_legend(const struct listing *l, struct area line)
{
	static const struct ring_mark marks[] = {
		{ ">", "at least" }, { "r", "rbtop's own" }, { "B", "BPF" },
		{ "T", "ftrace" },
		{ "F", "not mapped" }, { NULL, NULL },
	};

	ring_cells_legend(l, line, marks);
}

static const struct listing_key sort_keys[] = {
	{ ACTION_SORT_RATE, FIGURE_RATE },
	{ ACTION_SORT_SIZE, FIGURE_SIZE },
	{ ACTION_SORT_TOTAL, FIGURE_BYTES },
	{ ACTION_SORT_NUMBER, FIGURE_PID },
	{ ACTION_NONE, LISTING_UNSORTED },
};

static const struct listing_ops host_listing = {
	.nr = nr_rows,
	.at = row_at,
	.id = ring_cells_id,
	.match = match,
	.group = group,
	.compare = ring_cells_compare,
	.is_known = ring_cells_is_known,
	.worst = ring_cells_worst,
	.columns = host_columns,
	.cell = draw_cell,
	.gutter = ring_cells_gutter,
	.legend = draw_legend,
	.empty = host_status_empty,
	.notes = add_advice,
	.detail = VIEW_HOST_DETAIL,
	.gutter_cols = RING_CELLS_GUTTER,
	.natural = LISTING_UNSORTED,
	.keys = sort_keys,
	.filter_label = "filter by text: ",
};

static void host_init(struct view *view)
{
	listing_init(&rows(view)->list, view, &host_listing);
	rows(view)->list.worst = true;
}

/* Opening the screen starts reading the host's rings; it may be repeated. */
static void host_focus(struct view *view, size_t id)
{
	struct request rq = { .kind = REQUEST_HOST };

	(void)id;
	rows(view)->refused = !view->shell->request(view->shell, &rq);
}

static void host_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct listing *l = &rows(view)->list;

	l->frame = frame;
	l->above = host_status_draw(rows(view), frame, area);
	listing_update(l, frame);
	l->below = ring_history_lines(l, area, l->above);
	if (l->below)
		ring_history_panel(l, area_sub(area, area.rows - l->below, 0,
					       l->below, area.cols));
	if (nr_rows(l))
		listing_draw(view, frame, area);
	else
		host_status_empty(l, area_sub(area, l->above, 0,
					      area.rows - l->above,
					      area.cols));
	host_listed_pick(rows(view), frame, area);
}

static bool host_action(struct view *view, const struct frame *frame,
			enum action action)
{
	struct shell *shell = view->shell;

	/* one popup at a time */
	if (!rows(view)->list.pick.open &&
	    host_listed_action(rows(view), frame, action))
		return true;
	if (rows(view)->users.open)
		return false;
	if (ring_history_action(&rows(view)->list, action) ||
	    listing_action(view, frame, action))
		return true;
	if (rows(view)->list.pick.open)
		return false;
	if (action == ACTION_RESET) {	/* the app resets the rest */
		memset(rows(view)->wanted, 0, sizeof(rows(view)->wanted));
		memset(rows(view)->widths, 0, sizeof(rows(view)->widths));
	}
	if (action == ACTION_COPY) {
		ring_cells_copy(view, listing_current(&rows(view)->list));
		return true;
	}
	if (action == ACTION_DROPS) {
		host_count_drops(view, frame);
		return true;
	}
	if (action != ACTION_MAP)
		return false;
	shell->message(shell, ROLE_NOTICE, "Host has no heat map; sort by "
		      "FILL% to see the fullest rings");
	return true;
}

static bool host_click(struct view *view, const struct frame *frame, int row,
		       int col, bool twice)
{
	struct host_view *v = rows(view);

	if (!v->users.open)
		return listing_click(view, frame, row, col, twice);
	host_listed_click(v, row, col);
	return true;
}

static bool host_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct host_view *v = rows(view);

	if (!v->users.open)
		return listing_wheel(view, frame, lines);
	list_scroll(&v->users.list, lines);
	return true;
}

static const char *host_label(const struct view *view, enum action action)
{
	const struct host_view *v = rows(view);

	if (v->users.open || v->list.pick.open)
		return pick_label(action);
	if (action == ACTION_HIDE_GONE && v->hides_gone)
		return "Show gone";
	if (action == ACTION_HIDE_DUMMIES)
		return view->shell->config->dummies ? "Hide dummies" :
						      "Show dummies";
	if (action == ACTION_COPY)
		return ring_cells_command(listing_current(&v->list)) ?
			       "Copy" : NULL;
	return listing_label(view, action);
}

const struct view_ops view_host_rings = {
	.id = VIEW_HOST,
	.size = sizeof(struct host_view),
	.init = host_init,
	.release = listing_release,
	.draw = host_draw,
	.action = host_action,
	.click = host_click,
	.wheel = host_wheel,
	.focus = host_focus,
	.label = host_label,
};
