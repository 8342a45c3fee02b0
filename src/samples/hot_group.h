/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums that a hot query's rows are made of: see hot_query.h. */
#ifndef RBTOP_SAMPLES_HOT_GROUP_H
#define RBTOP_SAMPLES_HOT_GROUP_H

#include <stddef.h>

#include "samples/hot_query.h"

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
