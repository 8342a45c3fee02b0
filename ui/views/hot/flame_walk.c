/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/flame.h"

#include <math.h>

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

struct flame_span flame_walk_span(const struct flame_view *v, uint32_t box)
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
	struct flame_span span = flame_walk_span(v, box);

	return span.to > span.from;
}

uint32_t flame_walk_next(const struct flame_view *v, uint32_t box, bool into)
{
	if (into && box_of(v, box)->first != FLAME_NONE)
		return box_of(v, box)->first;
	for (; box != v->zoom; box = box_of(v, box)->parent) {
		if (box_of(v, box)->next != FLAME_NONE)
			return box_of(v, box)->next;
	}
	return FLAME_NONE;
}

size_t flame_walk_levels(const struct flame_view *v)
{
	unsigned int depth = box_of(v, v->at)->depth;
	bool seen;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = flame_walk_next(v, b, seen)) {
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

uint32_t flame_walk_find(const struct flame_view *v, unsigned int depth,
			 int col)
{
	bool into;

	if (depth <= box_of(v, v->zoom)->depth)
		return outer(v, depth);
	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = flame_walk_next(v, b, into)) {
		struct flame_span span = flame_walk_span(v, b);

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
	     b = flame_walk_next(v, b, seen && box_of(v, b)->depth < depth)) {
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

bool flame_walk_action(struct flame_view *v, enum action action)
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

bool flame_walk_matches(const struct flame_view *v, uint32_t box)
{
	return *v->search && list_match(box_of(v, box)->name, v->search);
}

/* The samples of a match include those of the matches it calls. */
double flame_walk_matched(const struct flame_view *v)
{
	double sum = 0;
	bool match;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = flame_walk_next(v, b, !match)) {
		match = flame_walk_matches(v, b);
		if (match)
			sum += box_of(v, b)->weight;
	}
	return sum;
}

void flame_walk_seek_widest(struct flame_view *v)
{
	uint32_t best = FLAME_NONE;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = flame_walk_next(v, b, true)) {
		if (flame_walk_matches(v, b) &&
		    (best == FLAME_NONE ||
		     box_of(v, b)->weight > box_of(v, best)->weight))
			best = b;
	}
	if (best != FLAME_NONE)
		v->at = best;
}

void flame_walk_seek(struct flame_view *v, bool back)
{
	uint32_t first = FLAME_NONE, before = FLAME_NONE;
	uint32_t after = FLAME_NONE, last = FLAME_NONE, to;
	bool passed = false;

	for (uint32_t b = v->zoom; b != FLAME_NONE;
	     b = flame_walk_next(v, b, true)) {
		passed |= b == v->at;
		if (b == v->at || !flame_walk_matches(v, b))
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
