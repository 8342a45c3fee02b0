/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/samples/samples.h"

#include <math.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/views/narrow.h"

#define LATE 1.0		/* seconds of lag from which it is noted */

enum { ROOMY = 12 };	/* rows from which there is room for blank rows */

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

static int note_troubles(struct area a, const struct samples_status *s)
{
	char text[16];
	int col = 1;

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

int samples_status_notes(const struct listing *l, struct area a, int col)
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

void samples_status_draw(const struct frame *frame, struct area line)
{
	const struct samples_status *s = &frame->samples->status;

	note_symbols(line, s, note_speed(line, frame, note_troubles(line, s)));
}

/* Draw two paragraphs, in the middle of @a if there is room. */
static void explain(struct area a, const char *what, const char *remedy)
{
	struct area text = area_sub(a, 0, 2, a.rows, a.cols - 4);
	int row = a.rows > ROOMY ? a.rows / 3 : 0;

	row = area_wrapped(text, row, ROLE_NOTICE, what);
	area_wrapped(text, row + (a.rows > ROOMY), ROLE_DEFAULT, remedy);
}

void samples_status_empty(const struct listing *l, struct area a)
{
	if (!l->frame->samples)
		explain(a, "No samples to list.", narrow_none(l->frame));
	else if (*l->filter && feed_len(l->frame->samples->feed))
		explain(a, "No sample matches the filter so far.",
			"New samples are checked; Esc removes the filter.");
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
