/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/rings/rings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_rows(const void *a, const void *b)
{
	const struct rings_row *x = a, *y = b;

	for (size_t i = 0; i < 3; i++) {
		if (x->keys[i] != y->keys[i])
			return x->keys[i] < y->keys[i] ? -1 : 1;
	}
	return x->ring < y->ring ? -1 : x->ring > y->ring;
}

/* Largest first; what is unknown comes last, whatever the direction. */
static double key_of(double value, bool descending)
{
	if (isnan(value))
		return INFINITY;
	return descending ? -value : value;
}

/* By whole percents: rings that look alike on screen do not change places. */
static double share_key(double share)
{
	return key_of(floor(share * 100), true);
}

static void set_worst_keys(struct rings_row *row, const struct ring_row *r)
{
	row->keys[0] = key_of(r->lost_per_s, true);
	/* an overwrite ring is full as a rule: nothing is wrong with it */
	row->keys[1] = r->overwrite ? 0 : share_key(r->peak_tick);
	row->keys[2] = r->overwrite ? 0 : share_key(r->fill);
}

static void set_keys(const struct rings_view *v, struct rings_row *row,
		     const struct ring_row *r)
{
	const struct config *config = v->view.shell->config;
	enum figure sort = config->sort;

	memset(row->keys, 0, sizeof(row->keys));
	if (v->worst)
		set_worst_keys(row, r);
	else if (sort < FIGURES)
		row->keys[0] = key_of(figure_number(sort, r),
				      figure_info(sort)->ascending ==
					      config->invert);
	else if (config->invert)
		row->keys[0] = -(double)row->ring;
}

/* Room for @nr rings; keeps what there is when out of memory. */
static void reserve(struct rings_view *v, size_t nr)
{
	struct rings_row *order;

	if (nr <= v->capacity || !tags_reserve(&v->tags, nr))
		return;
	order = reallocarray(v->order, nr, sizeof(*order));
	if (!order)
		return;
	v->order = order;
	v->capacity = nr;
}

bool rings_order_match(const struct ring_row *ring, const char *needle)
{
	return list_match(ring->label, needle) ||
	       list_match(ring->comm, needle);
}

static size_t row_of(const struct rings_view *v, size_t ring)
{
	for (size_t i = 0; i < v->nr_order; i++) {
		if (v->order[i].ring == ring)
			return i;
	}
	return LIST_NONE;
}

/* After sorting: the cursor goes where its ring went. */
static void follow(struct rings_view *v)
{
	size_t row = v->placed ? row_of(v, v->current) : 0;

	v->list.nr = v->nr_order;
	list_set(&v->list, row == LIST_NONE ? v->list.cursor : row);
	v->current = v->nr_order ? v->order[v->list.cursor].ring : LIST_NONE;
}

void rings_order_update(struct rings_view *v, const struct frame *frame)
{
	size_t nr = frame->nr_rings;

	reserve(v, nr);
	if (nr > v->capacity)
		nr = v->capacity;
	v->nr_order = 0;
	for (size_t i = 0; i < nr; i++) {
		const struct ring_row *r = &frame->rings[i];
		struct rings_row *row = &v->order[v->nr_order];

		/* the map shows all rings, where they always stand */
		if (!v->map && !rings_order_match(r, v->filter))
			continue;
		row->ring = i;
		if (v->map)
			memset(row->keys, 0, sizeof(row->keys));
		else
			set_keys(v, row, r);
		v->nr_order++;
	}
	if (v->nr_order)
		qsort(v->order, v->nr_order, sizeof(*v->order), compare_rows);
	follow(v);
}

struct seek {
	const struct rings_view *v;
	const struct frame *frame;
};

static bool seek_matches(const void *ctx, size_t row)
{
	const struct seek *s = ctx;
	size_t ring = s->v->order[row].ring;

	return ring < s->frame->nr_rings &&
	       rings_order_match(&s->frame->rings[ring], s->v->search);
}

bool rings_order_seek(struct rings_view *v, const struct frame *frame,
		      size_t from)
{
	struct seek seek = { .v = v, .frame = frame };
	size_t row = list_find(&v->list, from, seek_matches, &seek);

	if (row != LIST_NONE)
		rings_order_place(v, row);
	return row != LIST_NONE;
}

void rings_order_place(struct rings_view *v, size_t row)
{
	list_set(&v->list, row);
	if (!v->nr_order)
		return;
	v->current = v->order[v->list.cursor].ring;
	v->placed = true;
}

void rings_order_by(struct rings_view *v, enum figure column)
{
	struct config *config = v->view.shell->config;

	config->invert = config->sort == column && !v->worst &&
			 !config->invert;
	config->sort = column;
	v->worst = false;
}

size_t rings_order_worst(const struct frame *frame, const char *filter,
			 size_t *rings, size_t max)
{
	struct rings_row row, best[RINGS_WORST];
	size_t nr = 0, at;

	if (max > RINGS_WORST)
		max = RINGS_WORST;
	for (size_t i = 0; i < frame->nr_rings && max; i++) {
		if (!rings_order_match(&frame->rings[i], filter))
			continue;
		row.ring = i;
		set_worst_keys(&row, &frame->rings[i]);
		for (at = nr; at && compare_rows(&row, &best[at - 1]) < 0; at--)
			if (at < max)
				best[at] = best[at - 1];
		if (at < max)
			best[at] = row;
		if (nr < max)
			nr++;
	}
	for (size_t i = 0; i < nr; i++)
		rings[i] = best[i].ring;
	return nr;
}
