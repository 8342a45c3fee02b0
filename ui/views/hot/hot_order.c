/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <string.h>

#include "base/text.h"

/* After narrowing, rows are grouped by the next of these keys. */
static const enum hot_key path[] = {
	HOT_SYMBOL, HOT_COMM, HOT_PID, HOT_CPU, HOT_EVENT,
};

enum { PATH = sizeof(path) / sizeof(path[0]) };

bool hot_order_children(const struct hot_view *v, const struct hot *hot)
{
	return hot->chains && v->list.view.shell->query.keys &
			      (1u << HOT_SYMBOL | 1u << HOT_DSO);
}

/* FNV-1a: the values that identify a row take more than 64 bits. */
static uint64_t hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	return hash;
}

/* The id of a row: a hash of its values of @keys.  Equal names are the same
 * pointer as long as samples are decoded, except for values of fields. */
static uint64_t id_of(unsigned int keys, const struct hot_value *value)
{
	const char *field = value->field ? value->field : "";
	const struct {
		const void *data;
		size_t size;
	} parts[HOT_KEYS] = {
		[HOT_SYMBOL] = { &value->name, sizeof(value->name) },
		[HOT_DSO] = { &value->dso, sizeof(value->dso) },
		[HOT_COMM] = { &value->comm, sizeof(value->comm) },
		[HOT_PID] = { &value->pid, sizeof(value->pid) },
		[HOT_CPU] = { &value->cpu, sizeof(value->cpu) },
		[HOT_EVENT] = { &value->event, sizeof(value->event) },
		[HOT_FIELD] = { field, strlen(field) },
	};
	uint64_t id = 0xcbf29ce484222325;

	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (keys & 1u << key)
			id = hash(id, parts[key].data, parts[key].size);
	}
	return keys & 1u << HOT_SYMBOL ?
		hash(id, &value->kind, sizeof(value->kind)) : id;
}

size_t hot_order_nr(const struct listing *l)
{
	return ((const struct hot_view *)(const void *)l)->rows.nr;
}

const void *hot_order_at(const struct listing *l, size_t i)
{
	return &((const struct hot_view *)(const void *)l)->rows.rows[i];
}

uint64_t hot_order_id(const struct listing *l, const void *row)
{
	const struct hot_view *v = (const void *)l;
	const struct hot_row *r = row;

	return id_of(v->query.keys, &r->value);
}

bool hot_order_match(const struct listing *l, const void *row,
		     const char *needle)
{
	const struct hot_view *v = (const void *)l;
	const struct hot_row *r = row;

	return hot_key_match(l->frame->samples->hot, v->query.keys, &r->value,
			     needle);
}

/* Takes effect with the next query; the number of all rows is not known. */
void hot_order_filter(struct listing *l, const char *text, bool final)
{
	(void)final;
	text_copy(l->filter, sizeof(l->filter), text);
	l->all = LIST_NONE;
}

void hot_order_sorted(struct listing *l)
{
	struct hot_query *q = &l->view.shell->query;

	q->by_name = l->sort == HOT_SORT_NAME;
	if (!q->by_name)
		q->by_children = l->sort == HOT_SORT_CHILDREN;
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

/* If out of memory there are no rows until something changes. */
static void make_rows(struct hot_view *v, const struct hot *hot,
		      const struct hot_query *query)
{
	hot_rows_free(&v->rows);
	if (hot_rows_query(hot, query, &v->rows) < 0)
		v->rows = (struct hot_rows){ 0 };
	v->hot = hot;
	v->changes = hot->changes;
	v->query = *query;
	v->most = largest(v);
}

static bool is_current(const struct hot_view *v, const struct hot *hot,
		       const struct hot_query *query)
{
	return v->hot == hot && v->changes == hot->changes &&
	       !memcmp(&v->query, query, sizeof(*query));
}

void hot_order_update(struct listing *l)
{
	struct hot_view *v = (struct hot_view *)(void *)l;
	const struct hot *hot = l->frame->samples ? l->frame->samples->hot :
						    NULL;
	struct hot_query q = l->view.shell->query;

	if (!hot) {
		hot_rows_free(&v->rows);
		v->hot = NULL;
		return;
	}
	q.by_children = q.by_children && hot_order_children(v, hot);
	l->sort = q.by_name ? HOT_SORT_NAME :
		  q.by_children ? HOT_SORT_CHILDREN : HOT_SORT_SELF;
	text_copy(q.filter, sizeof(q.filter), l->filter);
	if (!is_current(v, hot, &q))
		make_rows(v, hot, &q);
}

void hot_order_group(struct hot_view *v, unsigned int keys)
{
	v->list.view.shell->query.keys = keys;
	v->list.text_scroll = 0;
	listing_leave(&v->list);
}

/* The next keys of path[] that are neither in @now nor narrowed to; 0: none. */
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

const char *hot_order_narrow(struct hot_view *v, const struct hot *hot,
			     const struct hot_row *row)
{
	struct hot_query *q = &v->list.view.shell->query;
	const struct hot_value *value = &row->value;
	struct hot_step step = { .keys = q->keys, .nr_where = q->nr_where,
				 .id = id_of(q->keys, value) };
	const struct samples *samples = v->list.frame->samples;
	/* of tracepoints without callchains the symbol is always the same */
	unsigned int useless = samples->group ? 1u << HOT_SYMBOL : 0;
	unsigned int next = next_keys(q, q->keys | useless);
	bool anywhere = q->by_children && hot_order_children(v, hot);

	if (!next)
		return "nothing is left to narrow to";
	if (v->nr_steps == HOT_WHERES ||
	    !narrow_add(q, hot, q->keys, value, anywhere))
		return "narrowed as far as it goes";
	v->steps[v->nr_steps++] = step;
	*v->list.search = *v->list.filter = *v->list.typed = '\0';
	hot_order_group(v, next);
	return NULL;
}

bool hot_order_widen(struct hot_view *v)
{
	const struct hot_step *step;

	if (!v->nr_steps)
		return false;
	step = &v->steps[--v->nr_steps];
	v->list.view.shell->query.nr_where = step->nr_where;
	hot_order_group(v, step->keys);
	/* back to the row that was narrowed to */
	listing_go_to(&v->list, step->id);
	return true;
}
