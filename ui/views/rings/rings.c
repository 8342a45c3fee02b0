/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include <stdlib.h>

#include "base/text.h"
#include "ui/kit/tune.h"
#include "ui/kit/widgets.h"

enum {
	MANY_RINGS = 256,	/* from here on the map is offered */
	LEGEND = 60,		/* columns that the map's legend takes */
};

static struct rings_view *rings(struct view *view)
{
	return (struct rings_view *)(void *)view;
}

static struct view *rings_create(struct shell *shell)
{
	struct rings_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_rings, .shell = shell };
	v->current = LIST_NONE;
	shell->visited = LIST_NONE;
	return &v->view;
}

static void rings_destroy(struct view *view)
{
	struct rings_view *v = rings(view);

	free(v->order);
	tags_free(&v->tags);
	free(v);
}

static int add_legend(struct area a, int col)
{
	bool ascii = a.canvas->ascii;

	if (a.cols - col < LEGEND)
		return col;
	col = widget_note(a, col, ROLE_DIM,
			  "fullest in the last tick: %s 0 to %s 100%%",
			  ascii ? "_" : "▁", ascii ? "#" : "█");
	return widget_note(a, col, ROLE_DIM, "! losing  P paused  %s gone",
			   widget_glyph_text(a, GLYPH_GONE));
}

/* The map shows all rings, in their own order. */
static size_t count_matches(const struct rings_view *v,
			    const struct frame *frame)
{
	size_t nr = 0;

	for (size_t i = 0; i < frame->nr_rings; i++)
		nr += rings_order_match(&frame->rings[i], v->filter);
	return nr;
}

static int add_order(const struct rings_view *v, struct area a, int col)
{
	enum figure sort = v->view.shell->config->sort;

	if (v->map)
		return col;
	if (v->worst)
		return widget_note(a, col, ROLE_NOTICE, "worst on top (W)");
	if (sort < FIGURES && !rings_table_shows(v, sort))
		return widget_note(a, col, ROLE_NOTICE,
				   "sorted by %s, which is not shown",
				   figure_header(sort, IN_RINGS));
	return col;
}

/* What changes the picture and cannot be seen in it.  Columns drawn. */
static int draw_status(const struct rings_view *v, const struct frame *frame,
		       struct area a)
{
	int col = add_order(v, a, 1);

	if (*v->filter)
		col = widget_note(a, col, ROLE_NOTICE,
				  "filter \"%s\": %zu of %zu", v->filter,
				  count_matches(v, frame), frame->nr_rings);
	if (*v->search)
		col = widget_note(a, col, ROLE_MATCH, "search \"%s\"%s",
				  v->search, v->no_match ? ": no match" : "");
	if (v->tags.nr)
		col = widget_note(a, col, ROLE_TAG, "%zu tagged", v->tags.nr);
	if (v->map)
		col = add_legend(a, col);
	else if (frame->nr_rings >= MANY_RINGS)
		col = widget_note(a, col, ROLE_DIM, "m: all rings as a map");
	return col - 1;
}

static void seek(struct rings_view *v, const struct frame *frame)
{
	size_t from = 0;

	for (size_t i = 0; i < v->nr_order; i++) {
		if (v->order[i].ring == v->search_from)
			from = i;
	}
	v->seek = false;
	v->no_match = *v->search && !rings_order_seek(v, frame, from);
}

static void draw_empty(const struct rings_view *v, struct area a)
{
	area_text(a, a.rows / 2, 2, 0, ROLE_DIM,
		  *v->filter ? "no ring matches the filter" : "no rings yet");
}

/* The cursor goes where a person went in the detail. */
static void follow_detail(struct rings_view *v)
{
	struct shell *shell = v->view.shell;

	if (shell->visited == LIST_NONE)
		return;
	v->current = shell->visited;
	v->placed = true;
	shell->visited = LIST_NONE;
}

static void rings_draw(struct view *view, const struct frame *frame,
		       struct area area)
{
	struct rings_view *v = rings(view);
	struct area body = area;

	follow_detail(v);
	rings_order_update(v, frame);
	if (v->seek)
		seek(v, frame);
	rings_table_fit(v, frame, body.cols);
	if (draw_status(v, frame, area_sub(body, body.rows - 1, 0, 1,
					   body.cols)))
		body.rows--;
	if (frame->nr_rings > 1)
		body.rows--;
	v->body = v->map ? 0 : 1;
	if (!v->nr_order)
		draw_empty(v, body);
	if (v->map && v->nr_order)
		rings_map_draw(v, frame, body);
	else
		rings_table_draw(v, frame, body);
	if (frame->nr_rings > 1)
		rings_table_total(v, area, body.rows, frame);
	if (v->pick.open)
		rings_pick_draw(v, area);
}

static void tag(struct rings_view *v)
{
	if (tags_toggle(&v->tags, v->current))
		rings_order_place(v, v->list.cursor + 1);
}

static void search_done(struct view *view, const char *text, bool final)
{
	struct rings_view *v = rings(view);

	(void)final;
	text_copy(v->search, sizeof(v->search), text ? text : "");
	v->seek = true;
	if (!*v->search) { /* back to where it began */
		v->current = v->search_from;
		v->placed = v->current != LIST_NONE;
		v->seek = false;
	}
}

