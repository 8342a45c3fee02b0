/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/flame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"

enum { ROOMY = 60 };	/* columns from which the share of self is shown */

static enum role role_of(const struct flame_view *v, uint32_t box)
{
	const struct flame_box *b = &v->flame.boxes[box];

	if (flame_walk_matches(v, box))
		return ROLE_MATCH;
	if (b->dso)
		return widget_kind(b->kind)->role;
	return box ? ROLE_LABEL : ROLE_DEFAULT;
}

/* Boxes are reversed; the chosen one is not, and begins with a mark. */
static void draw_box(const struct flame_view *v, struct area a, uint32_t box)
{
	const struct flame_box *b = &v->flame.boxes[box];
	struct flame_span span = flame_walk_span(v, box);
	int line = (int)b->depth - (int)v->list.top;
	enum role role = role_of(v, box);
	bool chosen = box == v->at;
	int width;

	if (chosen && span.to == span.from)
		span.from -= span.to++ == v->cols;
	width = span.to - span.from;
	if (line < 0 || line >= a.rows || width < 1)
		return;
	area_fill(a, line, span.from, width, role, ' ');
	area_put(a, line, span.from, role,
		 widget_glyph(a, chosen ? GLYPH_RIGHT : GLYPH_EDGE));
	if (width > 1)
		area_text(a, line, span.from + 1, width - 1, role, b->name);
	if (!chosen)
		area_reverse(a, line, span.from, width);
}

/* Scroll to the levels around that of the chosen box. */
static void fit(struct flame_view *v, struct area a)
{
	v->cols = a.cols;
	if (flame_walk_levels(v) > (size_t)a.rows)
		v->cols--;	/* for the scrollbar */
	list_fit(&v->list, flame_walk_levels(v), a.rows);
	list_set(&v->list, v->flame.boxes[v->at].depth);
}

static void draw_boxes(struct flame_view *v, struct area a)
{
	struct flame_span span;

	fit(v, a);
	for (uint32_t b = v->flame.boxes[v->zoom].parent; b != FLAME_NONE;
	     b = v->flame.boxes[b].parent)
		draw_box(v, a, b);
	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = flame_walk_next(v, b, span.to > span.from)) {
		span = flame_walk_span(v, b);
		if (b != v->at)
			draw_box(v, a, b);
	}
	draw_box(v, a, v->at);	/* on top, however narrow */
	list_scrollbar(&v->list, a);
}

/* Draw what the colours mean, at the right, if it fits after @from. */
static void draw_legend(struct area a, int from)
{
	static const enum symbol_kind shown[] = {
		SYMBOL_KERNEL, SYMBOL_USER, SYMBOL_JIT, SYMBOL_UNKNOWN,
	};
	const int width = (int)sizeof(" kernel  user  JIT  unknown ");
	int col = a.cols - width;

	if (col < from + 2)
		return;
	for (unsigned int i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		int drawn = area_printf(a, 0, col, widget_kind(shown[i])->role,
					" %s ", widget_kind(shown[i])->name);

		area_reverse(a, 0, col, drawn);
		col += drawn;
	}
}

/* Draw a part of the line; returns the column after it and a gap. */
static int part(struct area a, int col, enum role role, const char *text)
{
	area_text(a, 0, col, 0, role, text);
	return col + text_width(text) + 2;
}

/* Draw a line about the chosen box. */
static void draw_chosen(const struct flame_view *v, struct area a)
{
	const struct flame_box *b = &v->flame.boxes[v->at];
	double all = v->flame.boxes[0].weight;
	char text[16];
	int col = 1;

	col += area_printf(a, 0, col, ROLE_VALUE, "%.2f%%",
			   b->weight / all * 100) + 2;
	if (b->self > 0 && a.cols >= ROOMY)
		col += area_printf(a, 0, col, ROLE_DEFAULT, "self %.2f%%",
				   b->self / all * 100) + 2;
	if (!v->shown.query.recent)
		col += area_printf(a, 0, col, ROLE_DIM, "%s samples",
				   units_count(text, sizeof(text),
					       b->samples)) + 2;
	col = part(a, col, ROLE_TITLE, b->name);
	if (b->dso) {
		col = part(a, col, widget_kind(b->kind)->role,
			   widget_kind(b->kind)->name);
		col = part(a, col, ROLE_DIM, b->dso);
	}
	if (col - 2 > a.cols)
		widget_more(a, 0);
}

static struct flame_view *flame_view(struct view *view)
{
	return (struct flame_view *)(void *)view;
}

static void flame_release(struct view *view)
{
	flame_free(&flame_view(view)->flame);
}

/*
 * Rebuild the boxes if the samples or the query changed; zoom and the chosen
 * box stay the same.  If out of memory, the old boxes are kept.  False if there
 * is nothing to show.
 */
