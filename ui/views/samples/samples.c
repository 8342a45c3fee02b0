/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Samples screen: the latest samples, the newest at the bottom. */
#include "ui/views/samples/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "samples/sample_filter.h"
#include "ui/draw/widgets.h"
#include "ui/views/narrow.h"

#define LATE 1.0		/* seconds of lag from which it is noted */

enum { ROOMY = 12 };	/* rows from which there is room for blank rows */

static struct samples_view *samples_view(const void *view)
{
	return (struct samples_view *)(uintptr_t)view;
}

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

/* After the filter changed: filter all entries again. */
static void forget_rows(struct samples_view *v)
{
	v->nr_rows = 0;
	v->next = 0;
}

static void add_new(struct samples_view *v, const struct feed *feed,
		    uint64_t first)
{
	uint64_t end = first + feed_len(feed);

	if (v->next > end)	/* another feed */
		forget_rows(v);
	if (v->next < first)
		v->next = first;
	for (; v->next < end && v->nr_rows < v->room; v->next++) {
		if (sample_filter_match(v->filter, feed_entry_sample(
					feed_find(feed, v->next))))
			v->rows[v->nr_rows++] = v->next;
	}
}

/* The feed of the rows: the one held, else @live. */
static const struct feed *feed_of(const struct samples_view *v,
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

static void filter_new(struct samples_view *v, const struct feed *feed)
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

/*
 * Bring the rows up to date with @live, or with a copy of it that is held while
 * the cursor is not on the newest sample.
 */
static void update_rows(struct samples_view *v, const struct feed *live)
{
	hold(v, live);
	filter_new(v, feed_of(v, live));
	if (!v->held || v->nr_rows)
		return;
	listing_leave(&v->list);	/* no held entry matches the filter */
	hold(v, live);
	filter_new(v, live);
}

/* Samples per second of all rings; NAN if not known. */
static double rate_of(const struct frame *frame)
{
	double rate = NAN;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct ring_row *r = &frame->rings[i];

		for (size_t e = 0; e < r->nr_events; e++) {
			double one = r->events[e].samples_per_s;

			if (!isnan(one))
				rate = isnan(rate) ? one : rate + one;
		}
	}
	return rate;
}

static int note_speed(struct area a, const struct frame *frame, int col)
{
	const struct samples_status *s = &frame->samples->status;
	uint64_t skipped = feed_skipped(frame->samples->feed);
	double rate = rate_of(frame);
	char text[16];

	if (!isnan(rate))
		col = widget_note(a, col, ROLE_DEFAULT, "%s samples/s",
				  units_count(text, sizeof(text), rate));
	if (s->decode_every > 1)
		col = widget_note(a, col, ROLE_NOTICE, "1 in %u decoded",
				  s->decode_every);
	else
		col = widget_note(a, col, ROLE_DEFAULT, "all decoded");
	if (skipped)
		col = widget_note(a, col, ROLE_NOTICE, "%s not listed",
				  units_count(text, sizeof(text),
					      (double)skipped));
	return col;
}

static int note_count(struct area a, int col, uint64_t count, const char *what)
{
	char text[16];

	return count ? widget_note(a, col, ROLE_WARN, "%s %s",
				   units_count(text, sizeof(text),
					       (double)count), what) : col;
}

static int note_troubles(struct area a, const struct frame *frame)
{
	const struct samples_status *s = &frame->samples->status;
	char text[16];
	int col = 1;

	if (narrow_stale(frame))
		col = widget_note(a, col, ROLE_WARN, NARROW_STALE);
	if (s->lag >= LATE)
		col = widget_note(a, col, ROLE_WARN, "%s behind",
				  units_duration(text, sizeof(text), s->lag));
	col = note_count(a, col, s->dropped, "dropped undecoded");
	col = note_count(a, col, s->undecodable, "undecodable");
	col = note_count(a, col, s->side_band_lost, "task records lost");
	if (s->name_limit && s->name_bytes >= s->name_limit)
		col = widget_note(a, col, ROLE_WARN,
				  "memory for names is full");
	return col;
}

