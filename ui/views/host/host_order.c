/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What comparing two of its rows needs. */
struct sorting {
	const struct host_view *v;
	const struct host *host;
};

static int by_number(double x, double y)
{
	return x < y ? -1 : x > y;
}

/* By whole percents: rings that look alike on screen do not change places.  An
 * overwrite ring is full as a rule: nothing is wrong with it. */
static double share_key(const struct ring_row *row, double share)
{
	return row->overwrite || isnan(share) ? 0 : floor(share * 100);
}

static double warning_key(const struct ring_row *row)
{
	double worst = figure_number(FIGURE_WARN, row);

	return row->warnings && !isnan(worst) ? worst : -1;
}

/* Whether anything is lost, rather than may be. */
static bool is_bad(const struct ring_row *row)
{
	return host_alarm_role(row->warnings) == ROLE_BAD;
}

/* Largest first: of warned rows the worst, then what is fullest. */
static int compare_worst(const struct ring_row *x, const struct ring_row *y)
{
	int by = is_bad(y) - is_bad(x);

	if (!by)
		by = by_number(warning_key(y), warning_key(x));
	if (!by)	/* rbtop drains its own */
		by = x->self - y->self;
	if (!by)
		by = by_number(share_key(y, y->peak_tick),
			       share_key(x, x->peak_tick));
	if (!by)
		by = by_number(share_key(y, y->fill), share_key(x, x->fill));
	return by;
}

/* What is unknown comes last, whatever the direction. */
static int compare_column(const struct host_view *v, const struct ring_row *x,
			  const struct ring_row *y)
{
	bool unknown_x = !figure_is_known(v->sort, x);
	bool unknown_y = !figure_is_known(v->sort, y);
	bool down = figure_info(v->sort)->ascending == v->invert;

	if (unknown_x != unknown_y)
		return unknown_x ? 1 : -1;
	return down ? figure_compare(v->sort, y, x) :
		      figure_compare(v->sort, x, y);
}

/* Rows that are gone are at the bottom in any order. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct sorting *s = ctx;
	const struct ring_row *x = &s->host->rows[*(const size_t *)a];
	const struct ring_row *y = &s->host->rows[*(const size_t *)b];
	int by = x->gone - y->gone;

	if (!by && s->v->worst)
		by = s->v->invert ? compare_worst(y, x) : compare_worst(x, y);
	else if (!by && s->v->sort < FIGURES)
		by = compare_column(s->v, x, y);
	if (!by)
		by = x->id < y->id ? -1 : x->id > y->id;
	return by;
}

/* Room for @nr rows; keeps what there is when out of memory. */
static void reserve(struct host_view *v, size_t nr)
{
	size_t *order;

	if (nr <= v->capacity)
		return;
	order = reallocarray(v->order, nr, sizeof(*order));
	if (!order)
		return;
	v->order = order;
	v->capacity = nr;
}

bool host_order_match(const struct ring_row *row, const char *needle)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)row->pid);
	return list_match(row->comm, needle) ||
	       list_match(row->event, needle) ||
	       list_match(row->label, needle) ||
	       list_match(row->user, needle) ||
	       list_match(row->map, needle) ||
	       (row->pid >= 0 && list_match(pid, needle));
}

size_t host_order_line(const struct host_view *v, const struct host *host,
		       uint64_t id)
{
	for (size_t i = 0; i < v->nr_order; i++) {
		if (host->rows[v->order[i]].id == id)
			return i;
	}
	return LIST_NONE;
}

/* After sorting: the cursor goes where its row went. */
static void follow(struct host_view *v, const struct host *host)
{
	size_t line = v->placed ? host_order_line(v, host, v->current) : 0;

	v->list.nr = v->nr_order;
	list_set(&v->list, line == LIST_NONE ? v->list.cursor : line);
	v->current = v->nr_order ? host->rows[v->order[v->list.cursor]].id : 0;
}

void host_order_update(struct host_view *v, const struct host *host)
{
	struct sorting sorting = { .v = v, .host = host };
	size_t nr = host->nr_rows;

	reserve(v, nr);
	if (nr > v->capacity)
		nr = v->capacity;
	v->nr_order = 0;
	for (size_t i = 0; i < nr; i++) {
		if (host_order_match(&host->rows[i], v->filter))
			v->order[v->nr_order++] = i;
	}
	if (v->nr_order)
		qsort_r(v->order, v->nr_order, sizeof(*v->order), compare_rows,
			&sorting);
	follow(v, host);
}

static bool seek_matches(const void *ctx, size_t line)
{
	const struct sorting *s = ctx;

	return host_order_match(&s->host->rows[s->v->order[line]],
				s->v->search);
}

bool host_order_seek(struct host_view *v, const struct host *host, size_t from)
{
	struct sorting sorting = { .v = v, .host = host };
	size_t line = list_find(&v->list, from, seek_matches, &sorting);

	if (line != LIST_NONE)
		host_order_place(v, host, line);
	return line != LIST_NONE;
}

void host_order_place(struct host_view *v, const struct host *host,
		      size_t line)
{
	list_set(&v->list, line);
	if (!v->nr_order)
		return;
	v->current = host->rows[v->order[v->list.cursor]].id;
	v->placed = true;
}

void host_order_keep(struct host_view *v, const struct host *host)
{
	uint64_t *listed = reallocarray(v->listed, v->nr_order,
					sizeof(*listed));

	v->view.shell->nr_listed = 0;
	if (!listed)	/* the detail then has no neighbours */
		return;
	for (size_t i = 0; i < v->nr_order; i++)
		listed[i] = host->rows[v->order[i]].id;
	v->view.shell->listed = v->listed = listed;
	v->view.shell->nr_listed = v->nr_order;
}

void host_order_by(struct host_view *v, enum figure column)
{
	v->invert = v->sort == column && !v->worst && !v->invert;
	v->sort = column;
	v->worst = false;
}
