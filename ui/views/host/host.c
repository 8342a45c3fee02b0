/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/widgets.h"

static struct host_view *rows(struct view *view)
{
	return (struct host_view *)(void *)view;
}

static struct view *host_create(struct shell *shell)
{
	struct host_view *v = calloc(1, sizeof(*v));
	enum figure all[FIGURES];

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_host_rings, .shell = shell };
	v->worst = true;
	v->sort = FIGURES;
	v->nr_columns = figure_columns(IN_HOST, all);
	if (v->nr_columns > LIST_COLUMNS)
		v->nr_columns = LIST_COLUMNS;
	memcpy(v->figures, all, v->nr_columns * sizeof(*all));
	return &v->view;
}

static void host_destroy(struct view *view)
{
	struct host_view *v = rows(view);

	view->shell->listed = NULL;
	view->shell->nr_listed = 0;
	free(v->order);
	free(v->listed);
	free(v);
}

/* Whoever opens it wants the machine to be looked at; asking again is fine. */
static void host_focus(struct view *view, size_t ring)
{
	struct request rq = { .kind = REQUEST_HOST };

	(void)ring;
	rows(view)->refused = !view->shell->request(view->shell, &rq);
}

/*
 * What changes the picture and cannot be seen in it.  Columns drawn.  That the
 * worst is on top is how it begins: said where there is room for it.
 */
static int draw_notes(const struct host_view *v, const struct host *host,
		      struct area a, bool roomy)
{
	int col = 1;

	if (v->worst && v->invert)
		col = widget_note(a, col, ROLE_NOTICE,
				  "worst at the bottom (I)");
	else if (v->worst && roomy)
		col = widget_note(a, col, ROLE_NOTICE, "worst on top (W)");
	else if (!v->worst && v->sort == FIGURES)
		col = widget_note(a, col, ROLE_NOTICE,
				  "in the order in which they came (W)");
	else if (!v->worst && !host_list_shows(v, v->sort))
		col = widget_note(a, col, ROLE_NOTICE,
				  "sorted by %s, which is not shown",
				  figure_header(v->sort, IN_HOST));
	if (*v->filter)
		col = widget_note(a, col, ROLE_NOTICE,
				  "filter \"%s\": %zu of %zu", v->filter,
				  v->nr_order, host->nr_rows);
	if (*v->search)
		col = widget_note(a, col, ROLE_MATCH, "search \"%s\"%s",
				  v->search, v->no_match ? ": no match" : "");
	return col - 1;
}

static void seek(struct host_view *v, const struct host *host)
{
	size_t from = host_order_line(v, host, v->search_from);

	v->seek = false;
	v->no_match = *v->search &&
		      !host_order_seek(v, host, from == LIST_NONE ? 0 : from);
}

/* The cursor goes where a person went in the detail. */
static void follow_detail(struct host_view *v)
{
	struct shell *shell = v->view.shell;

	if (!shell->visited_row)
		return;
	v->current = shell->visited_row;
	v->placed = true;
	shell->visited_row = 0;
}

static void host_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct host_view *v = rows(view);
	const struct host *host = frame->host;
	struct area body;

	v->head = host_status_draw(frame, area);
	body = area_sub(area, v->head, 0, area.rows - v->head, area.cols);
	if (!host || !host->nr_rows) {
		v->nr_order = 0;
		host_status_empty(v, frame, body);
		return;
	}
	follow_detail(v);
	host_order_update(v, host);
	if (v->seek)
		seek(v, host);
	host_list_fit(v, host, body.cols);
	if (draw_notes(v, host,
		       area_sub(body, body.rows - 1, 0, 1, body.cols),
		       area.rows >= HOST_ROOMY))
		body.rows--;
	if (!v->nr_order)
		host_status_empty(v, frame, body);
	host_list_draw(v, host, body);
	if (v->pick.open)
		host_pick_draw(v, area);
}

static void search_done(struct view *view, const char *text, bool final)
{
	struct host_view *v = rows(view);

	(void)final;
	text_copy(v->search, sizeof(v->search), text ? text : "");
	v->seek = true;
	if (!*v->search) { /* back to where it began */
		v->current = v->search_from;
		v->placed = v->current != 0;
		v->seek = false;
	}
}

static void filter_done(struct view *view, const char *text, bool final)
{
	struct host_view *v = rows(view);

	(void)final;
	text_copy(v->filter, sizeof(v->filter), text ? text : "");
}

static bool cancel(struct host_view *v)
{
	if (*v->search)
		*v->search = '\0';
	else if (*v->filter)
		*v->filter = '\0';
	else
		return false;
	return true;
}

