/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ring table's columns: text and sort value of each, from a frame. */
#ifndef RBTOP_RING_COLUMNS_H
#define RBTOP_RING_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "ring/frame.h"

#define COLUMN(id, name, header, width, shown, descending, help) COLUMN_##id,
enum column {
#include "ring/columns.def"
	COLUMNS
};
#undef COLUMN

struct column_info {
	const char *id;		/* lower case, for the rc file: "fill" */
	const char *header;
	int width;		/* columns on screen; 0: a bar that stretches */
	bool shown;		/* by default */
	bool descending;	/* the useful order when sorted by it */
	const char *help;
};

/* What is fixed about a column. */
const struct column_info *column_info(enum column column);

/* By id ("fill"), case ignored.  COLUMNS where there is none. */
enum column column_find(const char *id);

/*
 * The cell's text, "-" for what is unknown; of FILL and HIST, which a screen
 * draws, the present figure in percent.  Returns @buf.
 */
char *column_text(enum column column, const struct ring_row *ring, char *buf,
		  size_t size);

/*
 * What the table sorts by; NAN (unknown) sorts last in either order.  COMM
 * sorts by its first six bytes.
 */
double column_value(enum column column, const struct ring_row *ring);

#endif
