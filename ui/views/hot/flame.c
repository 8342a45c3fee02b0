/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Flame view: moving from box to box, drawing, keys, mouse, prompts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "samples/flame.h"
#include "samples/samples.h"
#include "ui/draw/widgets.h"
#include "ui/kit/list.h"
#include "ui/kit/view.h"
#include "ui/views/hot/hot.h"
#include "ui/views/narrow.h"

struct flame_view {
	struct view view;
	struct flame flame;
	struct hot_shown shown;	/* that @flame was made of */
	uint32_t zoom;		/* the box that is as wide as the screen */
	uint32_t at;		/* the box chosen: within zoom, or around it */
	struct list list;	/* its rows are levels, 0 is the root; the
				 * cursor is on the level of @at */
	char search[64];

	/* of the last draw, for the mouse */
	int body;		/* the row of the topmost level */
	int cols;
};

/* Columns of a box, @to exclusive; empty: too narrow to be visible. */
struct flame_span {
	int from, to;
};

/* Moving from box to box. */

static const struct flame_box *box_of(const struct flame_view *v, uint32_t box)
{
	return &v->flame.boxes[box];
}

/* Whether @outer is @box or one of its callers. */
static bool is_around(const struct flame_view *v, uint32_t outer, uint32_t box)
{
	while (box != outer && box != FLAME_NONE)
		box = box_of(v, box)->parent;
	return box == outer;
}

static int column(const struct flame_view *v, double start)
{
	const struct flame_box *zoom = box_of(v, v->zoom);
	double width = zoom->weight / box_of(v, 0)->weight;
	double col = (start - zoom->start) / width * v->cols;

	return (int)lround(fmin(fmax(col, 0), v->cols));
}

static struct flame_span span_of(const struct flame_view *v, uint32_t box)
{
	const struct flame_box *b = box_of(v, box);
	double width = b->weight / box_of(v, 0)->weight;

	if (is_around(v, box, v->zoom))
		return (struct flame_span){ 0, v->cols };
	return (struct flame_span){ column(v, b->start),
				    column(v, b->start + width) };
}

static bool is_seen(const struct flame_view *v, uint32_t box)
{
	struct flame_span span = span_of(v, box);

	return span.to > span.from;
}

/*
 * Iterates over the boxes from v->zoom on, callers before callees: the one
 * after @box, FLAME_NONE at the end.  Without @into, callees of @box are left
 * out.
 */
static uint32_t walk_next(const struct flame_view *v, uint32_t box, bool into)
{
	if (into && box_of(v, box)->first != FLAME_NONE)
		return box_of(v, box)->first;
	for (; box != v->zoom; box = box_of(v, box)->parent) {
		if (box_of(v, box)->next != FLAME_NONE)
			return box_of(v, box)->next;
	}
	return FLAME_NONE;
}

/* The number of levels with visible boxes. */
static size_t visible_levels(const struct flame_view *v)
{
	unsigned int depth = box_of(v, v->at)->depth;
	bool seen;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = walk_next(v, b, seen)) {
		seen = is_seen(v, b);
		if (seen && box_of(v, b)->depth > depth)
			depth = box_of(v, b)->depth;
	}
	return (size_t)depth + 1;
}

/* The box of level @depth around zoom, or zoom itself. */
static uint32_t outer(const struct flame_view *v, unsigned int depth)
{
	uint32_t box = v->zoom;

	while (box_of(v, box)->depth > depth)
		box = box_of(v, box)->parent;
	return box;
}

/* The box drawn at a level and column; FLAME_NONE if there is none. */
static uint32_t box_at(const struct flame_view *v, unsigned int depth,
		       int col)
{
	bool into;

	if (depth <= box_of(v, v->zoom)->depth)
		return outer(v, depth);
	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = walk_next(v, b, into)) {
		struct flame_span span = span_of(v, b);

		into = col >= span.from && col < span.to;
		if (into && box_of(v, b)->depth == depth)
			return b;
	}
	return FLAME_NONE;
}

/* The callee with the largest weight; @box itself if there is none. */
static uint32_t widest(const struct flame_view *v, uint32_t box)
{
	uint32_t best = box_of(v, box)->first;

	if (best == FLAME_NONE)
		return box;
	for (uint32_t b = best; b != FLAME_NONE; b = box_of(v, b)->next) {
		if (box_of(v, b)->weight > box_of(v, best)->weight)
			best = b;
	}
	return best;
}

static void go_up(struct flame_view *v)
{
	if (box_of(v, v->at)->parent != FLAME_NONE)
		v->at = box_of(v, v->at)->parent;
}

