/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Samples view's own state and parts: samples.c (the list, its filter, the
 * lines around it) and samples_table.c (columns and cells).  sample_detail.c
 * shows one sample in full.
 */
#ifndef RBTOP_UI_VIEWS_SAMPLES_SAMPLES_H
#define RBTOP_UI_VIEWS_SAMPLES_SAMPLES_H

#include "samples/feed.h"
#include "samples/sample_columns.h"
#include "samples/samples.h"
#include "ui/kit/listing.h"

struct sample_filter;

struct samples_view {
	struct listing list;	/* its rows are those of @rows */
	uint64_t *rows;		/* serials of the entries that match the
				 * filter, the oldest first */
	size_t nr_rows, room;
	uint64_t next;		/* serial of the next entry to be filtered */
	struct feed *held;	/* a copy that is listed while the cursor is not
				 * on the newest; NULL: the frame's is */

	struct sample_filter *filter;	/* NULL: none */
	const char *const *trace_fields;	/* that it may use */
	size_t nr_trace_fields;

	struct sample_style style;
	int widths[SAMPLE_COLUMNS]; /* the widest text seen of each */
	char event[LISTING_TEXT];	/* the first one seen */
	int nr_events;		/* seen: 2 for several */
};

/* For listing_ops. */
size_t samples_table_columns(struct listing *l, int cols,
			     struct list_column *columns);
enum role samples_table_cell(struct listing *l, const void *row,
			     const struct list_column *column, struct area cell,
			     char *text);
bool samples_table_match(const struct listing *l, const void *row,
			 const char *needle);

#endif
