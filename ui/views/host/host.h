/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Host view's own state and parts: host.c (keys, mouse, prompts),
 * host_order.c (which rows, in which order), host_list.c (the table),
 * host_status.c (what stands above it, or in its place) and host_pick.c (the
 * popup that picks what to sort by).
 */
#ifndef RBTOP_UI_VIEWS_HOST_HOST_H
#define RBTOP_UI_VIEWS_HOST_HOST_H

#include "host/table/host.h"
#include "ring/figures.h"
#include "ui/kit/list.h"
#include "ui/kit/list_columns.h"
#include "ui/kit/pick.h"
#include "ui/kit/view.h"

enum {
	HOST_TEXT = 64,		/* bytes of a search or a filter */
	HOST_ROOMY = 12,	/* rows from which there is room for more than
				 * what is wrong, and the table */
};

struct host_view {
	struct view view;
	struct list list;	/* cursor: a row of the table */
	size_t *order;		/* indices of the frame's rows that the filter
				 * lets through */
	size_t nr_order;
	size_t capacity;	/* of it */
	uint64_t *listed;	/* what the detail walks: see shell */
	uint64_t current;	/* id of the row under the cursor; 0: none */
	bool placed;		/* a person put the cursor there: it follows
				 * its row; else it stays on the top one */
	char search[HOST_TEXT], filter[HOST_TEXT];
	uint64_t search_from;	/* id of the row where the search began */
	bool seek;		/* the search changed since the last draw */
	bool no_match;
	bool worst;		/* worst on top, whatever the sort column */
	enum figure sort;	/* FIGURES: as they came */
	bool invert;
	int scroll;		/* columns that are scrolled out at the left */
	bool refused;		/* the source does not look at the machine */

	enum figure figures[LIST_COLUMNS];	/* its columns */
	size_t nr_columns;

	/* where things stood at the last draw, for the mouse */
	struct list_column columns[LIST_COLUMNS];
	struct list_place places[LIST_COLUMNS];
	bool more_columns;	/* some do not fit */
	/* columns that say something only at times: those that did, stay, so
	 * that the table does not jump with each loss */
	bool wanted[LIST_COLUMNS];
	int head;		/* lines above the table's header */

	struct pick pick;	/* of the column to sort by */
};

/* Filter and sort the rows anew; the cursor stays on its row. */
void host_order_update(struct host_view *v, const struct host *host);
/* Whether owner, event, ring, user or map contain @needle. */
bool host_order_match(const struct ring_row *row, const char *needle);
/* Go to the first match from line @from on.  False if there is none. */
bool host_order_seek(struct host_view *v, const struct host *host,
		     size_t from);
/* The line of a row; LIST_NONE where it is not listed. */
size_t host_order_line(const struct host_view *v, const struct host *host,
		       uint64_t id);
/* Put the cursor on a line of the table. */
void host_order_place(struct host_view *v, const struct host *host,
		      size_t line);
/* Keep what is listed now, for the detail to walk. */
void host_order_keep(struct host_view *v, const struct host *host);
/* Sort by @column, or turn the order round if that is done already. */
void host_order_by(struct host_view *v, enum figure column);

/* ROLE_BAD, ROLE_WARN, or ROLE_DEFAULT where nothing is wrong. */
enum role host_alarm_role(unsigned int warnings);

void host_list_fit(struct host_view *v, const struct host *host, int cols);
void host_list_draw(struct host_view *v, const struct host *host,
		    struct area a);
/* The index of a column in figures; LIST_NONE: it is none. */
size_t host_list_index(const struct host_view *v, enum figure figure);
/* Whether the column stands in the table that was drawn. */
bool host_list_shows(const struct host_view *v, enum figure figure);
/* The column at a click in the header, FIGURES where there is none. */
enum figure host_list_column_at(const struct host_view *v, int col);

/*
 * What is to be known of all rows: sums (where the frame has rings of its own,
 * whose sums stand further up), how they are looked at, why not better, who
 * has no memory left.  How many lines that took.
 */
int host_status_draw(const struct frame *frame, struct area a);
/* What is said where there are no rows; frame->host may be NULL. */
void host_status_empty(const struct host_view *v, const struct frame *frame,
		       struct area a);

void host_pick_open(struct host_view *v);
void host_pick_draw(struct host_view *v, struct area a);
/* Moves, Enter, Esc and the key that opened it; the rest is the app's. */
bool host_pick_action(struct host_view *v, enum action action);
void host_pick_click(struct host_view *v, int row, int col);

#endif
