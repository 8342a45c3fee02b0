/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Hot view's own state and parts: hot.c (keys, the line above the list, the
 * popup that picks what to group by), hot_list.c (the list, narrowing and
 * widening), and flame.c, the Flame view of the same samples.
 */
#ifndef RBTOP_UI_VIEWS_HOT_HOT_H
#define RBTOP_UI_VIEWS_HOT_HOT_H

#include "samples/hot_query.h"
#include "samples/samples.h"
#include "ui/kit/listing.h"
#include "ui/views/narrow.h"

/* What the list is sorted by; also ids of its columns. */
enum hot_sort { HOT_SORT_SELF, HOT_SORT_CHILDREN, HOT_SORT_NAME, HOT_SORTS };

/* The query before a narrowing, which Esc restores. */
struct hot_step {
	unsigned int keys, nr_where;
	uint64_t id;		/* of the row that was narrowed to */
};

struct hot_view {
	struct listing list;
	struct hot_rows rows;
	double max;		/* largest share, of those sorted by */
	struct hot_shown shown;	/* that @rows were made of */
	struct hot_step steps[HOT_WHERES];
	unsigned int nr_steps;
	bool roomy;		/* there is room for the row's file */
	struct pick groups;	/* popup of what to group by */
};

extern const struct listing_ops hot_listing;

/* Undo the last narrowing.  False if there is none. */
bool hot_list_widen(struct hot_view *v);
/* Group by @keys (bits 1 << enum hot_key) from now on. */
void hot_list_group(struct hot_view *v, unsigned int keys);

/* Write the samples that Hot and Flame show to files, see shell.write_flame. */
void flame_write(struct shell *shell, const struct frame *frame);

#endif
