/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/hot_query.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Keys and their values. */

#define HOT_KEY(id, name, header, width, help) { name, header, width, help },
static const struct hot_key_info infos[HOT_KEYS] = {
#include "samples/hot_keys.def"
};
#undef HOT_KEY

const struct hot_key_info *hot_key_info(enum hot_key key)
{
	return &infos[key];
}

static void number_text(int number, char *buf, size_t size)
{
	if (number == HOT_MERGED_ID)
		text_copy(buf, size, HOT_MERGED);
	else if (number < 0)
		text_copy(buf, size, "-");
	else
		snprintf(buf, size, "%d", number);
}

/* NULL if the value is a number. */
static const char *value_name(const struct hot *hot, enum hot_key key,
			      const struct hot_value *value)
{
	switch (key) {
	case HOT_SYMBOL:
		return value->name;
	case HOT_DSO:
		return value->dso;
	case HOT_COMM:
		return value->comm;
	case HOT_EVENT:
		return value->event < hot->nr_events ?
		       hot->events[value->event] : NULL;
	case HOT_FIELD:
		return value->field;
	default:
		return NULL;
	}
}

char *hot_key_text(const struct hot *hot, enum hot_key key,
		   const struct hot_value *value, char *buf, size_t size)
{
	const char *name = value_name(hot, key, value);

	if (key == HOT_PID)
		number_text(value->pid, buf, size);
	else if (key == HOT_CPU)
		number_text(value->cpu, buf, size);
	else
		text_copy(buf, size, name && *name ? name : "-");
	return buf;
}

bool hot_key_match(const struct hot *hot, unsigned int keys,
		   const struct hot_value *value, const char *needle)
{
	char text[1024];

	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (keys & 1u << key &&
		    strcasestr(hot_key_text(hot, (enum hot_key)key, value,
					    text, sizeof(text)), needle))
			return true;
	}
	return false;
}

static bool frame_matches(const struct hot_symbol *symbol,
			  const struct hot_where *where)
{
	const struct hot_value *value = &where->value;

	if (symbol->dso != value->dso)
		return false;
	return where->key == HOT_DSO || (symbol->name == value->name &&
					 symbol->kind == value->kind);
}

static bool cell_matches(const struct hot_cell *cell,
			 const struct hot_where *where)
{
	const struct hot_value *value = &where->value;

	switch (where->key) {
	case HOT_COMM:
		return cell->comm == value->comm;
	case HOT_PID:
		return cell->pid == value->pid;
	case HOT_CPU:
		return cell->cpu == value->cpu;
	case HOT_EVENT:
		return cell->event == value->event;
	case HOT_FIELD:
		return strcmp(cell->field, where->field) == 0;
	default:
		return true;	/* depends on frames: see frames_match() */
	}
}

const char *hot_part_name(enum hot_part part)
{
	static const char *const names[HOT_PARTS] = {
		[HOT_BUSY] = "without idle",
		[HOT_USER] = "user only",
		[HOT_KERNEL] = "kernel only, without idle",
	};

	return names[part];
}

/* The idle task has pid 0; its samples, and others, are where they stopped. */
static bool is_part(const struct hot *hot, enum hot_part part,
		    const struct hot_cell *cell)
{
	enum symbol_kind kind =
		hot->symbols[hot->nodes[cell->node].symbol].kind;

	switch (part) {
	case HOT_BUSY:
		return cell->pid != 0;
	case HOT_USER:
		/* addresses in no known mapping were in user space, too */
		return kind == SYMBOL_USER || kind == SYMBOL_JIT ||
		       (kind == SYMBOL_UNKNOWN && cell->pid != 0);
	case HOT_KERNEL:
		return kind == SYMBOL_KERNEL && cell->pid != 0;
	default:
		return true;
	}
}

/* Clear @match of the cells whose frames do not match @where. */
static int frames_match(const struct hot *hot, const struct hot_where *where,
			bool *match)
{
	bool *node = calloc((size_t)hot->nr_nodes + 1, sizeof(*node));

	if (!node)
		return -ENOMEM;
	for (uint32_t i = 0; i < hot->nr_nodes; i++) {
		const struct hot_node *n = &hot->nodes[i];

		node[i] = frame_matches(&hot->symbols[n->symbol], where) ||
			  (where->anywhere && n->parent != HOT_NONE &&
			   node[n->parent]);
	}
	for (uint32_t i = 0; i < hot->nr_cells; i++)
		match[i] = match[i] && node[hot->cells[i].node];
	free(node);
	return 0;
}

/* Set @match of the cells that have a weight and are selected. */
static int match_cells(const struct hot *hot, const struct hot_query *query,
		       bool *match)
{
	bool by_field = query->keys & 1u << HOT_FIELD;
	const struct hot_where *where;
	int ret = 0;

	for (uint32_t i = 0; i < hot->nr_cells; i++)
		match[i] = hot_query_weight(query, &hot->cells[i])->sum > 0 &&
			   (!by_field || *hot->cells[i].field) &&
			   is_part(hot, query->part, &hot->cells[i]);
	for (unsigned int w = 0; w < query->nr_where && ret == 0; w++) {
		where = &query->where[w];
		for (uint32_t i = 0; i < hot->nr_cells; i++)
			match[i] = match[i] &&
				   cell_matches(&hot->cells[i], where);
		if (where->key == HOT_SYMBOL || where->key == HOT_DSO)
			ret = frames_match(hot, where, match);
	}
	return ret;
}

static bool are_by_events(const struct hot *hot, const struct hot_query *query,
			  const uint32_t *cells, uint32_t nr)
{
	uint32_t event = HOT_NONE;
	double events = 0;

	for (uint32_t i = 0; i < nr; i++) {
		const struct hot_cell *cell = &hot->cells[cells[i]];

		if (event != HOT_NONE && event != cell->event)
			return false;
		event = cell->event;
		events += hot_query_weight(query, cell)->events;
	}
	return events > 0 && strcmp(hot->events[event], HOT_MERGED) != 0;
}

int hot_query_cells(const struct hot *hot, const struct hot_query *query,
		    uint32_t *cells, uint32_t *nr, bool *by_events)
{
	bool *match = calloc((size_t)hot->nr_cells + 1, sizeof(*match));
	int ret = match ? match_cells(hot, query, match) : -ENOMEM;

	*nr = 0;
	for (uint32_t i = 0; ret == 0 && i < hot->nr_cells; i++)
		if (match[i])
			cells[(*nr)++] = i;
	free(match);
	*by_events = are_by_events(hot, query, cells, *nr);
	return ret;
}

/* Rows made of the groups: their shares, in order. */

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
