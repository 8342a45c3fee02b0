/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Samples view's own state and parts: samples.c (the list, its filter),
 * samples_rows.c (which samples), samples_table.c (columns and cells) and
 * samples_status.c (notes and the line below the list).  sample_detail.c shows
 * one sample in full.
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

/*
 * Bring the rows up to date with @live, or with a copy of it that is held while
 * the cursor is not on the newest sample.
 */
void samples_rows_update(struct samples_view *v, const struct feed *live);
/* The feed of the rows: the one held, else @live. */
const struct feed *samples_rows_feed(const struct samples_view *v,
				     const struct feed *live);
/* After the filter changed: filter all entries again. */
void samples_rows_forget(struct samples_view *v);

/* For listing_ops. */
size_t samples_table_columns(struct listing *l, int cols,
			     struct list_column *columns);
enum role samples_table_cell(struct listing *l, const void *row,
			     const struct list_column *column, struct area cell,
			     char *text);
bool samples_table_match(const struct listing *l, const void *row,
			 const char *needle);
int samples_status_notes(const struct listing *l, struct area a, int col);
/* Draw why nothing is listed, and what to do. */
void samples_status_empty(const struct listing *l, struct area a);

/* Draw the state of decoding, problems first. */
void samples_status_draw(const struct frame *frame, struct area line);

#endif
