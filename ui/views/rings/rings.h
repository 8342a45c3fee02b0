/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Rings view's own state and parts: rings.c (the list) and rings_map.c (the
 * heat map in place of its table).
 */
#ifndef RBTOP_UI_VIEWS_RINGS_RINGS_H
#define RBTOP_UI_VIEWS_RINGS_RINGS_H

#include "ui/views/ring_cells.h"

struct rings_view {
	struct listing list;
	struct list lines;	/* of the map; a line has map_cols cells */
	int map_cols;		/* cells in a line */
	int map_top;		/* lines above it: its scale */
	bool map_noted;		/* its legend is among the notes */
	int map_left, map_cell;	/* first column, columns of a cell */
};

/* Draw a cell per ring, in the order of the list, and a table of the worst. */
void rings_map_draw(struct rings_view *v, struct area a);
bool rings_map_action(struct rings_view *v, const struct frame *frame,
		      enum action action);
/* The index in list.order of the ring at a cell of the area, or LIST_NONE. */
size_t rings_map_at(const struct rings_view *v, int row, int col);
/* Note what the characters mean, if it fits after @col; the column after it. */
int rings_map_legend(struct area a, int col);

#endif
