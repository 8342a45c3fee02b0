/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/draw/widgets.h"

enum {
	PICK_WIDTH = 56,
	FIELDS = HOT_FIELD,	/* rows from here on are tracepoint fields */
};

/* The key of a row: rows are the keys in their order, then the fields. */
static enum hot_key key_of(size_t row)
{
	return row < FIELDS ? (enum hot_key)row : HOT_FIELD;
}

static size_t nr_choices(const struct samples *samples)
{
	return FIELDS + samples->nr_trace_fields;
}

/* The keys of a row in a query; a symbol includes its file. */
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

/* Whether the list is grouped by the row's key now. */
static bool is_on(const struct hot_view *v, const struct samples *samples,
		  size_t row)
{
	unsigned int keys = v->list.view.shell->query.keys;

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
	pick_open(&v->groups, nr, now < nr ? now : 0);
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

void hot_pick_draw(struct hot_view *v, const struct samples *samples,
		    struct area a)
{
	const struct drawing d = { v, samples };

	pick_draw(&v->groups, a, PICK_WIDTH, "Group by", draw_choice, &d);
}

/*
 * Request a field from the source, since samples only have the field that was
 * chosen.  False if it is refused.
 */
static bool ask_field(struct hot_view *v, const struct samples *samples,
		      size_t row)
{
	struct request rq = { .kind = REQUEST_FIELD };

	if (is_field_now(samples, row))
		return true;
	snprintf(rq.text, sizeof(rq.text), "%s",
		 samples->trace_fields[row - FIELDS]);
	return v->list.view.shell->request(v->list.view.shell, &rq);
}

static void group(struct hot_view *v, const struct samples *samples,
		  bool toggle)
{
	size_t row = v->groups.list.cursor;
	unsigned int keys = keys_of(row), now = v->list.view.shell->query.keys;

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

bool hot_pick_action(struct hot_view *v, const struct samples *samples,
		      enum action action)
{
	enum pick_result result = pick_action(&v->groups, action,
					      ACTION_GROUP);

	if (result == PICK_CHOSEN)
		group(v, samples, false);
	if (action != ACTION_TAG)
		return result != PICK_OTHER;
	group(v, samples, true);
	return true;
}

void hot_pick_click(struct hot_view *v, const struct samples *samples,
		     int row, int col)
{
	if (pick_click(&v->groups, row, col) == PICK_CHOSEN)
		group(v, samples, false);
}
