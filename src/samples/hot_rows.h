/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables made of what the hot table counted: grouped, narrowed, sorted.
 *
 * Shares are of events where the samples are all of one event: a sample then
 * weighs as much as its period, as in perf-report(1).  Events of several kinds
 * cannot be added up, so shares are of samples then.
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
	double samples;		/* narrowed to */
	double decoded;		/* how many of them count for the confidence:
				 * those looked at, if all weigh the same */
};

/* 0 or -ENOMEM.  Free with hot_rows_free. */
int hot_rows_query(const struct hot *hot, const struct hot_query *query,
		   struct hot_rows *out);
void hot_rows_free(struct hot_rows *rows);

#endif
