/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of figures in a detail: a heading, then entries of label and text. */
#ifndef RBTOP_UI_DRAW_BLOCKS_H
#define RBTOP_UI_DRAW_BLOCKS_H

#include <stddef.h>

#include "ui/draw/canvas.h"

enum { BLOCKS_TEXT = 64 };	/* bytes of a text */

struct block {
	const char *title;
	const void *table;	/* of its entries; passed to blocks_fn */
};

/*
 * Write the text of entry @i of a block to @text and return its label; NULL if
 * there is no such entry.  A text that begins with '!' is drawn as bad, "-" and
 * "0" are dimmed; with "" the label is a heading of the entries below.
 */
typedef const char *blocks_fn(const void *table, size_t i, const void *ctx,
			      char text[BLOCKS_TEXT]);

/*
 * Draw @nr blocks from row @row on, as many side by side as fit.  Returns the
 * row below them.
 */
int blocks_draw(struct area a, int row, const struct block *blocks, int nr,
		blocks_fn *entry, const void *ctx);

#endif