static void filter_done(struct view *view, const char *text, bool final)
{
	struct rings_view *v = rings(view);

	(void)final;
	text_copy(v->filter, sizeof(v->filter), text ? text : "");
}

static void search_next(struct rings_view *v, const struct frame *frame)
{
	if (*v->search)
		v->no_match = !rings_order_seek(v, frame, v->list.cursor + 1);
}

static bool cancel(struct rings_view *v)
{
	if (*v->search)
		*v->search = '\0';
	else if (*v->filter)
		*v->filter = '\0';
	else
		return false;
	return true;
}

/* Worst on top, and back to the order in which the rings were opened. */
static void toggle_worst(struct rings_view *v)
{
	v->worst = !v->worst;
	if (!v->worst) {
		v->view.shell->config->sort = FIGURES;
		v->view.shell->config->invert = false;
	}
}

static bool list_keys(struct rings_view *v, enum action action)
{
	struct shell *shell = v->view.shell;

	switch ((int)action) {
	case ACTION_TAG:
		tag(v);
		return true;
	case ACTION_UNTAG:
		tags_clear(&v->tags);
		return true;
	case ACTION_WORST:
		toggle_worst(v);
		return true;
	case ACTION_SORT:
		rings_pick_open(v);
		return true;
	case ACTION_INVERT:
		shell->config->invert = !shell->config->invert;
		return true;
	case ACTION_MAP:
		v->map = !v->map;
		return true;
	case ACTION_SEARCH:
		v->search_from = v->current;
		shell->prompt(shell, "search: ", "", true, search_done,
			      &v->view);
		return true;
	case ACTION_FILTER:
		shell->prompt(shell, "filter: ", v->filter, true, filter_done,
			      &v->view);
		return true;
	default:
		return false;
	}
}

static bool move_keys(struct rings_view *v, const struct frame *frame,
		      enum action action)
{
	if (v->map)
		return rings_map_action(v, frame, action);
	if (list_action(&v->list, action)) {
		rings_order_place(v, v->list.cursor);
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

/* The tagged rings, else the one under the cursor. */
static bool tune_rings(struct rings_view *v, const struct frame *frame,
		       enum action action)
{
	size_t nr = tags_targets(&v->tags, frame->nr_rings, v->current, NULL,
				 NULL);

	return tune_action(&v->view, frame, action, v->tags.targets, nr);
}

static bool rings_action(struct view *view, const struct frame *frame,
			 enum action action)
{
	struct rings_view *v = rings(view);

	if (v->pick.open)
		return rings_pick_action(v, action);
	if (move_keys(v, frame, action) || list_keys(v, action))
		return true;
	switch ((int)action) {
	case ACTION_OPEN:
		if (v->current < frame->nr_rings)
			view->shell->show(view->shell, VIEW_RING_DETAIL,
					  v->current);
		return true;
	case ACTION_SEARCH_NEXT:
		search_next(v, frame);
		return true;
	case ACTION_CANCEL:
		return cancel(v);
	default:
		return tune_rings(v, frame, action);
	}
}

static bool click_header(struct rings_view *v, int col)
{
	enum figure column = rings_table_column_at(v, col);

	if (column < FIGURES)
		rings_order_by(v, column);
	return column < FIGURES;
}

static bool rings_click(struct view *view, const struct frame *frame, int row,
			int col, bool twice)
{
	struct rings_view *v = rings(view);
	size_t at;

	if (v->pick.open) {
		rings_pick_click(v, row, col);
		return true;
	}
	if (!v->map && row == 0)
		return click_header(v, col);
	at = v->map ? rings_map_ring_at(v, frame, row, col) :
		      list_row_at(&v->list, row - v->body);
	if (at == LIST_NONE)
		return false;
	rings_order_place(v, at);
	if (twice)
		view->shell->show(view->shell, VIEW_RING_DETAIL, v->current);
	return true;
}

static bool rings_wheel(struct view *view, const struct frame *frame,
			int lines)
{
	struct rings_view *v = rings(view);

	if (v->pick.open) {
		list_scroll(&v->pick.list, lines);
	} else if (v->map) {
		for (int i = abs(lines); i > 0; i--)
			rings_map_action(v, frame, lines < 0 ? ACTION_UP :
							       ACTION_DOWN);
	} else {
		list_scroll(&v->list, lines);
		rings_order_place(v, v->list.cursor);
	}
	return true;
}

static const enum action footer[] = {
	ACTION_HELP,   ACTION_OPEN, ACTION_SEARCH, ACTION_FILTER,
	ACTION_SORT,   ACTION_WORST, ACTION_MAP,   ACTION_TAG,
	ACTION_GROW,   ACTION_SHRINK, ACTION_PAUSE, ACTION_SETUP,
	ACTION_QUIT,   ACTION_NONE,
};

const struct view_ops view_rings = {
	.id = VIEW_RINGS,
	.name = "Rings",
	.tab = true,
	.own_rings = true,
	.create = rings_create,
	.destroy = rings_destroy,
	.draw = rings_draw,
	.action = rings_action,
	.click = rings_click,
	.wheel = rings_wheel,
	.footer = footer,
};
