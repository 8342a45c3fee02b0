/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows made from the hot table: samples selected, grouped and sorted.
 *
 * If all samples are of one event, shares are of events: the weight of a sample
 * is its period, as in perf-report(1).  Counts of different events cannot be
 * added, so otherwise shares are of samples.
 */
#ifndef RBTOP_SAMPLES_HOT_ROWS_H
#define RBTOP_SAMPLES_HOT_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "samples/hot_group.h"

struct hot_rows {
	struct hot_row *rows;	/* the heaviest first, or by name */
	size_t nr;
	size_t left_out;	/* lighter ones, beyond HOT_MAX_ROWS */
	bool by_events;		/* shares are of events, else of samples */
	double samples;		/* selected */
	double decoded;		/* effective number for the confidence: those
				 * decoded, if all have the same weight */
};

/* Fill @out; free it with hot_rows_free().  0 or -ENOMEM. */
int hot_rows_query(const struct hot *hot, const struct hot_query *query,
		   struct hot_rows *out);
void hot_rows_free(struct hot_rows *rows);

#endif
