/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of a list: which of them fit, where they stand, their cells. */
#ifndef RBTOP_UI_LIST_COLUMNS_H
#define RBTOP_UI_LIST_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/canvas.h"

enum { LIST_COLUMNS = 24 };	/* most of a list */

/* What a column wants. */
struct list_column {
	const char *header;
	int width;		/* least */
	int most;		/* it takes so much where there is room; 0:
				 * its width */
	int rank;		/* those of the highest are left out first */
	bool left;		/* aligned */
};

/* Where it stands; width 0: it is left out. */
struct list_place {
	int col, width;
};

/*
 * Choose those of @nr columns that fit in @cols from column @from on, and are
 * @wanted (NULL: all of them); the first one always stays.
 */
void list_columns_fit(const struct list_column *columns, size_t nr,
		      const bool *wanted, int from, int cols,
		      struct list_place *places);
void list_columns_header(struct area a, int row,
			 const struct list_column *columns, size_t nr,
			 const struct list_place *places);
/* A cell's text, aligned as its column. */
void list_columns_cell(struct area a, int row, const struct list_column *column,
		       const struct list_place *place, enum role role,
		       const char *text);

#endif
