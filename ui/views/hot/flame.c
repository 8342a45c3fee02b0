/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/flame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/views/narrow.h"
#include "ui/kit/widgets.h"

static struct flame_view *flame_view(struct view *view)
{
	return (struct flame_view *)(void *)view;
}

static struct view *flame_create(struct shell *shell)
{
	struct flame_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_flame, .shell = shell };
	return &v->view;
}

static void flame_destroy(struct view *view)
{
	flame_free(&flame_view(view)->flame);
	free(view);
}

static bool is_current(const struct flame_view *v, const struct hot *hot,
		       const struct hot_query *query)
{
	return v->hot == hot && v->changes == hot->changes &&
	       !memcmp(&v->query, query, sizeof(*query));
}

/*
 * Make the boxes anew where the samples or the query changed; zoom and choice
 * stay on theirs.  Without memory the old ones are kept.  False where there is
 * nothing to show.
 */
static bool update(struct flame_view *v, const struct frame *frame)
{
	const struct hot *hot = frame->samples ? frame->samples->hot : NULL;
	const struct hot_query *query = &v->view.shell->query;
	struct flame flame = { 0 };

	if (!hot)
		return false;
	if (!is_current(v, hot, query) &&
	    flame_build(hot, query, &flame) == 0) {
		v->zoom = v->flame.nr ? flame_same(&flame, &v->flame, v->zoom) :
					0;
		v->at = v->flame.nr ? flame_same(&flame, &v->flame, v->at) : 0;
		flame_free(&v->flame);
		v->flame = flame;
		v->hot = hot;
		v->changes = hot->changes;
		v->query = *query;
	}
	return v->flame.nr && v->flame.boxes[0].weight > 0;
}

/* Which samples these are, and what of them is found. */
static void draw_what(const struct flame_view *v, struct area a)
{
	const struct flame_box *zoom = &v->flame.boxes[v->zoom];
	char count[8];
	int col = widget_note(a, 1, ROLE_DEFAULT,
			      v->query.recent ? "recent" : "total");

	/* what fades is no number of samples */
	col = widget_note(a, col, ROLE_DEFAULT,
			  v->query.recent ? "weight %s" : "%s samples",
			  units_count(count, sizeof(count),
				      v->flame.boxes[0].samples));
	col = widget_note(a, col, ROLE_DEFAULT, "by %s",
			  v->flame.by_events ? "events" : "samples");
	if (*v->search)
		col = widget_note(a, col, ROLE_MATCH, "\"%s\": %.2f%% of %s",
				  v->search,
				  flame_walk_matched(v) / zoom->weight * 100,
				  zoom->name);
	if (v->zoom)
		col = widget_note(a, col, ROLE_TITLE, "zoom %s", zoom->name);
	flame_picture_legend(a, col);
}

/* What Hot is narrowed to; how many rows that took. */
static int draw_where(const struct flame_view *v, struct area a, int row)
{
	char text[320], separator[12];

	if (!v->query.nr_where)
		return 0;
	snprintf(separator, sizeof(separator), " %s ",
		 widget_glyph_text(a, GLYPH_RIGHT));
	narrow_text(v->hot, &v->query, separator, text, sizeof(text));
	area_printf(a, row, 1, ROLE_NOTICE, "only %s", text);
	return 1;
}

static void draw_nothing(const struct flame_view *v, const struct frame *frame,
			 struct area a)
{
	const char *text = "no samples yet";

	if (!frame->samples || !frame->samples->hot)
		text = narrow_none(frame);
	else if (v->view.shell->query.nr_where)
		text = "no such samples";
	a = area_sub(a, a.rows / 3, 2, a.rows - a.rows / 3, a.cols - 4);
	area_wrapped(a, 0, ROLE_DIM, text);
}

static void flame_draw(struct view *view, const struct frame *frame,
		       struct area area)
{
	struct flame_view *v = flame_view(view);

	if (!update(v, frame)) {
		draw_nothing(v, frame, area);
		return;
	}
	draw_what(v, area_sub(area, 0, 0, 1, area.cols));
	v->body = 1 + draw_where(v, area, 1);
	if (!v->hot->chains)
		area_printf(area, v->body++, 1, ROLE_NOTICE,
			    "functions alone, %s", narrow_no_chains(frame));
	area.rows -= narrow_hidden(frame->samples, area);
	flame_picture_draw(v, area_sub(area, v->body, 0,
				       area.rows - v->body - 1, area.cols));
	flame_picture_box(v, area_sub(area, area.rows - 1, 0, 1, area.cols));
}

