/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <string.h>

/* From what a row is narrowed to, on to the next of these. */
static const enum hot_key path[] = {
	HOT_SYMBOL, HOT_COMM, HOT_PID, HOT_CPU, HOT_EVENT,
};

enum { PATH = sizeof(path) / sizeof(path[0]) };

static bool same(unsigned int keys, const struct hot_value *a,
		 const struct hot_value *b)
{
	const bool equal[HOT_KEYS] = {
		[HOT_SYMBOL] = a->name == b->name && a->dso == b->dso &&
			       a->kind == b->kind,
		[HOT_DSO] = a->dso == b->dso,
		[HOT_COMM] = a->comm == b->comm,
		[HOT_PID] = a->pid == b->pid,
		[HOT_CPU] = a->cpu == b->cpu,
		[HOT_EVENT] = a->event == b->event,
		[HOT_FIELD] = a->field == b->field,
	};

	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (keys & 1u << key && !equal[key])
			return false;
	}
	return true;
}

bool hot_order_children(const struct hot_view *v, const struct hot *hot)
{
	return hot->chains && v->view.shell->query.keys &
			      (1u << HOT_SYMBOL | 1u << HOT_DSO);
}

bool hot_order_match(const struct hot_view *v, const struct hot *hot,
		     size_t row, const char *needle)
{
	unsigned int keys = v->view.shell->query.keys;
	char text[256];

	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (keys & 1u << key &&
		    list_match(hot_key_text(hot, (enum hot_key)key,
					      &v->rows.rows[row].value, text,
					      sizeof(text)), needle))
			return true;
	}
	return false;
}

void hot_order_sort(struct hot_view *v, enum hot_sort sort)
{
	struct hot_query *q = &v->view.shell->query;

	q->by_name = sort == HOT_SORT_NAME;
	if (!q->by_name)
		q->by_children = sort == HOT_SORT_CHILDREN;
}

enum hot_sort hot_order_sorted(const struct hot_view *v,
			       const struct hot *hot)
{
	const struct hot_query *q = &v->view.shell->query;

	if (q->by_name)
		return HOT_SORT_NAME;
	return q->by_children && hot_order_children(v, hot) ?
		HOT_SORT_CHILDREN : HOT_SORT_SELF;
}

static void filter(struct hot_view *v, const struct hot *hot)
{
	size_t nr = 0;

	for (size_t i = 0; i < v->rows.nr; i++) {
		if (hot_order_match(v, hot, i, v->filter))
			v->rows.rows[nr++] = v->rows.rows[i];
	}
	v->rows.nr = nr;
}

/* Where the marked row went; the cursor's where it is no more. */
static size_t marked_row(const struct hot_view *v)
{
	unsigned int keys = v->view.shell->query.keys;

	if (!v->placed)
		return 0;
	for (size_t i = 0; i < v->rows.nr; i++) {
		if (same(keys, &v->rows.rows[i].value, &v->mark))
			return i;
	}
	return v->list.cursor;
}

static bool is_current(const struct hot_view *v, const struct hot *hot,
		       const struct hot_query *query)
{
	return !v->stale && v->hot == hot && v->changes == hot->changes &&
	       !memcmp(&v->query, query, sizeof(*query));
}

static double largest(const struct hot_view *v)
{
	double most = 0;

	for (size_t i = 0; i < v->rows.nr; i++) {
		const struct hot_row *row = &v->rows.rows[i];
		double share = v->query.by_children ? row->children :
						      row->self;

		most = share > most ? share : most;
	}
	return most;
}

/* Without memory there are none, until something changes. */
static void make_rows(struct hot_view *v, const struct hot *hot,
		      const struct hot_query *query)
{
	hot_rows_free(&v->rows);
	if (hot_rows_query(hot, query, &v->rows) < 0)
		v->rows = (struct hot_rows){ 0 };
	if (*v->filter)
		filter(v, hot);
	v->hot = hot;
	v->changes = hot->changes;
	v->query = *query;
	v->stale = false;
	v->most = largest(v);
}

void hot_order_update(struct hot_view *v, const struct hot *hot)
{
	size_t line = v->list.cursor - v->list.top, row;
	struct hot_query q = v->view.shell->query;

	q.by_children = q.by_children && hot_order_children(v, hot);
	if (is_current(v, hot, &q))
		return;
	make_rows(v, hot, &q);
	row = marked_row(v);
	/* the cursor stays on its line of the screen */
	v->list.top = row > line ? row - line : 0;
	v->list.cursor = row;
	list_fit(&v->list, v->rows.nr, (int)v->list.page);
}

void hot_order_place(struct hot_view *v, size_t row)
{
	list_set(&v->list, row);
	v->placed = v->list.cursor > 0;
	if (v->list.cursor < v->rows.nr)
		v->mark = v->rows.rows[v->list.cursor].value;
}

/* For list_find(). */
struct looking {
	const struct hot_view *view;
	const struct hot *hot;
};

static bool row_matches(const void *ctx, size_t row)
{
	const struct looking *l = ctx;

	return hot_order_match(l->view, l->hot, row, l->view->search);
}

bool hot_order_seek(struct hot_view *v, const struct hot *hot, size_t from)
{
	struct looking looking = { v, hot };
	size_t row = list_find(&v->list, from, row_matches, &looking);

	if (row != LIST_NONE)
		hot_order_place(v, row);
	return row != LIST_NONE;
}

void hot_order_group(struct hot_view *v, unsigned int keys)
{
	v->view.shell->query.keys = keys;
	v->scroll = 0;
	v->stale = true;
	v->placed = false;
}

/* What is not narrowed to yet; 0 where there is nothing left. */
static unsigned int next_keys(const struct hot_query *q, unsigned int now)
{
	for (unsigned int i = 0; i < q->nr_where; i++)
		now |= 1u << q->where[i].key;
	for (int i = 0; i < PATH; i++) {
		if (now & 1u << path[i])
			continue;
		return path[i] == HOT_SYMBOL ? 1u << HOT_SYMBOL |
					       1u << HOT_DSO : 1u << path[i];
	}
	return 0;
}

const char *hot_order_narrow(struct hot_view *v, const struct hot *hot)
{
	struct hot_query *q = &v->view.shell->query;
	struct hot_step step = { .keys = q->keys, .nr_where = q->nr_where };
	unsigned int next = next_keys(q, q->keys);
	bool anywhere = q->by_children && hot_order_children(v, hot);

	if (v->list.cursor >= v->rows.nr)
		return NULL;
	if (!next)
		return "nothing is left to narrow to";
	hot_order_place(v, v->list.cursor);
	step.mark = v->mark;
	if (v->nr_steps == HOT_WHERES ||
	    !narrow_add(q, hot, q->keys, &step.mark, anywhere))
		return "narrowed as far as it goes";
	v->steps[v->nr_steps++] = step;
	*v->search = *v->filter = '\0';
	hot_order_group(v, next);
	return NULL;
}

bool hot_order_widen(struct hot_view *v)
{
	const struct hot_step *step;

	if (!v->nr_steps)
		return false;
	step = &v->steps[--v->nr_steps];
	v->view.shell->query.nr_where = step->nr_where;
	hot_order_group(v, step->keys);
	v->mark = step->mark;	/* back to the row that it was entered by */
	v->placed = true;
	return true;
}
