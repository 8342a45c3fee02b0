/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/hot_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 95 % of a normal distribution lie within so many standard deviations. */
#define DEVIATE 1.96

/* Half of Wilson's score interval for a share of @n samples; 0 if @n is 0. */
static double half_interval(double share, double n)
{
	double z2 = DEVIATE * DEVIATE;

	if (n <= 0)
		return 0;
	return DEVIATE * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) /
	       (1 + z2 / n);
}

/* The squares of the weights that shares are computed from. */
static double squares_of(const struct hot_groups *groups,
			 const struct hot_weight *weight)
{
	return groups->by_events ? weight->event_squares : weight->squares;
}

/* The number of equally weighted samples that give the same confidence. */
static double count_of_all(const struct hot_groups *groups)
{
	double all = hot_group_part(groups, &groups->all);
	double squares = squares_of(groups, &groups->all);

	return squares > 0 ? all * all / squares : 0;
}

/*
 * The same for one share.  Each sample either adds its weight w to the share's
 * sum or not, so the variance of a share p of the total W is the sum of
 * w^2 (1 - p)^2 over those that do and of w^2 p^2 over the others, divided by
 * W^2; for n samples of equal weight it is p (1 - p) / n.
 */
static double count_of(const struct hot_groups *groups,
		       const struct hot_weight *part, double share)
{
	double all = hot_group_part(groups, &groups->all);
	double equal = share * (1 - share);
	double variance = squares_of(groups, part) * (1 - 2 * share) +
			  squares_of(groups, &groups->all) * share * share;

	variance /= all * all;
	/* a share of 0 or 1: the rest is a rounding error */
	if (equal < 1e-9 || variance <= 0)
		return count_of_all(groups);
	return equal / variance;
}

/* At most 1: a sum of fractions may exceed the total by a rounding error. */
static double share_of(const struct hot_groups *groups,
		       const struct hot_weight *part)
{
	return fmin(hot_group_part(groups, part) /
		    hot_group_part(groups, &groups->all), 1);
}

static void fill_row(const struct hot_groups *groups, size_t i, bool thinned,
		     bool by_children)
{
	const struct hot_sums *sums = &groups->sums[i];
	const struct hot_weight *part = by_children ? &sums->children :
						      &sums->self;
	struct hot_row *row = &groups->rows[i];
	double share;

	row->samples = sums->self.sum;
	row->self = share_of(groups, &sums->self);
	row->children = share_of(groups, &sums->children);
	share = by_children ? row->children : row->self;
	row->error = thinned ? half_interval(share, count_of(groups, part,
							     share)) : 0;
}

/* A stable order for rows of the same weight. */
static int compare_values(const struct hot_value *a,
			  const struct hot_value *b)
{
	const char *const names[][2] = {
		{ a->name, b->name }, { a->dso, b->dso },
		{ a->comm, b->comm }, { a->field, b->field },
	};
	const int64_t numbers[][2] = {
		{ a->pid, b->pid }, { a->cpu, b->cpu },
		{ a->event, b->event }, { a->kind, b->kind },
	};
	int ret;

	for (int i = 0; i < 4; i++) {
		ret = strcmp(names[i][0] ? names[i][0] : "",
			     names[i][1] ? names[i][1] : "");
		if (ret)
			return ret;
	}
	for (int i = 0; i < 4; i++)
		if (numbers[i][0] != numbers[i][1])
			return numbers[i][0] < numbers[i][1] ? -1 : 1;
	return 0;
}

static int in_order(const void *a, const void *b, void *ctx)
{
	const struct hot_row *x = a, *y = b;
	const struct hot_query *query = ctx;
	double first = query->by_children ? y->children - x->children :
		       y->self - x->self;
	double second = y->self + y->children - x->self - x->children;

	if (query->by_name)
		return compare_values(&x->value, &y->value);
	if (first < 0 || first > 0)
		return first > 0 ? 1 : -1;
	if (second < 0 || second > 0)
		return second > 0 ? 1 : -1;
	return compare_values(&x->value, &y->value);
}

int hot_rows_query(const struct hot *hot, const struct hot_query *query,
		   struct hot_rows *out)
{
	struct hot_groups groups;
	int ret = hot_group(hot, query, &groups);

	*out = (struct hot_rows){ 0 };
	if (ret) {
		hot_groups_free(&groups);
		return ret;
	}
	for (size_t i = 0; i < groups.nr; i++)
		fill_row(&groups, i, hot->thinned, query->by_children);
	if (groups.nr)
		qsort_r(groups.rows, groups.nr, sizeof(*groups.rows), in_order,
			(void *)query);
	*out = (struct hot_rows){
		.rows = groups.rows,
		.nr = groups.nr,
		.left_out = groups.left_out,
		.by_events = groups.by_events,
		.samples = groups.all.sum,
		.decoded = count_of_all(&groups),
	};
	groups.rows = NULL;
	hot_groups_free(&groups);
	return 0;
}

void hot_rows_free(struct hot_rows *rows)
{
	free(rows->rows);
	*rows = (struct hot_rows){ 0 };
}
