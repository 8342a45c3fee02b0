/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host table's columns: text and sort value of each, from a row. */
#ifndef RBTOP_HOST_TABLE_HOST_COLUMNS_H
#define RBTOP_HOST_TABLE_HOST_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/table/host.h"

#define HOST_COLUMN(id, name, header, width, rank, descending, help) \
	HOST_COLUMN_##id,
enum host_column {
#include "host/table/host_columns.def"
	HOST_COLUMNS
};
#undef HOST_COLUMN

struct host_column_info {
	const char *id;		/* lower case: "fill" */
	const char *header;
	int width;		/* columns on screen; 0: a bar that stretches */
	int rank;		/* those of the highest are left out first where
				 * there is no room; 0 never */
	bool descending;	/* the useful order when sorted by it */
	const char *help;
};

/* What is fixed about a column. */
const struct host_column_info *host_column_info(enum host_column column);

/* By id ("fill"), case ignored.  HOST_COLUMNS where there is none. */
enum host_column host_column_find(const char *id);

/*
 * The cell's text, "-" for what is unknown; a figure that is a bound is marked:
 * ">1.2M" at least.  Returns @buf.
 */
char *host_column_text(enum host_column column, const struct ring_row *row,
		       char *buf, size_t size);

/* What the table sorts by; NAN (unknown) sorts last in either order.  Texts
 * (owner, event, user) are compared by host_column_compare. */
double host_column_value(enum host_column column, const struct ring_row *row);

/* <0, 0, >0: ascending, unknown ones last; ties by id. */
int host_column_compare(enum host_column column, const struct ring_row *a,
			const struct ring_row *b);

#endif
