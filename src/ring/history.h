/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The past values of a figure, one per tick, for charts.  The latest
 * HISTORY_LEN are kept one by one; those before them are merged into as many
 * buckets of HISTORY_MERGED ticks, those before them into buckets of
 * HISTORY_MERGED buckets, and so on.  What no level holds is dropped: the memory
 * does not depend on time.  A bucket is the largest of its values, so that no
 * peak and no loss is averaged away, or their mean.  NAN: unknown.
 */
#ifndef RBTOP_RING_HISTORY_H
#define RBTOP_RING_HISTORY_H

#include <stddef.h>
#include <stdint.h>

enum {
	HISTORY_LEN = 120,	/* ticks kept one by one */
	HISTORY_MERGED = 4,	/* ticks, or smaller buckets, in a bucket */
	HISTORY_LEVELS = 5,
	/* the ticks that are held, at least */
	HISTORY_TICKS = HISTORY_LEN * (1 + 4 + 16 + 64 + 256) - 256,
};

enum history_merge {
	HISTORY_MAX,		/* the largest known value of several */
	HISTORY_MEAN,		/* the mean of those known */
};

/* Zeroed it is empty, and of HISTORY_MAX. */
struct history {
	enum history_merge merge;
	/* values in the last bucket of each level that are known */
	uint32_t known[HISTORY_LEVELS];
	uint64_t nr;		/* ticks ever added */
	/* by number of tick, or of bucket */
	float values[HISTORY_LEVELS][HISTORY_LEN];
};

/* Add the latest value; the oldest is merged or dropped. */
void history_push(struct history *h, double value);

/* The value @age ticks ago (0: the latest), of its bucket if it is merged; NAN
 * if there is none. */
double history_at(const struct history *h, size_t age);

/* The largest of the latest @nr values, 0 when there are none. */
double history_max(const struct history *h, size_t nr);

/*
 * Set @values to the latest @nr columns of a chart, the newest last, NAN where
 * nothing is known.  A column is of @step ticks; the newest may be of fewer:
 * columns begin at multiples of @step, so that no tick changes its column.
 */
void history_columns(const struct history *h, unsigned int step, size_t nr,
		     double *values);

/*
 * The seconds that these columns take, where the values of @h are the lengths
 * of ticks; ticks that are not held count as the mean of the others.  0:
 * unknown.
 */
double history_span(const struct history *h, unsigned int step, size_t nr);

#endif
