/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of lists whose rows are rings, rbtop's or others': Rings, Host, AUX. */
#ifndef RBTOP_UI_VIEWS_RING_CELLS_H
#define RBTOP_UI_VIEWS_RING_CELLS_H

#include "ring/figures.h"
#include "ui/kit/listing.h"

/* Left of the columns: a tag or a warning, the ring's state, a blank. */
enum { RING_CELLS_GUTTER = 3 };

/* The column of a figure in a list; its id is the figure. */
struct list_column ring_cells_column(enum figure figure,
					enum figure_list list);

/*
 * Write a cell to @text (LISTING_CELL bytes) and return its role; bars and
 * sparklines are drawn in @cell.
 */
enum role ring_cells_draw(enum figure figure, const struct ring_row *r,
			  struct area cell, char *text);
/*
 * The same for a total of rings: ROLE_HEADER unless it is an alarm; "" for
 * figures that are not summed.
 */
enum role ring_cells_sum(enum figure figure, const struct ring_row *sum,
			 struct area cell, char *text);

/* For listing_ops of lists whose rows are struct ring_row. */
uint64_t ring_cells_id(const struct listing *l, const void *row);
/* Matches the label or the name of the task. */
bool ring_cells_match(const struct listing *l, const void *row,
		      const char *needle);
int ring_cells_compare(int column, const void *a, const void *b);
bool ring_cells_is_known(int column, const void *row);
/* The worst first: by warnings, then by records lost per second, then the
 * fullest. */
int ring_cells_worst(const void *a, const void *b);

/*
 * The command that gives the ring its recommended size: the owner's own, or
 * for rbtop's rings that of perf record; NULL if none is known or @r is NULL.
 * ring_cells_copy() offers it to the terminal's clipboard, or says that there
 * is none.
 */
const char *ring_cells_command(const struct ring_row *r);
void ring_cells_copy(struct view *view, const struct ring_row *r);

/* Draw the mark of a warning, and the most important mark of the state. */
void ring_cells_gutter(const struct listing *l, const void *row,
		       struct area gutter);

struct ring_mark {
	const char *glyph, *text;	/* NULL: the end */
};

/* Draw what the marks of bars and of rows mean, as far as there is room, with
 * @marks, those of this list alone, at the end. */
void ring_cells_legend(const struct listing *l, struct area line,
		       const struct ring_mark *marks);

/* The role of @warnings (bits 1 << enum ring_warning): ROLE_BAD, ROLE_WARN, or
 * ROLE_DEFAULT if there are none. */
enum role ring_cells_alarm(unsigned int warnings);

/* Columns that the labels of @nr rings need, at most those of FIGURE_RING. */
int ring_cells_label_width(const struct ring_row *rows, size_t nr,
			   enum figure_list list);

#endif