static bool update(struct flame_view *v, const struct frame *frame)
{
	const struct hot *hot = frame->samples ? frame->samples->hot : NULL;
	const struct hot_query *query = &v->view.shell->query;
	struct flame flame = { 0 };

	if (!hot)
		return false;
	if (!hot_shown_is(&v->shown, hot, query) &&
	    flame_build(hot, query, &flame) == 0) {
		v->zoom = v->flame.nr ? flame_same(&flame, &v->flame, v->zoom) :
					0;
		v->at = v->flame.nr ? flame_same(&flame, &v->flame, v->at) : 0;
		flame_free(&v->flame);
		v->flame = flame;
		v->shown.hot = hot;
		v->shown.changes = hot->changes;
		v->shown.query = *query;
	}
	return v->flame.nr && v->flame.boxes[0].weight > 0;
}

/* The first line: which samples, matches of the search, zoom, legend. */
static void draw_what(const struct flame_view *v, const struct frame *frame,
		      struct area a)
{
	const struct flame_box *zoom = &v->flame.boxes[v->zoom];
	int col = 1;

	if (v->shown.query.part)
		col = widget_note(a, col, ROLE_NOTICE, "%s",
				  hot_part_name(v->shown.query.part));
	col = narrow_which(a, col, frame, &v->shown.query,
			   v->flame.boxes[0].samples);
	col = widget_note(a, col, ROLE_DEFAULT, "%s",
			  v->flame.by_events ? "weighted by period" :
					       "unweighted");
	if (*v->search)
		col = widget_note(a, col, ROLE_MATCH, "\"%s\": %.2f%% of %s",
				  v->search,
				  flame_walk_matched(v) / zoom->weight * 100,
				  zoom->name);
	if (v->zoom)
		col = widget_note(a, col, ROLE_TITLE, "zoom %s", zoom->name);
	draw_legend(a, col);
}

static void draw_nothing(const struct flame_view *v, const struct frame *frame,
			 struct area a)
{
	const char *text = "no samples yet";

	if (!frame->samples || !frame->samples->hot)
		text = narrow_none(frame);
	else if (v->view.shell->query.nr_where || v->view.shell->query.part)
		text = "no samples match";
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
	draw_what(v, frame, area_sub(area, 0, 0, 1, area.cols));
	v->body = 1 + narrow_draw(v->shown.hot, &v->shown.query,
				  area_sub(area, 1, 0, 1, area.cols));
	if (!v->shown.hot->chains)
		area_printf(area, v->body++, 1, ROLE_NOTICE,
			    "functions only, %s", narrow_no_chains(frame));
	area.rows -= narrow_hidden(frame->samples, area);
	draw_boxes(v, area_sub(area, v->body, 0,
				       area.rows - v->body - 1, area.cols));
	draw_chosen(v, area_sub(area, area.rows - 1, 0, 1, area.cols));
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
	snprintf(title, sizeof(title), "%s%s%s, %s%s%s, %s",
		 frame->title, *where ? ": " : "", where,
		 shell->query.part ? hot_part_name(shell->query.part) : "",
		 shell->query.part ? ", " : "",
		 shell->query.recent ? "recent samples" : narrow_marked(frame) ?
			"samples from mark to cursor" :
			narrow_whole(frame) ? "all samples of the run" :
					      "all samples",
		 flame.by_events ? "weighted by period" : "unweighted");
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
	if (action == ACTION_PART) {
		shell->query.part = (shell->query.part + 1) % HOT_PARTS;
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
	case ACTION_SEARCH_PREV:
		flame_walk_seek(v, action == ACTION_SEARCH_PREV);
		return true;
	case ACTION_TOTAL:
		shell->query.recent = !shell->query.recent;
		shell->weights_chosen = true;
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

static const char *flame_label(const struct view *view, enum action action)
{
	const struct flame_view *v = (const void *)view;

	switch ((int)action) {
	case ACTION_OPEN:
		return "Zoom";
	case ACTION_SEARCH_NEXT:
		return *v->search ? "Next" : NULL;
	case ACTION_SEARCH_PREV:
		return *v->search ? "Previous" : NULL;
	case ACTION_CANCEL:
		return *v->search ? "Clear" : v->zoom ? "Zoom out" : NULL;
	case ACTION_FLAME:
		return "Hot";
	default:
		return NULL;
	}
}

const struct view_ops view_flame = {
	.id = VIEW_FLAME,
	.own_rings = true,
	.size = sizeof(struct flame_view),
	.release = flame_release,
	.draw = flame_draw,
	.action = flame_action,
	.click = flame_click,
	.wheel = flame_wheel,
	.label = flame_label,
};
