/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of figures, a label and a text each, as a detail has them. */
#ifndef RBTOP_UI_KIT_FIGURES_H
#define RBTOP_UI_KIT_FIGURES_H

#include <stddef.h>

#include "ui/kit/canvas.h"

enum { FIGURES_TEXT = 64 };	/* bytes of a text */

struct figures_block {
	const char *title;
	const void *table;	/* whose figures, as its owner knows */
};

/*
 * The label of figure @i of a block, and its text into @text: "!12" is bad,
 * "-" and "0" are not worth looking at, "" makes the label a heading of those
 * below.  NULL: there is none.
 */
typedef const char *figures_fn(const void *table, size_t i, const void *ctx,
			       char text[FIGURES_TEXT]);

/*
 * Draw them from row @row on, as many beside each other as there is room for.
 * The row below.
 */
int figures_draw(struct area a, int row, const struct figures_block *blocks,
		 int nr, figures_fn *figure, const void *ctx);

#endif
