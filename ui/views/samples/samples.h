/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Samples view's own state and parts: samples.c (keys, mouse, prompts),
 * samples_rows.c (which samples, and where the cursor is among them),
 * samples_table.c (the list) and samples_status.c (what stands below it).
 * sample_detail.c shows one of them in full.
 */
#ifndef RBTOP_UI_VIEWS_SAMPLES_SAMPLES_H
#define RBTOP_UI_VIEWS_SAMPLES_SAMPLES_H

#include "samples/feed.h"
#include "samples/sample_columns.h"
#include "samples/samples.h"
#include "ui/kit/list.h"
#include "ui/kit/view.h"

enum {
	SAMPLES_TEXT = REQUEST_TEXT,	/* bytes of a search or a filter */
	SAMPLES_CELL = 1024,	/* most bytes of a cell's text */
};

struct sample_filter;

/* A column on screen. */
struct samples_column {
	enum sample_column column;
	int col, width;
};

struct samples_view {
	struct view view;
	struct list list;	/* its rows are those of @rows */
	uint64_t *rows;		/* serials of the entries that the filter
				 * passes, the oldest first */
	size_t nr_rows, capacity;
	uint64_t next;		/* serial: looked at so far */
	bool moved;		/* off the newest: not following */
	struct feed *held;	/* what is listed then; NULL: the frame's */
	uint64_t serial;	/* of the entry under the cursor */
	uint64_t detail;	/* of the one that the detail showed */

	struct sample_filter *filter;	/* NULL: none */
	char filter_text[SAMPLES_TEXT];	/* of it */
	const char *const *trace_fields;	/* that it may ask for */
	size_t nr_trace_fields;
	char typed[SAMPLES_TEXT];	/* for the next prompt */
	char before[SAMPLES_TEXT];	/* the filter when it was opened */
	char search[SAMPLES_TEXT];
	uint64_t search_from;	/* serial where the search began */
	bool search_moved;	/* whether it was off the newest there */
	bool seek;		/* the search changed since the last draw */
	bool no_match;

	bool values;		/* tracepoints as name=value */
	int scroll;		/* columns that are out at the left */
	int text_scroll;	/* columns of WHAT's text that are */
	int widths[SAMPLE_COLUMNS]; /* the widest text seen of each */
	char event[SAMPLES_TEXT];	/* the first one seen */
	int nr_events;		/* seen: 2 for several */

	/* how things stood at the last draw */
	struct samples_column columns[SAMPLE_COLUMNS];
	size_t nr_columns;
	bool more_columns;	/* some did not fit */
	bool cut;		/* a text of WHAT did not */
};

/*
 * Take in what @live got and lost, or hold what it has where the cursor is off
 * the newest; the cursor stays on its sample.
 */
void samples_rows_update(struct samples_view *v, const struct feed *live,
			 int page);
/* What the rows are of: what is held, or @live. */
const struct feed *samples_rows_feed(const struct samples_view *v,
				     const struct feed *live);
/* The filter is another one: look at all anew. */
void samples_rows_forget(struct samples_view *v);
/* The cursor was moved: remember the sample, and whether to follow. */
void samples_rows_remember(struct samples_view *v);
/* The row of the sample @serial, or of the next one that is there. */
size_t samples_rows_at(const struct samples_view *v, uint64_t serial);
/* Go to the first match of the search from row @from on. */
void samples_rows_seek(struct samples_view *v, const struct feed *feed,
		       size_t from);
void samples_table_draw(struct samples_view *v, const struct feed *feed,
			struct area a);
/* Whether the search is found in what the list shows of @sample. */
bool samples_table_match(const struct samples_view *v,
			 const struct feed_sample *sample);

/* The rows that it takes at the bottom of @a; and fill those. */
int samples_status_rows(const struct samples_view *v,
			const struct frame *frame, struct area a);
void samples_status_draw(const struct samples_view *v,
			 const struct frame *frame, struct area a);
/* Why nothing is listed, and what to do. */
void samples_status_empty(const struct samples_view *v,
			  const struct frame *frame, struct area a);

#endif
