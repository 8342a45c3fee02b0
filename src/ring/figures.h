/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of a ring: one row of figures.def each, from which all follows
 * that shows or writes it.  A value is a count, exact to 64 bits; a number; a
 * flag; or a text.  What cannot be known is "-", null, or left out.
 */
#ifndef RBTOP_RING_FIGURES_H
#define RBTOP_RING_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/ring_row.h"

#define FIGURE(id, ...) FIGURE_##id,
enum figure {
#include "ring/figures.def"
	FIGURES
};
#undef FIGURE

enum figure_kind {
	FIGURE_IS_COUNT,	/* uint64_t */
	FIGURE_IS_NUMBER,	/* double */
	FIGURE_IS_FLAG,		/* no, yes */
	FIGURE_IS_TEXT,
};

/* How a number is written. */
enum figure_unit {
	UNIT_PLAIN,		/* an id: all digits */
	UNIT_COUNT,		/* "12.3k" */
	UNIT_BYTES,		/* "1.5M" */
	UNIT_SHARE,		/* "41%" */
	UNIT_SECONDS,		/* "12us" */
};

/* Which values are bounds, and are written so. */
enum figure_bound {
	BOUND_NONE,
	BOUND_SEEN,		/* ">12": of another program's ring, of which
				 * not each moment is seen */
	BOUND_LAST,		/* ">12": of such a ring that is gone: what came
				 * after the last look is missing */
	BOUND_ROUNDS,		/* "12+": of rounds that went by between two
				 * stops of tracing nothing is known */
};

/*
 * The parts of a ring's detail.  Those of rbtop's own rings are by what they
 * are about; those of another program's by what they count from.
 */
enum figure_block {
	BLOCK_NONE,
	BLOCK_FILL,
	BLOCK_WAKEUPS,
	BLOCK_LOSSES,

	BLOCK_NOW,
	BLOCK_WATCHED,		/* since it is watched */
	BLOCK_MAPPED,		/* of the ring mapped now */
	BLOCK_OPENED,		/* since its events were opened */
	BLOCK_MEMORY,

	BLOCK_AUX,
	BLOCK_AUX_HEAD,
	BLOCK_AUX_FILL,
	BLOCK_AUX_RECORDS,
	BLOCK_AUX_STOPS,
};

/* Its place in one of the lists of rings. */
struct figure_column {
	int rank;		/* 0: none; where there is no room those of the
				 * highest rank are left out first, 1 never */
	bool hidden;		/* unless a person asks for it */
	const char *header;	/* where it is not that of the figure, ... */
	int width;		/* ... and so */
};

/*
 * The lists: of the screens, the line of totals above them, and the tables of
 * the text output, which are of 80 columns and leave nothing out.
 */
enum figure_list {
	IN_RINGS, IN_HOST, IN_AUX,
	IN_TOTALS, IN_HOST_TOTALS,
	IN_TEXT, IN_TEXT_AUX, IN_TEXT_HOST,
	FIGURE_LISTS
};

struct figure_info {
	const char *id;		/* of the column, for the rc file: "fill" */
	const char *key;	/* in JSON and csv; NULL: not there */
	const char *header;
	const char *label;	/* in details */
	enum figure_block own;	/* where it stands in those of rbtop's own
				 * rings, ... */
	enum figure_block host;	/* ... and of other programs' */
	bool rounded;		/* a count that details do not need in full */
	const char *help;	/* without a stop at the end */
	const char *metric;	/* what its name ends with; NULL: none */
	bool counter;		/* the metric's type; else a gauge */
	bool rate;		/* over the tick */
	enum figure_kind kind;
	enum figure_unit unit;
	enum figure_bound bound;
	int width;		/* columns in a list; 0: a bar that stretches */
	bool ascending;		/* the useful order when sorted by it */
	bool aux;		/* of the AUX ring */
	bool summed;		/* totals have it */
	bool owned;		/* of rbtop's own rings alone */
	bool foreign;		/* of other programs' alone */
	bool proc;		/* /proc alone tells it */
	bool loss;		/* bad if it is not 0 */
	bool warns;		/* and that is worth a look */
	bool alarms;		/* bad if it is high; but an overwrite ring is
				 * full as a rule */
	struct figure_column in[FIGURE_LISTS];
};

const struct figure_info *figure_info(enum figure figure);

/* By the column's id, case ignored, in that list; FIGURES: there is none. */
enum figure figure_find(const char *id, enum figure_list list);

/* The columns of a list, in its order, into @out; how many there are. */
size_t figure_columns(enum figure_list list, enum figure out[FIGURES]);
/* The header of a column, and how wide it is there. */
const char *figure_header(enum figure figure, enum figure_list list);
int figure_width(enum figure figure, enum figure_list list);

/*
 * The value: of a count or a flag, UNKNOWN; of anything as a number, NAN, by
 * which lists are sorted (a text: its first six bytes); of a text "".
 */
uint64_t figure_count(enum figure figure, const struct ring_row *row);
double figure_number(enum figure figure, const struct ring_row *row);
const char *figure_word(enum figure figure, const struct ring_row *row);

/*
 * Whether the value is a bound, see enum figure_bound: 0 and a share of 1 are
 * exact.
 */
bool figure_is_bound(enum figure figure, const struct ring_row *row);

/* Whether it is known: else none of the above says anything. */
bool figure_is_known(enum figure figure, const struct ring_row *row);

/*
 * As a cell has it, sanitized: "12.3k", ">58%", "-".  Or in full, as details
 * have it: "12345".  Both return @buf.
 */
char *figure_text(enum figure figure, const struct ring_row *row, char *buf,
		  size_t size);
char *figure_exact(enum figure figure, const struct ring_row *row, char *buf,
		   size_t size);

/* <0, 0, >0: ascending, unknown ones last; ties by id. */
int figure_compare(enum figure figure, const struct ring_row *a,
		   const struct ring_row *b);

#endif