static void zoom_to(struct flame_view *v, uint32_t box)
{
	v->zoom = box;
	v->list.top = v->flame.boxes[box].depth;
}

static bool cancel(struct flame_view *v)
{
	if (*v->search)
		*v->search = '\0';
	else if (v->zoom)
		zoom_to(v, 0);
	else
		return false;
	return true;
}

static void search_done(struct view *view, const char *text, bool final)
{
	struct flame_view *v = flame_view(view);

	text_copy(v->search, sizeof(v->search), text ? text : "");
	if (final && *v->search && v->flame.nr)
		flame_walk_seek_widest(v);
}

void flame_write(struct shell *shell, const struct frame *frame)
{
	const struct hot *hot = frame->samples ? frame->samples->hot : NULL;
	struct flame flame = { 0 };
	char title[600], where[400];

	if (!hot || flame_build(hot, &shell->query, &flame) < 0 ||
	    !(flame.boxes[0].weight > 0)) {
		shell->message(shell, ROLE_BAD, "nothing written: there are no "
			      "samples");
		flame_free(&flame);
		return;
	}
	narrow_text(hot, &shell->query, " > ", where, sizeof(where));
	snprintf(title, sizeof(title), "%s%s%s, %s samples, by %s",
		 frame->title, *where ? ": " : "", where,
		 shell->query.recent ? "recent" : "all",
		 flame.by_events ? "events" : "samples");
	shell->write_flame(shell, &flame, title);
	flame_free(&flame);
}

static bool flame_action(struct view *view, const struct frame *frame,
			 enum action action)
{
	struct flame_view *v = flame_view(view);
	struct shell *shell = view->shell;

	if (action == ACTION_FLAME) {
		shell->show(shell, VIEW_NONE, 0);
		return true;
	}
	if (!update(v, frame))
		return false;
	if (flame_walk_action(v, action))
		return true;
	switch ((int)action) {
	case ACTION_OPEN:
		zoom_to(v, v->at);
		return true;
	case ACTION_CANCEL:
		return cancel(v);
	case ACTION_SEARCH:
		shell->prompt(shell, "search: ", "", true, search_done, view);
		return true;
	case ACTION_SEARCH_NEXT:
		flame_walk_seek(v);
		return true;
	case ACTION_TOTAL:
		shell->query.recent = !shell->query.recent;
		return true;
	case ACTION_WRITE_FLAME:
		flame_write(shell, frame);
		return true;
	default:
		return false;
	}
}

static bool flame_click(struct view *view, const struct frame *frame, int row,
			int col, bool twice)
{
	struct flame_view *v = flame_view(view);
	uint32_t box = FLAME_NONE;
	size_t depth;

	if (!update(v, frame))
		return false;
	depth = list_row_at(&v->list, row - v->body);
	if (depth != LIST_NONE)
		box = flame_walk_find(v, (unsigned int)depth, col);
	if (box == FLAME_NONE)
		return false;
	v->at = box;
	if (twice)
		zoom_to(v, box);
	return true;
}

static bool flame_wheel(struct view *view, const struct frame *frame,
			int lines)
{
	struct flame_view *v = flame_view(view);

	if (!update(v, frame))
		return false;
	for (int i = abs(lines); i > 0; i--)
		flame_walk_action(v, lines < 0 ? ACTION_UP : ACTION_DOWN);
	return true;
}

static const enum action footer[] = {
	ACTION_HELP,   ACTION_OPEN,  ACTION_CANCEL, ACTION_WRITE_FLAME,
	ACTION_SEARCH, ACTION_SEARCH_NEXT, ACTION_TOTAL, ACTION_FLAME,
	ACTION_QUIT,   ACTION_NONE,
};

static const char *flame_label(enum action action)
{
	switch ((int)action) {
	case ACTION_OPEN:
		return "Zoom";
	case ACTION_CANCEL:
		return "Zoom out";
	case ACTION_FLAME:
		return "Hot";
	default:
		return NULL;
	}
}

const struct view_ops view_flame = {
	.id = VIEW_FLAME,
	.name = "Flame",
	.own_rings = true,
	.create = flame_create,
	.destroy = flame_destroy,
	.draw = flame_draw,
	.action = flame_action,
	.click = flame_click,
	.wheel = flame_wheel,
	.footer = footer,
	.label = flame_label,
};
