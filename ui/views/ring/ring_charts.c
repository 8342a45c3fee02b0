/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/views/ring_history.h"

enum {
	LABEL = 12,
	COUNT = 7,		/* columns of a count, a blank before it */
	FILL_ROWS = FILL_BUCKETS / 2,
	CHART_ROWS = 9,
};

static int draw_bucket(struct area a, int row, const char *label,
		       uint64_t count, uint64_t most, enum role role)
{
	int width = a.cols - LABEL - COUNT;
	char text[8];

	area_text_right(a, row, LABEL - 1, ROLE_LABEL, label);
	widget_hbar(a, row, LABEL, width > 50 ? 50 : width, (double)count,
		    (double)most, role);
	units_count(text, sizeof(text), (double)count);
	area_text_right(a, row, a.cols, count ? ROLE_DEFAULT : ROLE_DIM, text);
	return row + 1;
}

static int draw_nothing(struct area a, int row, const char *why)
{
	area_text(a, row, 0, 0, ROLE_DIM, why);
	return row + 1;
}

int ring_charts_fill(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	uint64_t counts[FILL_ROWS], most = 0;
	char label[32];

	if (!r->reads)
		return row;
	widget_heading(a, row++, "Fill level at drain");
	for (int i = 0; i < FILL_ROWS; i++) {
		counts[i] = (uint64_t)r->reads->stats.fill[2 * i] +
			    r->reads->stats.fill[2 * i + 1];
		if (counts[i] > most)
			most = counts[i];
	}
	if (!most)
		return draw_nothing(a, row, "no drain yet");
	for (int i = 0; i < FILL_ROWS; i++) {
		snprintf(label, sizeof(label), "%d-%d%%", i * 100 / FILL_ROWS,
			 (i + 1) * 100 / FILL_ROWS);
		row = draw_bucket(a, row, label, counts[i], most,
				  widget_level(i / (double)FILL_ROWS,
					       ring_row_mark(r)));
	}
	return row;
}

static uint64_t octave_count(const struct latency *l, unsigned int octave)
{
	uint64_t count = 0;

	for (unsigned int i = 0; i < LATENCY_STEPS; i++)
		count += l->buckets[octave * LATENCY_STEPS + i];
	return count;
}

static int draw_octave(struct area a, int row, const struct latency *l,
		       unsigned int octave, uint64_t most)
{
	char low_text[8], high_text[8], label[20];
	uint64_t low, high, unused;

	latency_bounds(octave * LATENCY_STEPS, &low, &unused);
	latency_bounds(octave * LATENCY_STEPS + LATENCY_STEPS - 1, &unused,
		       &high);
	units_duration(low_text, sizeof(low_text), (double)low / 1e9);
	units_duration(high_text, sizeof(high_text), (double)high / 1e9);
	snprintf(label, sizeof(label), "%s-%s", low_text, high_text);
	return draw_bucket(a, row, label, octave_count(l, octave), most,
			   ROLE_SPARK);
}

int ring_charts_latency(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct latency *l;
	unsigned int first = LATENCY_OCTAVES, last = 0;
	uint64_t most = 0, count;

	if (!r->reads)
		return row;
	l = &r->reads->stats.latency;
	widget_heading(a, row++, "Wakeup latency");
	for (unsigned int i = 0; i < LATENCY_OCTAVES; i++) {
		count = octave_count(l, i);
		if (!count)
			continue;
		if (first == LATENCY_OCTAVES)
			first = i;
		last = i;
		most = count > most ? count : most;
	}
	if (!most)
		return draw_nothing(a, row, "none measured");
	for (unsigned int i = first; i <= last; i++)
		row = draw_octave(a, row, l, i, most);
	return row;
}

static int draw_history(struct area a, int row, const char *label,
			const struct history *h, double max, double mark,
			bool bytes, enum role role)
{
	int width = a.cols - LABEL - COUNT;
	char text[8];
	double most;

	width = width > HISTORY_LEN ? HISTORY_LEN : width;
	area_text(a, row, 0, LABEL - 1, ROLE_LABEL, label);
	if (!h || width < 1)
		return row + 1;
	widget_sparkline(a, row, LABEL, width, h, max, mark, role);
	most = history_max(h, (unsigned int)width);
	if (max > 0)
		units_share(text, sizeof(text), most);
	else if (bytes)
		units_bytes(text, sizeof(text), most);
	else
		units_count(text, sizeof(text), most);
	area_text_right(a, row, LABEL + width + COUNT, ROLE_DEFAULT, text);
	return row + 1;
}

int ring_charts_history(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;

	if (!r->known)
		return row;
	widget_heading(a, row++, "History");
	ring_history_draw(area_sub(a, row, 0, CHART_ROWS, a.cols), r);
	row += CHART_ROWS;
	if (r->reads && r->reads->aux.fill_history)
		row = draw_history(a, row, "AUX fill",
				   r->reads->aux.fill_history, 1,
				   ring_row_aux_mark(r), false, ROLE_DEFAULT);
	return draw_history(a, row, "bytes/s", r->rate_history, 0, NAN,
			    true, ROLE_SPARK);
}
