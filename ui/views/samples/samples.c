/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Samples screen: the latest samples, the newest at the bottom. */
#include "ui/views/samples/samples.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/text.h"
#include "samples/sample_filter.h"
#include "ui/views/narrow.h"

static struct samples_view *samples_view(const void *view)
{
	return (struct samples_view *)(uintptr_t)view;
}

/* Rows */

/* Times of the other clock have another width. */
static void take_clock(struct samples_view *v, const struct listing *l)
{
	enum times_clock clock = l->view.shell->config->clock;

	if (v->style.clock != clock)
		v->widths[SAMPLE_COLUMN_TIME] = 0;
	v->style.clock = clock;
	v->style.times = &l->frame->times;
}

static void update(struct listing *l)
{
	struct samples_view *v = samples_view(l);

	take_clock(v, l);
	if (!l->frame->samples) {
		v->nr_rows = 0;
		return;
	}
	v->trace_fields = l->frame->samples->trace_fields;
	v->nr_trace_fields = l->frame->samples->nr_trace_fields;
	samples_rows_update(v, l->frame->samples->feed);
}

static size_t nr_rows(const struct listing *l)
{
	return samples_view(l)->nr_rows;
}

static const void *row_at(const struct listing *l, size_t i)
{
	const struct samples_view *v = samples_view(l);

	return feed_find(samples_rows_feed(v, l->frame->samples->feed),
			 v->rows[i]);
}

static uint64_t row_id(const struct listing *l, const void *row)
{
	(void)l;
	return feed_entry_serial(row);
}

/* Hold the feed listed now, so that the detail can go to the samples beside. */
static void open_detail(struct listing *l, const void *row)
{
	uint64_t serial = feed_entry_serial(row);

	/* the cursor stays on it when samples arrive */
	listing_go_to(l, serial);
	samples_rows_update(samples_view(l), l->frame->samples->feed);
	listing_detail(l, VIEW_SAMPLE_DETAIL, serial);
}

/* The filter */

/* The source is to take in only matching samples: so rare ones accumulate. */
static void request_filter(struct samples_view *v)
{
	struct shell *shell = v->list.view.shell;
	struct request rq = { .kind = REQUEST_FILTER };

	text_copy(rq.text, sizeof(rq.text), v->list.filter);
	shell->request(shell, &rq);
}

/* Takes ownership of @filter; NULL: none. */
static void set_filter(struct samples_view *v, struct sample_filter *filter,
		       const char *text)
{
	sample_filter_free(v->filter);
	v->filter = filter;
	text_copy(v->list.filter, sizeof(v->list.filter), text);
	samples_rows_forget(v);
}

/* The text is not a valid filter: restore the previous one. */
static void refuse_filter(struct samples_view *v, const struct err *err)
{
	struct shell *shell = v->list.view.shell;
	struct sample_filter *filter = NULL;

	if (*v->list.before)
		filter = sample_filter_new(v->list.before, NULL);
	set_filter(v, filter, filter ? v->list.before : "");
	shell->message(shell, ROLE_BAD, err->text);
}

/* NULL with @err, also for a field that no event here has. */
static struct sample_filter *read_filter(const struct samples_view *v,
					 const char *text, struct err *err)
{
	struct sample_filter *filter = sample_filter_new(text, err);

	if (!filter || sample_filter_check(filter, v->trace_fields,
					   v->nr_trace_fields, err) == 0)
		return filter;
	sample_filter_free(filter);
	return NULL;
}

/* While it is being typed, the last valid text is used. */
static void filter(struct listing *l, const char *text, bool final)
{
	struct samples_view *v = samples_view(l);
	struct err err = { .kind = ERR_NONE };
	struct sample_filter *filter = NULL;

	if (*text)
		filter = read_filter(v, text, &err);
	if (filter || !*text)
		set_filter(v, filter, text);
	else if (final)
		refuse_filter(v, &err);
	if (final && !err.code)
		request_filter(v);
}

static const struct listing_ops samples_listing = {
	.update = update,
	.nr = nr_rows,
	.at = row_at,
	.id = row_id,
	.match = samples_table_match,
	.filter = filter,
	.columns = samples_table_columns,
	.cell = samples_table_cell,
	.notes = samples_status_notes,
	.empty = samples_status_empty,
	.open = open_detail,
	.natural = SAMPLE_COLUMN_TIME,
	.follows_end = true,
};

static void samples_init(struct view *view)
{
	listing_init(&samples_view(view)->list, view, &samples_listing);
}

static void samples_release(struct view *view)
{
	struct samples_view *v = samples_view(view);

	view->shell->feed = NULL;
	feed_free(v->held);
	sample_filter_free(v->filter);
	free(v->rows);
	listing_release(view);
}

static void samples_draw(struct view *view, const struct frame *frame,
			 struct area area)
{
	struct listing *l = &samples_view(view)->list;
	struct area above = area_sub(area, 0, 0, area.rows - 1, area.cols);

	l->frame = frame;
	if (!frame->samples) {
		samples_status_empty(l, area);
		return;
	}
	l->below = 1 + narrow_hidden(frame->samples, above);
	samples_status_draw(frame, area_sub(area, area.rows - 1, 0, 1,
					    area.cols));
	listing_draw(view, frame, area);
}

static bool samples_action(struct view *view, const struct frame *frame,
			   enum action action)
{
	struct samples_view *v = samples_view(view);

	if (!frame->samples)
		return false;
	if (action != ACTION_VALUES)
		return listing_action(view, frame, action);
	v->style.values = !v->style.values;
	v->list.text_scroll = 0;
	return true;
}

const struct view_ops view_samples = {
	.id = VIEW_SAMPLES,
	.own_rings = true,
	.size = sizeof(struct samples_view),
	.init = samples_init,
	.release = samples_release,
	.draw = samples_draw,
	.action = samples_action,
	.click = listing_click,
	.wheel = listing_wheel,
	.label = listing_label,
};