static void note_symbols(struct area a, const struct samples_status *s,
			 int col)
{
	char now[16], bound[16];

	col = widget_note(a, col, ROLE_DIM, "symbols %s of %s",
			  units_bytes(now, sizeof(now),
				      (double)(s->symbol_bytes +
					       s->name_bytes)),
			  units_bytes(bound, sizeof(bound),
				      (double)(s->symbol_limit +
					       s->name_limit)));
	if (s->file_stuck)
		col = widget_note(a, col, ROLE_NOTICE,
				  "reading symbols of %s hangs",
				  s->file_stuck);
	else if (s->files_loading)
		col = widget_note(a, col, ROLE_DIM, "%zu file%s loading",
				  s->files_loading,
				  s->files_loading == 1 ? "" : "s");
	if (s->files_cut)
		col = widget_note(a, col, ROLE_NOTICE,
				  "too many symbols in %zu file%s",
				  s->files_cut, s->files_cut == 1 ? "" : "s");
	if (s->decoded && s->unresolved)
		widget_note(a, col, ROLE_DIM, "%s without symbol",
			    units_share(now, sizeof(now),
					(double)s->unresolved /
						(double)s->decoded));
}

static int add_notes(const struct listing *l, struct area a, int col)
{
	const struct samples_view *v = (const void *)l;
	const struct samples *samples = l->frame->samples;
	char text[16];

	if (v->held)
		col = widget_note(a, col, ROLE_NOTICE, "held, %s newer",
				  units_count(text, sizeof(text), (double)(
					feed_next_serial(samples->feed) -
					feed_next_serial(v->held))));
	if (!v->filter && samples->filter && *samples->filter)
		col = widget_note(a, col, ROLE_NOTICE,
				  "only \"%s\" is listed",
				  samples->filter);
	return col;
}

/* Draw two paragraphs, in the middle of @a if there is room. */
static void explain(struct area a, const char *what, const char *remedy)
{
	struct area text = area_sub(a, 0, 2, a.rows, a.cols - 4);
	int row = a.rows > ROOMY ? a.rows / 3 : 0;

	row = area_wrapped(text, row, ROLE_NOTICE, what);
	area_wrapped(text, row + (a.rows > ROOMY), ROLE_DEFAULT, remedy);
}

/* Draw why nothing is listed, and what to do. */
static void draw_empty(const struct listing *l, struct area a)
{
	if (!l->frame->samples)
		explain(a, "No samples to list.", narrow_none(l->frame));
	else if (*l->filter && feed_len(l->frame->samples->feed))
		explain(a, "No sample matches the filter so far.",
			"New samples are still checked; Esc removes the filter.");
	else if (narrow_stale(l->frame))
		explain(a, "Samples up to this time are being read.", "");
	else if (narrow_marked(l->frame))
		explain(a, "No samples between the mark and the cursor.",
			"Go on in the recording, or remove the mark.");
	else if (l->frame->playback)
		explain(a, "No samples up to this time of the recording.",
			"Samples appear as it is played; after a jump, only "
			"later ones are listed.");
	else if (!l->frame->total.row.reads->stats.types[RECORD_SAMPLE])
		explain(a, "No samples so far.",
			"The events have not occurred yet on the target. Use "
			"-e to choose other events, -F or -c to sample more "
			"often.");
	else
		explain(a, "No samples decoded yet.",
			"Samples appear once every ring has been read up to "
			"their time.");
}

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
	update_rows(v, l->frame->samples->feed);
}

static size_t nr_rows(const struct listing *l)
{
	return samples_view(l)->nr_rows;
}

static const void *row_at(const struct listing *l, size_t i)
{
	const struct samples_view *v = samples_view(l);

	return feed_find(feed_of(v, l->frame->samples->feed),
			 v->rows[i]);
}

static uint64_t row_id(const struct listing *l, const void *row)
{
	(void)l;
	return feed_entry_serial(row);
}

/* Hold the feed that is listed: the detail goes to its other samples. */
static void open_detail(struct listing *l, const void *row)
{
	uint64_t serial = feed_entry_serial(row);

	/* the cursor stays on it when samples arrive */
	listing_go_to(l, serial);
	update_rows(samples_view(l), l->frame->samples->feed);
	listing_detail(l, VIEW_SAMPLE_DETAIL, serial);
}

/* The filter */

/* The source then keeps only matching samples, so that rare ones accumulate. */
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
	forget_rows(v);
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
	.notes = add_notes,
	.empty = draw_empty,
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
	struct area below = area_sub(area, area.rows - 1, 0, 1, area.cols);
	const struct samples_status *s;

	l->frame = frame;
	if (!frame->samples) {
		draw_empty(l, area);
		return;
	}
	l->below = 1 + narrow_hidden(frame->samples, above);
	/* the state of decoding, problems first */
	s = &frame->samples->status;
	note_symbols(below, s,
		     note_speed(below, frame, note_troubles(below, frame)));
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
