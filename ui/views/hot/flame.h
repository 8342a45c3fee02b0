/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Flame view's own state and parts: flame.c (keys, mouse, prompts),
 * flame_walk.c (from box to box) and flame_picture.c.
 */
#ifndef RBTOP_UI_VIEWS_HOT_FLAME_H
#define RBTOP_UI_VIEWS_HOT_FLAME_H

#include "samples/flame.h"
#include "samples/samples.h"
#include "ui/kit/list.h"
#include "ui/kit/view.h"

enum { FLAME_TEXT = 64 };	/* bytes of a search */

struct flame_view {
	struct view view;
	struct flame flame;
	const struct hot *hot;	/* that it was made of; NULL: none yet */
	uint64_t changes;	/* that this had then */
	struct hot_query query;	/* and this */
	uint32_t zoom;		/* the box that is as wide as the screen */
	uint32_t at;		/* the box chosen: within zoom, or around it */
	struct list list;	/* its rows are levels, of which 0 is the root;
				 * the cursor is on that of @at */
	char search[FLAME_TEXT];

	/* of the last draw, for the mouse */
	int body;		/* the row of the topmost level */
	int cols;
};

/* Columns of a box, the last one exclusive; none: too narrow to be seen. */
struct flame_span {
	int from, to;
};
struct flame_span flame_walk_span(const struct flame_view *v, uint32_t box);

/*
 * The box after @box in the picture, outer ones first, FLAME_NONE at the end;
 * begins with v->zoom.  Without @into, boxes inside @box are left out.
 */
uint32_t flame_walk_next(const struct flame_view *v, uint32_t box, bool into);
/* UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN, HOME, END; false: another. */
bool flame_walk_action(struct flame_view *v, enum action action);
/* The box that is drawn there; FLAME_NONE. */
uint32_t flame_walk_find(const struct flame_view *v, unsigned int depth,
			 int col);
/* Levels that the picture has. */
size_t flame_walk_levels(const struct flame_view *v);

/* Whether the search finds @box. */
bool flame_walk_matches(const struct flame_view *v, uint32_t box);
/* The weight of what is within zoom and went through boxes that are found. */
double flame_walk_matched(const struct flame_view *v);
/* Go to the next box that is found, or to the widest of them. */
void flame_walk_seek(struct flame_view *v);
void flame_walk_seek_widest(struct flame_view *v);

void flame_picture_draw(struct flame_view *v, struct area a);
/* What the colours mean, at the right, if there is room behind @from. */
void flame_picture_legend(struct area a, int from);
/* What the chosen box is, on a line. */
void flame_picture_box(const struct flame_view *v, struct area a);

/* Write what Hot and Flame show as files. */
void flame_write(struct shell *shell, const struct frame *frame);

#endif
