/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of a list: which of them fit, where they stand, their cells. */
#ifndef RBTOP_UI_KIT_LIST_COLUMNS_H
#define RBTOP_UI_KIT_LIST_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/kit/canvas.h"

enum { LIST_COLUMNS = 32 };	/* most of a list */

/* By a column: not sorted; the smallest first; the largest first. */
enum list_sort { LIST_UNSORTED, LIST_RISING, LIST_FALLING };

/* What a column wants. */
struct list_column {
	const char *header;
	int width;		/* least */
	int most;		/* it takes so much where there is room; 0:
				 * its width */
	int rank;		/* those of the highest are left out first */
	bool left;		/* aligned */
	enum list_sort sort;
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
/*
 * A heading with an arrow where the list is sorted by it.  The arrow stands in
 * the column's own width, so that no blank beside it makes it the neighbour's:
 * that is why the sorted column may need more, see list_columns_width().
 */
void list_columns_heading(struct area a, int row,
			  const struct list_column *column,
			  const struct list_place *place);
/* The least width of a column with its heading. */
int list_columns_width(const struct list_column *column);
/* A cell's text, aligned as its column. */
void list_columns_cell(struct area a, int row, const struct list_column *column,
		       const struct list_place *place, enum role role,
		       const char *text);

#endif