/* Worst on top, and back to the order in which they came. */
static void toggle_worst(struct host_view *v)
{
	v->worst = !v->worst;
	v->sort = FIGURES;
	v->invert = false;
}

static bool list_keys(struct host_view *v, enum action action)
{
	struct shell *shell = v->view.shell;

	switch ((int)action) {
	case ACTION_WORST:
		toggle_worst(v);
		return true;
	case ACTION_SORT:
		host_pick_open(v);
		return true;
	case ACTION_INVERT:
		v->invert = !v->invert;
		return true;
	case ACTION_SEARCH:
		v->search_from = v->current;
		shell->prompt(shell, "search: ", "", true, search_done,
			      &v->view);
		return true;
	case ACTION_FILTER:
		shell->prompt(shell, "filter, a part of a row's text: ",
			     v->filter, true, filter_done, &v->view);
		return true;
	case ACTION_MAP:
		shell->message(shell, ROLE_NOTICE, "there is no heat map of "
			      "other processes' rings: the worst are on top "
			      "here, sorting by FILL% shows the fullest");
		return true;
	case ACTION_RESET:	/* the rest of it is the app's */
		memset(v->wanted, 0, sizeof(v->wanted));
		return false;
	case ACTION_CANCEL:
		return cancel(v);
	default:
		return false;
	}
}

static bool move_keys(struct host_view *v, const struct host *host,
		      enum action action)
{
	if (list_action(&v->list, action)) {
		host_order_place(v, host, v->list.cursor);
		/* at the top a person wants to see what comes there */
		if (action == ACTION_HOME)
			v->placed = false;
		return true;
	}
	if (action == ACTION_LEFT && v->scroll)
		v->scroll--;
	else if (action == ACTION_RIGHT && v->more_columns)
		v->scroll++;
	return action == ACTION_LEFT || action == ACTION_RIGHT;
}

static void open_detail(struct host_view *v, const struct host *host)
{
	if (!v->nr_order)
		return;
	host_order_keep(v, host);
	v->view.shell->show(v->view.shell, VIEW_HOST_DETAIL,
			    (size_t)v->current);
}

static bool host_action(struct view *view, const struct frame *frame,
			enum action action)
{
	struct host_view *v = rows(view);
	const struct host *host = frame->host;

	if (!host)
		return list_keys(v, action);
	if (v->pick.open)
		return host_pick_action(v, action);
	follow_detail(v);	/* there may have been no picture since */
	host_order_update(v, host); /* the frame may be a new one */
	if (move_keys(v, host, action) || list_keys(v, action))
		return true;
	if (action == ACTION_OPEN)
		open_detail(v, host);
	else if (action == ACTION_SEARCH_NEXT && *v->search)
		v->no_match = !host_order_seek(v, host, v->list.cursor + 1);
	return action == ACTION_OPEN || action == ACTION_SEARCH_NEXT;
}

static bool host_click(struct view *view, const struct frame *frame, int row,
		       int col, bool twice)
{
	struct host_view *v = rows(view);
	size_t at;

	if (!frame->host)
		return false;
	if (v->pick.open) {
		host_pick_click(v, row, col);
		return true;
	}
	host_order_update(v, frame->host);
	if (row == v->head) {
		enum figure column = host_list_column_at(v, col);

		if (column < FIGURES)
			host_order_by(v, column);
		return column < FIGURES;
	}
	at = list_row_at(&v->list, row - v->head - 1);
	if (at == LIST_NONE)
		return false;
	host_order_place(v, frame->host, at);
	if (twice)
		open_detail(v, frame->host);
	return true;
}

static bool host_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct host_view *v = rows(view);

	if (!frame->host)
		return false;
	if (v->pick.open) {
		list_scroll(&v->pick.list, lines);
		return true;
	}
	host_order_update(v, frame->host);
	list_scroll(&v->list, lines);
	host_order_place(v, frame->host, v->list.cursor);
	return true;
}

static const enum action footer[] = {
	ACTION_HELP, ACTION_OPEN,   ACTION_SEARCH, ACTION_FILTER,
	ACTION_SORT, ACTION_INVERT, ACTION_WORST,  ACTION_RESET,
	ACTION_QUIT, ACTION_NONE,
};

const struct view_ops view_host_rings = {
	.id = VIEW_HOST,
	.name = "Host",
	.tab = true,
	.create = host_create,
	.destroy = host_destroy,
	.draw = host_draw,
	.action = host_action,
	.click = host_click,
	.wheel = host_wheel,
	.focus = host_focus,
	.footer = footer,
};
