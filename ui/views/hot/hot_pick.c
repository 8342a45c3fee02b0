/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/widgets.h"

enum {
	PICK_WIDTH = 56,
	FIELDS = HOT_FIELD,	/* rows from here on are tracepoint fields */
	SORTS = HOT_SORT_NAME + 1,
};

/* The row's key; rows in the order of the keys, then the fields. */
static enum hot_key key_of(size_t row)
{
	return row < FIELDS ? (enum hot_key)row : HOT_FIELD;
}

static size_t nr_choices(const struct samples *samples)
{
	return FIELDS + samples->nr_trace_fields;
}

/* What a row stands for in a query; a function's file goes with it. */
static unsigned int keys_of(size_t row)
{
	enum hot_key key = key_of(row);

	return key == HOT_SYMBOL ? 1u << HOT_SYMBOL | 1u << HOT_DSO : 1u << key;
}

static bool is_field_now(const struct samples *samples, size_t row)
{
	return !strcmp(samples->trace_fields[row - FIELDS],
		       samples->hot->field);
}

/* Whether it is grouped by the row now. */
static bool is_on(const struct hot_view *v, const struct samples *samples,
		  size_t row)
{
	unsigned int keys = v->view.shell->query.keys;

	if (!(keys & 1u << key_of(row)))
		return false;
	return row < FIELDS ? row != HOT_DSO || !(keys & 1u << HOT_SYMBOL) :
			      is_field_now(samples, row);
}

void hot_pick_open(struct hot_view *v, const struct samples *samples)
{
	size_t now = 0, nr = nr_choices(samples);

	while (now < nr && !is_on(v, samples, now))
		now++;
	v->picks_sort = false;
	pick_open(&v->pick, nr, now < nr ? now : 0);
}

/* Rows are HOT_SORT_*, without that of what is not there. */
static enum hot_sort sort_of(const struct hot_view *v, size_t row)
{
	if (v->pick.list.nr < SORTS && row > HOT_SORT_SELF)
		row++;
	return (enum hot_sort)row;
}

void hot_pick_open_sort(struct hot_view *v, const struct hot *hot)
{
	size_t nr = hot_order_children(v, hot) ? SORTS : SORTS - 1;
	size_t now = 0;

	v->picks_sort = true;
	pick_open(&v->pick, nr, 0);
	while (now + 1 < nr && sort_of(v, now) != hot_order_sorted(v, hot))
		now++;
	list_set(&v->pick.list, now);
}

struct drawing {
	const struct hot_view *view;
	const struct samples *samples;
};

static void draw_choice(const void *ctx, struct area line, size_t row)
{
	const struct drawing *d = ctx;
	const struct hot_key_info *info = hot_key_info(key_of(row));

	if (row >= nr_choices(d->samples))
		return;
	if (is_on(d->view, d->samples, row))
		area_put(line, 0, 1, ROLE_SORTED,
			 widget_glyph(line, GLYPH_TAG));
	if (row >= FIELDS) {
		area_text(line, 0, 3, 0, ROLE_VALUE,
			  d->samples->trace_fields[row - FIELDS]);
		return;
	}
	area_text(line, 0, 3, 10, ROLE_VALUE, info->name);
	area_text(line, 0, 14, 0, ROLE_DEFAULT, info->help);
}

static void draw_sort(const void *ctx, struct area line, size_t row)
{
	static const char *const names[SORTS][2] = {
		[HOT_SORT_SELF] = { "self", "share of the row itself" },
		[HOT_SORT_CHILDREN] = { "children", "with all that it calls" },
		[HOT_SORT_NAME] = { "name", "what it is grouped by" },
	};
	const struct drawing *d = ctx;
	enum hot_sort sort = sort_of(d->view, row);

	if (sort == hot_order_sorted(d->view, d->samples->hot))
		area_put(line, 0, 1, ROLE_SORTED,
			 widget_glyph(line, GLYPH_TAG));
	area_text(line, 0, 3, 10, ROLE_VALUE, names[sort][0]);
	area_text(line, 0, 14, 0, ROLE_DEFAULT, names[sort][1]);
}

void hot_pick_draw(struct hot_view *v, const struct samples *samples,
		    struct area a)
{
	const struct drawing d = { v, samples };

	if (v->picks_sort)
		pick_draw(&v->pick, a, PICK_WIDTH, "Sort by", draw_sort, &d);
	else
		pick_draw(&v->pick, a, PICK_WIDTH, "Group by", draw_choice,
			  &d);
}

/*
 * The source has to look for a field before samples can have it.  False where
 * it does not.
 */
static bool ask_field(struct hot_view *v, const struct samples *samples,
		      size_t row)
{
	struct request rq = { .kind = REQUEST_FIELD };

	if (is_field_now(samples, row))
		return true;
	snprintf(rq.text, sizeof(rq.text), "%s",
		 samples->trace_fields[row - FIELDS]);
	return v->view.shell->request(v->view.shell, &rq);
}

static void group(struct hot_view *v, const struct samples *samples,
		  bool toggle)
{
	size_t row = v->pick.list.cursor;
	unsigned int keys = keys_of(row), now = v->view.shell->query.keys;

	if (row >= nr_choices(samples))
		return;
	if (toggle && is_on(v, samples, row))
		keys = now & ~keys;
	else if (toggle)
		keys |= now;
	if (row >= FIELDS && keys & 1u << HOT_FIELD &&
	    !ask_field(v, samples, row))
		return;
	if (keys)
		hot_order_group(v, keys);
}

static void choose(struct hot_view *v, const struct samples *samples)
{
	if (v->picks_sort)
		hot_order_sort(v, sort_of(v, v->pick.list.cursor));
	else
		group(v, samples, false);
}

bool hot_pick_action(struct hot_view *v, const struct samples *samples,
		      enum action action)
{
	enum pick_result result = pick_action(&v->pick, action, v->picks_sort ?
					      ACTION_SORT : ACTION_GROUP);

	if (result == PICK_CHOSEN)
		choose(v, samples);
	if (action != ACTION_TAG || v->picks_sort)
		return result != PICK_OTHER;
	group(v, samples, true);
	return true;
}

void hot_pick_click(struct hot_view *v, const struct samples *samples,
		     int row, int col)
{
	if (pick_click(&v->pick, row, col) == PICK_CHOSEN)
		choose(v, samples);
}
