/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/samples/samples.h"

#include <stdlib.h>
#include <string.h>

#include "samples/sample_filter.h"

static const struct feed_sample *sample_of(const struct feed *feed,
					   uint64_t serial)
{
	return feed_entry_sample(feed_find(feed, serial));
}

size_t samples_rows_at(const struct samples_view *v, uint64_t serial)
{
	size_t low = 0, high = v->nr_rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v->rows[middle] < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low < v->nr_rows ? low : v->nr_rows ? v->nr_rows - 1 : 0;
}

/* Room for all that the feed has; without memory the newest are left out. */
static void reserve(struct samples_view *v, size_t nr)
{
	uint64_t *rows;

	if (nr <= v->capacity)
		return;
	rows = reallocarray(v->rows, nr, sizeof(*rows));
	if (!rows)
		return;
	v->rows = rows;
	v->capacity = nr;
}

/* Those that fell off the feed. */
static void drop_old(struct samples_view *v, uint64_t first)
{
	size_t old = 0;

	while (old < v->nr_rows && v->rows[old] < first)
		old++;
	v->nr_rows -= old;
	if (old && v->nr_rows)
		memmove(v->rows, v->rows + old, v->nr_rows * sizeof(*v->rows));
}

static void add_new(struct samples_view *v, const struct feed *feed,
		    uint64_t first)
{
	uint64_t end = first + feed_len(feed);

	if (v->next > end)	/* another feed */
		samples_rows_forget(v);
	if (v->next < first)
		v->next = first;
	for (; v->next < end && v->nr_rows < v->capacity; v->next++) {
		if (sample_filter_match(v->filter, sample_of(feed, v->next)))
			v->rows[v->nr_rows++] = v->next;
	}
}

const struct feed *samples_rows_feed(const struct samples_view *v,
				     const struct feed *live)
{
	return v->held ? v->held : live;
}

/*
 * While a person looks at older samples nothing may fall off below the cursor.
 * Without memory things go on as they came.
 */
static void hold(struct samples_view *v, const struct feed *live)
{
	if (v->moved && !v->held) {
		v->held = feed_clone(live);
	} else if (!v->moved && v->held) {
		feed_free(v->held);
		v->held = NULL;
	}
	v->view.shell->feed = v->held;
}

static void update(struct samples_view *v, const struct feed *feed, int page)
{
	size_t line = v->list.cursor - v->list.top, row;
	uint64_t first = v->next;

	if (feed_len(feed))
		first = feed_entry_serial(feed_at(feed, 0));
	reserve(v, feed_len(feed));
	drop_old(v, first);
	add_new(v, feed, first);
	row = v->moved ? samples_rows_at(v, v->serial) :
	      v->nr_rows ? v->nr_rows - 1 : 0;
	v->list.top = row > line ? row - line : 0;
	v->list.cursor = row;
	list_fit(&v->list, v->nr_rows, page);
}

void samples_rows_update(struct samples_view *v, const struct feed *live,
			 int page)
{
	hold(v, live);
	update(v, samples_rows_feed(v, live), page);
	if (!v->held || v->nr_rows)
		return;
	v->moved = false;	/* nothing there that a filter passes */
	hold(v, live);
	update(v, live, page);
}

void samples_rows_forget(struct samples_view *v)
{
	v->nr_rows = 0;
	v->next = 0;
}

void samples_rows_remember(struct samples_view *v)
{
	v->moved = v->nr_rows && v->list.cursor + 1 < v->nr_rows;
	if (v->nr_rows)
		v->serial = v->rows[v->list.cursor];
}

/* For list_find(). */
struct looking {
	const struct samples_view *view;
	const struct feed *feed;
};

static bool row_matches(const void *ctx, size_t row)
{
	const struct looking *l = ctx;

	return samples_table_match(l->view,
				   sample_of(l->feed, l->view->rows[row]));
}

void samples_rows_seek(struct samples_view *v, const struct feed *feed,
		       size_t from)
{
	struct looking looking = { v, feed };
	size_t row = list_find(&v->list, from, row_matches, &looking);

	v->no_match = row == LIST_NONE;
	if (v->no_match)
		return;
	list_set(&v->list, row);
	samples_rows_remember(v);
}
