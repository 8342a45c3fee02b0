/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/draw/blocks.h"

#include <string.h>

#include "ui/draw/widgets.h"

enum {
	BLOCK = 25,		/* least columns of a block */
	GAP = 2,		/* between blocks */
	BLOCK_MOST = 44,	/* most columns: label and text stay close */
};

static enum role text_role(const char *text)
{
	if (text[0] == '!')
		return ROLE_BAD;
	return strcmp(text, "-") && strcmp(text, "0") ? ROLE_VALUE : ROLE_DIM;
}

static int draw_block(struct area a, int row, const struct block *block,
		      blocks_fn *entry, const void *ctx)
{
	int end = a.cols < BLOCK_MOST ? a.cols : BLOCK_MOST;
	char text[BLOCKS_TEXT];
	const char *label;

	widget_heading(a, row++, block->title);
	for (size_t i = 0;
	     (label = entry(block->table, i, ctx, text)) != NULL; i++) {
		area_text(a, row, 0, 0, *text ? ROLE_LABEL : ROLE_DIM, label);
		area_text_right(a, row++, end, text_role(text), text);
	}
	return row;
}

int blocks_draw(struct area a, int row, const struct block *blocks, int nr,
		blocks_fn *entry, const void *ctx)
{
	int across = (a.cols + GAP) / (BLOCK + GAP), width;
	int top = row, end = row;

	across = across > nr ? nr : across < 1 ? 1 : across;
	width = (a.cols + GAP) / across - GAP;
	for (int i = 0; i < nr; i++) {
		int at = i % across, next;

		if (!at)
			top = end;
		next = draw_block(area_sub(a, 0, at * (width + GAP), a.rows,
					   width),
				  top, &blocks[i], entry, ctx);
		end = next > end ? next : end;
	}
	return end;
}
