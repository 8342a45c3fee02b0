/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Flame view's own state and parts: flame.c (drawing, keys, mouse, prompts)
 * and flame_walk.c (moving from box to box).
 */
#ifndef RBTOP_UI_VIEWS_HOT_FLAME_H
#define RBTOP_UI_VIEWS_HOT_FLAME_H

#include "samples/flame.h"
#include "samples/samples.h"
#include "ui/kit/list.h"
#include "ui/kit/view.h"
#include "ui/views/narrow.h"

enum { FLAME_TEXT = 64 };	/* bytes of a search */

struct flame_view {
	struct view view;
	struct flame flame;
	struct hot_shown shown;	/* that @flame was made of */
	uint32_t zoom;		/* the box that is as wide as the screen */
	uint32_t at;		/* the box chosen: within zoom, or around it */
	struct list list;	/* its rows are levels, 0 is the root; the
				 * cursor is on the level of @at */
	char search[FLAME_TEXT];

	/* of the last draw, for the mouse */
	int body;		/* the row of the topmost level */
	int cols;
};

/* Columns of a box, @to exclusive; empty: too narrow to be visible. */
struct flame_span {
	int from, to;
};
struct flame_span flame_walk_span(const struct flame_view *v, uint32_t box);

/*
 * Iterates over the boxes from v->zoom on, callers before callees: the one
 * after @box, FLAME_NONE at the end.  Without @into, callees of @box are left
 * out.
 */
uint32_t flame_walk_next(const struct flame_view *v, uint32_t box, bool into);
/* UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, HOME, END; false for others. */
bool flame_walk_action(struct flame_view *v, enum action action);
/* The box drawn at a level and column; FLAME_NONE if there is none. */
uint32_t flame_walk_find(const struct flame_view *v, unsigned int depth,
			 int col);
/* The number of levels with visible boxes. */
size_t flame_walk_levels(const struct flame_view *v);

/* Whether @box matches the search. */
bool flame_walk_matches(const struct flame_view *v, uint32_t box);
/* The weight of the samples within zoom that passed through matching boxes. */
double flame_walk_matched(const struct flame_view *v);
/* Choose the next matching box, with @back the previous one, wrapping around;
 * or the widest one. */
void flame_walk_seek(struct flame_view *v, bool back);
void flame_walk_seek_widest(struct flame_view *v);

/* Write the samples that Hot and Flame show to files, see shell.write_flame. */
void flame_write(struct shell *shell, const struct frame *frame);

#endif
