/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/samples/samples.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/kit/keys.h"
#include "ui/views/narrow.h"
#include "ui/kit/widgets.h"

#define LATE 1.0		/* seconds behind that are worth a note */

enum {
	ROOMY = 12,		/* rows from which a reason is told in full */
	REASON = 3,		/* most rows that it takes then */
	NOTE = SAMPLES_TEXT + 64,
};

/* Notes beside each other, the most important first. */
struct notes {
	struct area area;	/* a row */
	int col;
};

/* What does not fit is left out, unless it is the first. */
static void add_note(struct notes *n, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add_note(struct notes *n, enum role role, const char *fmt, ...)
{
	int gap = n->col ? 3 : 0;
	char text[NOTE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (gap && n->col + gap + text_width(text) > n->area.cols)
		return;
	if (gap)
		area_put(n->area, 0, n->col + 1, ROLE_DIM,
			 widget_glyph(n->area, GLYPH_DOT));
	n->col += gap;
	n->col += area_text(n->area, 0, n->col, 0, role, text);
}

/* Samples a second of all rings; NAN where that is not known. */
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

static void note_speed(struct notes *n, const struct frame *frame)
{
	const struct samples_status *s = &frame->samples->status;
	uint64_t skipped = feed_skipped(frame->samples->feed);
	double rate = rate_of(frame);
	char text[16];

	if (!isnan(rate))
		add_note(n, ROLE_DEFAULT, "%s samples/s",
			 units_count(text, sizeof(text), rate));
	if (s->decode_every > 1)
		add_note(n, ROLE_NOTICE, "1 in %u decoded", s->decode_every);
	else
		add_note(n, ROLE_DEFAULT, "all decoded");
	if (skipped)
		add_note(n, ROLE_NOTICE, "%s not listed",
			 units_count(text, sizeof(text), (double)skipped));
}

static void note_troubles(struct notes *n, const struct samples_status *s)
{
	char text[16];

	if (s->lag >= LATE)
		add_note(n, ROLE_WARN, "%s behind",
			 units_duration(text, sizeof(text), s->lag));
	if (s->dropped)
		add_note(n, ROLE_WARN, "%s dropped undecoded",
			 units_count(text, sizeof(text), (double)s->dropped));
	if (s->undecodable)
		add_note(n, ROLE_WARN, "%s undecodable",
			 units_count(text, sizeof(text),
				     (double)s->undecodable));
	if (s->side_band_lost)
		add_note(n, ROLE_WARN, "%s task records lost",
			 units_count(text, sizeof(text),
				     (double)s->side_band_lost));
	if (s->name_limit && s->name_bytes >= s->name_limit)
		add_note(n, ROLE_WARN, "no room for new names");
}

static void note_symbols(struct notes *n, const struct samples_status *s)
{
	char now[16], bound[16];

	add_note(n, ROLE_DIM, "symbols %s of %s",
		 units_bytes(now, sizeof(now),
			     (double)(s->symbol_bytes + s->name_bytes)),
		 units_bytes(bound, sizeof(bound),
			     (double)(s->symbol_limit + s->name_limit)));
	if (s->file_stuck)
		add_note(n, ROLE_NOTICE, "symbols stuck on %s", s->file_stuck);
	else if (s->files_loading)
		add_note(n, ROLE_DIM, "%zu file%s loading", s->files_loading,
			 s->files_loading == 1 ? "" : "s");
	if (s->files_cut)
		add_note(n, ROLE_NOTICE, "%zu file%s cut", s->files_cut,
			 s->files_cut == 1 ? "" : "s");
	if (s->decoded && s->unresolved)
		add_note(n, ROLE_DIM, "%s without symbol",
			 units_share(now, sizeof(now), (double)s->unresolved /
				     (double)s->decoded));
}

/* A note with the key that it is about. */
static void note_key(struct notes *n, const struct samples_view *v,
		     enum action action, const char *what)
{
	struct keys keys;
	char key[16];

	if (keys_bind(&keys, v->view.shell->config, NULL) < 0)
		return;
	keys_text(&keys, action, true, key, sizeof(key));
	if (*key)
		add_note(n, ROLE_DIM, "%s %s", key, what);
}

static void note_held(struct notes *n, const struct samples_view *v,
		      const struct feed *live)
{
	uint64_t newer = 0;
	char text[16];

	if (v->held)
		newer = feed_next_serial(live) - feed_next_serial(v->held);
	if (v->held)
		add_note(n, ROLE_NOTICE, "held, %s newer",
			 units_count(text, sizeof(text), (double)newer));
}

/* What changes the picture and cannot be seen in it. */
static void note_choices(struct notes *n, const struct samples_view *v,
			 const struct samples *samples)
{
	if (v->filter)
		add_note(n, ROLE_NOTICE, "filter \"%s\": %zu of %zu",
			 v->filter_text, v->nr_rows,
			 feed_len(samples_rows_feed(v, samples->feed)));
	else if (samples->filter && *samples->filter)
		add_note(n, ROLE_NOTICE, "only \"%s\" is taken in",
			 samples->filter);
	if (*v->search)
		add_note(n, ROLE_MATCH, "search \"%s\"%s", v->search,
			 v->no_match ? ": no match" : "");
}

/* Rows that the reason takes; it has to be told, but not to fill the screen. */
static int hidden_rows(const char *reason, struct area a)
{
	int rows;

	if (!reason)
		return 0;
	rows = area_wrapped(area_sub(a, 0, 0, 0, a.cols), 0, ROLE_WARN,
			    reason);
	if (a.rows < ROOMY)
		return 1;
	return rows < REASON ? rows : REASON;
}

static void draw_reason(struct area a, const char *reason)
{
	if (a.rows == 1)	/* as much of it as fits, not up to a blank */
		area_text(a, 0, 0, 0, ROLE_WARN, reason);
	else if (a.rows > 1)
		area_wrapped(a, 0, ROLE_WARN, reason);
}

static bool has_choices(const struct samples_view *v,
			const struct samples *samples)
{
	return v->filter || *v->search ||
	       (samples->filter && *samples->filter);
}

int samples_status_rows(const struct samples_view *v,
			const struct frame *frame, struct area a)
{
	const struct samples *samples = frame->samples;

	return 1 + hidden_rows(samples->status.kernel_hidden, a) +
	       has_choices(v, samples);
}

void samples_status_draw(const struct samples_view *v,
			 const struct frame *frame, struct area a)
{
	const struct samples *samples = frame->samples;
	int row = has_choices(v, samples);
	struct notes choices = { area_sub(a, 0, 0, row, a.cols), 0 };
	struct notes notes = { area_sub(a, a.rows - 1, 0, 1, a.cols), 0 };

	note_choices(&choices, v, samples);
	if (samples->status.kernel_hidden)
		draw_reason(area_sub(a, row, 0, a.rows - 1 - row, a.cols),
			    samples->status.kernel_hidden);
	if (v->moved) {
		note_held(&notes, v, samples->feed);
		note_key(&notes, v, ACTION_END, "follows");
	}
	note_speed(&notes, frame);
	note_troubles(&notes, &samples->status);
	note_symbols(&notes, &samples->status);
	if (v->cut || v->more_columns)
		note_key(&notes, v, ACTION_RIGHT, "shows more");
}

/* Paragraphs in the middle of @a. */
static void explain(struct area a, const char *what, const char *remedy)
{
	struct area text = area_sub(a, 0, 2, a.rows, a.cols - 4);
	int row = a.rows > ROOMY ? a.rows / 3 : 0;

	row = area_wrapped(text, row, ROLE_NOTICE, what);
	area_wrapped(text, row + (a.rows > ROOMY), ROLE_DEFAULT, remedy);
}

void samples_status_empty(const struct samples_view *v,
			  const struct frame *frame, struct area a)
{
	if (!frame->samples)
		explain(a, "No samples to list.", narrow_none(frame));
	else if (v->filter && feed_len(frame->samples->feed))
		explain(a, "No sample so far matches the filter.",
			"It goes on looking; Esc takes the filter off.");
	else if (!frame->total.row.reads->stats.types[RECORD_SAMPLE])
		explain(a, "No sample so far.",
			"The events have not happened yet where rbtop "
			"watches. -e chooses others, -F how often they are "
			"sampled.");
	else
		explain(a, "No sample is decoded yet.",
			"They appear once every ring was read past their "
			"time.");
}
