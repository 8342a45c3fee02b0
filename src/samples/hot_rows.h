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

#include "samples/hot_query.h"

enum { HOT_MAX_ROWS = 32768 };

struct hot_row {
	struct hot_value value;
	enum symbol_kind kind;	/* of a symbol */
	double self;		/* share of the samples selected, 0..1 */
	double children;	/* the same, including its callees */
	double error;		/* half the 95 % confidence interval of the
				 * share it is sorted by; 0 unless thinned */
	double samples;		/* self, in samples */
};

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

/* hot_group.c: the rows before they are sorted, with their sums. */

struct hot_sums {
	struct hot_weight self, children;
};

struct hot_groups {
	struct hot_row *rows;	/* only values and kinds are set */
	struct hot_sums *sums;	/* of each row */
	size_t nr;
	size_t left_out;	/* rows of less weight, beyond HOT_MAX_ROWS */
	struct hot_weight all;	/* of the samples selected */
	bool by_events;		/* shares are of events, else of samples */
};

/* The part of @weight that shares are computed from: events or samples. */
static inline double hot_group_part(const struct hot_groups *groups,
				    const struct hot_weight *weight)
{
	return groups->by_events ? weight->events : weight->sum;
}

/*
 * Group the samples that @query selects into rows, at most HOT_MAX_ROWS, the
 * heaviest.  0 or -ENOMEM; call hot_groups_free() in both cases.
 */
int hot_group(const struct hot *hot, const struct hot_query *query,
	      struct hot_groups *out);
void hot_groups_free(struct hot_groups *groups);

#endif