static void go_down(struct flame_view *v)
{
	unsigned int depth = box_of(v, v->at)->depth;

	v->at = depth < box_of(v, v->zoom)->depth ? outer(v, depth + 1) :
						    widest(v, v->at);
}

/* Go to the neighbour on the same level, which may have another caller. */
static void go_aside(struct flame_view *v, bool right)
{
	unsigned int depth = box_of(v, v->at)->depth;
	uint32_t before = FLAME_NONE;
	bool passed = false, seen;

	if (depth <= box_of(v, v->zoom)->depth)
		return;
	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = walk_next(v, b, seen && box_of(v, b)->depth < depth)) {
		seen = is_seen(v, b) || b == v->at || is_around(v, b, v->at);
		if (!seen || box_of(v, b)->depth != depth)
			continue;
		if (b == v->at && !right)
			break;
		if (passed) {
			v->at = b;
			return;
		}
		passed = b == v->at;
		before = b;
	}
	if (!right && before != FLAME_NONE)
		v->at = before;
}

/* UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, HOME, END; false for others. */
static bool move(struct flame_view *v, enum action action)
{
	size_t page = v->list.page > 1 ? v->list.page - 1 : 1;

	switch ((int)action) {
	case ACTION_UP:
		go_up(v);
		return true;
	case ACTION_DOWN:
		go_down(v);
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
		go_aside(v, action == ACTION_RIGHT);
		return true;
	case ACTION_PAGE_UP:
		for (; page; page--)
			go_up(v);
		return true;
	case ACTION_PAGE_DOWN:
		for (; page; page--)
			go_down(v);
		return true;
	case ACTION_HOME:
		v->at = 0;
		return true;
	case ACTION_END:
		for (size_t i = 0; i <= v->flame.depth; i++)
			go_down(v);
		return true;
	default:
		return false;
	}
}

/* Whether @box matches the search. */
static bool is_match(const struct flame_view *v, uint32_t box)
{
	return *v->search && list_match(box_of(v, box)->name, v->search);
}

/* The weight of the samples within zoom that passed through matching boxes: the
 * samples of a match include those of the matches it calls. */
static double weight_of_matches(const struct flame_view *v)
{
	double sum = 0;
	bool match;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = walk_next(v, b, !match)) {
		match = is_match(v, b);
		if (match)
			sum += box_of(v, b)->weight;
	}
	return sum;
}

/* Choose the widest matching box. */
static void seek_widest(struct flame_view *v)
{
	uint32_t best = FLAME_NONE;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = walk_next(v, b, true)) {
		if (is_match(v, b) &&
		    (best == FLAME_NONE ||
		     box_of(v, b)->weight > box_of(v, best)->weight))
			best = b;
	}
	if (best != FLAME_NONE)
		v->at = best;
}

/* Choose the next matching box, with @back the previous one, or wrap around. */
static void seek_match(struct flame_view *v, bool back)
{
	uint32_t first = FLAME_NONE, before = FLAME_NONE;
	uint32_t after = FLAME_NONE, last = FLAME_NONE, to;
	bool passed = false;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = walk_next(v, b, true)) {
		passed |= b == v->at;
		if (b == v->at || !is_match(v, b))
			continue;
		first = first == FLAME_NONE ? b : first;
		last = b;
		if (!passed)
			before = b;
		else if (after == FLAME_NONE)
			after = b;
	}
	/* wrap around */
	to = back ? before : after;
	if (to == FLAME_NONE)
		to = back ? last : first;
	if (to != FLAME_NONE)
		v->at = to;
}

enum { ROOMY = 60 };	/* columns from which the share of self is shown */

static enum role role_of(const struct flame_view *v, uint32_t box)
{
	const struct flame_box *b = &v->flame.boxes[box];

	if (is_match(v, box))
		return ROLE_MATCH;
	if (b->dso)
		return widget_kind(b->kind)->role;
	return box ? ROLE_LABEL : ROLE_DEFAULT;
}

/* Boxes are reversed; the chosen one is not, and begins with a mark. */
static void draw_box(const struct flame_view *v, struct area a, uint32_t box)
{
	const struct flame_box *b = &v->flame.boxes[box];
	struct flame_span span = span_of(v, box);
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
	if (visible_levels(v) > (size_t)a.rows)
		v->cols--;	/* for the scrollbar */
	list_fit(&v->list, visible_levels(v), a.rows);
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
	     b = walk_next(v, b, span.to > span.from)) {
		span = span_of(v, b);
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
				  weight_of_matches(v) / zoom->weight * 100,
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
		seek_widest(v);
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
	if (move(v, action))
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
		seek_match(v, action == ACTION_SEARCH_PREV);
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
		box = box_at(v, (unsigned int)depth, col);
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
		move(v, lines < 0 ? ACTION_UP : ACTION_DOWN);
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
