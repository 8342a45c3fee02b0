/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a table, without their order, and the sums they are made of. */
#ifndef RBTOP_SAMPLES_HOT_GROUP_H
#define RBTOP_SAMPLES_HOT_GROUP_H

#include <stddef.h>

#include "samples/hot_query.h"

enum { HOT_MAX_ROWS = 32768 };

struct hot_row {
	struct hot_value value;
	enum symbol_kind kind;	/* of a symbol */
	double self;		/* share of what is narrowed to, 0..1 */
	double children;	/* the same with what it calls */
	double error;		/* half the 95 % interval of the share it is
				 * sorted by; 0 unless thinned */
	double samples;		/* self, in samples */
	double samples_children;
};

struct hot_sums {
	struct hot_weight self, children;
};

struct hot_groups {
	struct hot_row *rows;	/* values and kinds alone, in no order */
	struct hot_sums *sums;	/* of each row */
	size_t nr;
	size_t left_out;	/* those that weigh less than these */
	struct hot_weight all;	/* of the samples narrowed to */
	bool by_events;		/* shares are of events, else of samples */
};

/* Of a weight, what shares are made of. */
static inline double hot_group_part(const struct hot_groups *groups,
				    const struct hot_weight *weight)
{
	return groups->by_events ? weight->events : weight->sum;
}

/*
 * No more than HOT_MAX_ROWS, the heaviest.  0 or -ENOMEM; hot_groups_free()
 * either way.
 */
int hot_group(const struct hot *hot, const struct hot_query *query,
	      struct hot_groups *out);
void hot_groups_free(struct hot_groups *groups);

#endif
