/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of a ring.  Each is a row of figures.def, from which everything
 * that shows or writes it follows.  A value is a count (exact, 64 bits), a
 * number, a flag or a text.  An unknown value is "-", null, or left out.
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

/* How a number is formatted. */
enum figure_unit {
	UNIT_PLAIN,		/* an id: all digits */
	UNIT_COUNT,		/* "12.3k" */
	UNIT_BYTES,		/* "1.5M" */
	UNIT_RING,		/* the same, or pages: units_ring_size() */
	UNIT_SHARE,		/* "41%" */
	UNIT_SECONDS,		/* "12us" */
};

/* Whether the value is a bound, and how that is written. */
enum figure_bound {
	BOUND_NONE,
	BOUND_SEEN,		/* ">12": another program's ring, which is
				 * sampled, not watched continuously */
	BOUND_LAST,		/* ">12": another program's ring that is gone:
				 * what came after the last reading is
				 * missing */
	BOUND_ROUNDS,		/* "12+": AUX snapshot mode: wraps between two
				 * stops of tracing are not counted */
};

/*
 * Sections of a ring's details.  For rbtop's own rings they are by subject, for
 * other programs' rings by the time from which the figures count.
 */
enum figure_block {
	BLOCK_NONE,
	BLOCK_FILL,
	BLOCK_WAKEUPS,
	BLOCK_LOSSES,

	BLOCK_NOW,
	BLOCK_WATCHED,		/* since the ring was first seen */
	BLOCK_MAPPED,		/* of the present mapping */
	BLOCK_OPENED,		/* since its events were opened */
	BLOCK_MEMORY,

	BLOCK_AUX,
	BLOCK_AUX_HEAD,
	BLOCK_AUX_FILL,
	BLOCK_AUX_RECORDS,
	BLOCK_AUX_STOPS,
};

/* Place in one of the lists of rings. */
struct figure_column {
	int rank;		/* 0: not in the list; if the list is too wide,
				 * columns of the highest rank are left out
				 * first, rank 1 never */
	bool hidden;		/* hidden unless the user adds it in setup */
	const char *header;	/* NULL: that of the figure */
	int width;		/* 0: that of the figure */
};

/*
 * The lists: three screens, the lines of totals above them, and the tables of
 * the text output, which are 80 columns wide and show all of their columns.
 */
enum figure_list {
	IN_RINGS, IN_HOST, IN_AUX,
	IN_TOTALS, IN_HOST_TOTALS,
	IN_TEXT, IN_TEXT_AUX, IN_TEXT_HOST,
	FIGURE_LISTS
};

struct figure_info {
	const char *id;		/* column id in the rc file: "fill" */
	const char *key;	/* key in JSON and csv; NULL: not written
				 * there */
	const char *header;
	const char *label;	/* label in details */
	enum figure_block own;	/* section in the details of rbtop's own
				 * rings */
	enum figure_block host;	/* section in those of other programs' rings */
	bool rounded;		/* details show it rounded */
	const char *help;	/* without a full stop at the end */
	const char *metric;	/* end of the metric's name; NULL: no metric */
	bool counter;		/* the metric is a counter; else a gauge */
	bool rate;		/* computed over the tick */
	enum figure_kind kind;
	enum figure_unit unit;
	enum figure_bound bound;
	int width;		/* columns in a list; 0: a bar that stretches */
	bool ascending;		/* natural sort order */
	bool aux;		/* of the AUX ring */
	bool summed;		/* shown in the line of totals */
	bool owned;		/* only of rbtop's own rings */
	bool foreign;		/* only of other programs' rings */
	bool proc;		/* known from /proc alone, without BPF */
	bool loss;		/* an error if it is not 0 and grows */
	bool warns;		/* a warning if it is not 0 */
	bool alarms;		/* an error if it is high, except in an
				 * overwrite ring, which is normally full */
	struct figure_column in[FIGURE_LISTS];
};

const struct figure_info *figure_info(enum figure figure);

/* Find a figure of @list by column id, case ignored; FIGURES: not found. */
enum figure figure_find(const char *id, enum figure_list list);

/* Store the columns of @list, in order, in @out.  Returns their number. */
size_t figure_columns(enum figure_list list, enum figure out[FIGURES]);
/* Header and width of a column in @list. */
const char *figure_header(enum figure figure, enum figure_list list);
int figure_width(enum figure figure, enum figure_list list);

/*
 * The value.  An unknown count or flag is UNKNOWN, an unknown number NAN, an
 * unknown text "". figure_number() works for all kinds and is what lists are
 * sorted by; of a text it is made of the first six bytes.
 */
uint64_t figure_count(enum figure figure, const struct ring_row *row);
double figure_number(enum figure figure, const struct ring_row *row);
const char *figure_word(enum figure figure, const struct ring_row *row);

/*
 * Whether the value is a bound, see enum figure_bound.  0 and a share of 1 are
 * exact.
 */
bool figure_is_bound(enum figure figure, const struct ring_row *row);

/* Whether the value is known; if not, the functions above return no value. */
bool figure_is_known(enum figure figure, const struct ring_row *row);

/* How bad a value is. */
enum figure_alarm {
	FIGURE_CALM,
	FIGURE_PAST,		/* a loss, but nothing is being lost now */
	FIGURE_WARNS,
	FIGURE_LOSING,		/* a loss that grows */
	FIGURE_HIGH,		/* a fill near the size */
};
enum figure_alarm figure_alarm(enum figure figure, const struct ring_row *row);

/*
 * The value as in a cell, sanitized: "12.3k", ">58%", "-"; figure_exact(): in
 * full, as in details: "12345".  Both return @buf.
 */
char *figure_text(enum figure figure, const struct ring_row *row, char *buf,
		  size_t size);
char *figure_exact(enum figure figure, const struct ring_row *row, char *buf,
		   size_t size);

/* <0, 0 or >0 for ascending order; unknown values sort last. */
int figure_compare(enum figure figure, const struct ring_row *a,
		   const struct ring_row *b);

#endif
