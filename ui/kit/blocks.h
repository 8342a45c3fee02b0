/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of entries, a label and a text each, as a detail has them. */
#ifndef RBTOP_UI_KIT_BLOCKS_H
#define RBTOP_UI_KIT_BLOCKS_H

#include <stddef.h>

#include "ui/kit/canvas.h"

enum { BLOCKS_TEXT = 64 };	/* bytes of a text */

struct block {
	const char *title;
	const void *table;	/* of its entries, as its owner knows */
};

/*
 * The label of entry @i of a block, and its text into @text: "!12" is bad,
 * "-" and "0" are not worth looking at, "" makes the label a heading of those
 * below.  NULL: there is none.
 */
typedef const char *blocks_fn(const void *table, size_t i, const void *ctx,
			      char text[BLOCKS_TEXT]);

/*
 * Draw them from row @row on, as many beside each other as there is room for.
 * The row below.
 */
int blocks_draw(struct area a, int row, const struct block *blocks, int nr,
		blocks_fn *entry, const void *ctx);

#endif
