/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/samples/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "samples/sample_filter.h"

/* Drop the rows before @first, the oldest serial in the feed. */
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
	for (; v->next < end && v->nr_rows < v->room; v->next++) {
		if (sample_filter_match(v->filter, feed_entry_sample(
					feed_find(feed, v->next))))
			v->rows[v->nr_rows++] = v->next;
	}
}

const struct feed *samples_rows_feed(const struct samples_view *v,
				     const struct feed *live)
{
	return v->held ? v->held : live;
}

/*
 * Hold a copy of the feed while the cursor is on an older sample, so that this
 * is not dropped.  If out of memory, the live feed is listed.
 */
static void hold(struct samples_view *v, const struct feed *live)
{
	bool moved = v->list.placed;

	if (moved && !v->held) {
		v->held = feed_clone(live);
	} else if (!moved && v->held) {
		feed_free(v->held);
		v->held = NULL;
	}
	v->list.view.shell->feed = v->held;
}

static void update(struct samples_view *v, const struct feed *feed)
{
	uint64_t first = v->next;

	if (feed_len(feed))
		first = feed_entry_serial(feed_at(feed, 0));
	/* out of memory: the newest are left out */
	(void)array_fit(v->rows, v->room, feed_len(feed));
	drop_old(v, first);
	add_new(v, feed, first);
	v->list.all = feed_len(feed);
}

void samples_rows_update(struct samples_view *v, const struct feed *live)
{
	hold(v, live);
	update(v, samples_rows_feed(v, live));
	if (!v->held || v->nr_rows)
		return;
	listing_leave(&v->list);	/* no held entry matches the filter */
	hold(v, live);
	update(v, live);
}

void samples_rows_forget(struct samples_view *v)
{
	v->nr_rows = 0;
	v->next = 0;
}
