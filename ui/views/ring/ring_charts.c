/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picture of a ring: bytes from 0 to its size, with the part between tail
 * and head filled, which may wrap at the end.
 *
 *          tail 65536 ▼         ▼ head 131072
 *	▕·················██████████····│···················│▏
 *	0                            ▲ wakes every 262144  ↺ 524288
 */
#include "ui/views/ring/ring_detail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/views/aux/aux.h"
#include "ui/views/ring_history.h"

enum { MIN_TICK_GAP = 4 };

/* A mark above or below the ring, and its label. */
struct mark {
	int col;
	uint32_t glyph;		/* 0: only the text, from @col on */
	char letter;		/* replaces the glyph if no text fits */
	char text[64];
};

/* What is drawn of a data ring or an AUX ring. */
struct picture {
	struct widget_ring ring;
	enum role role;
	uint64_t head;		/* offset */
	uint64_t tail;		/* free running */
	bool has_tail;
	const char *going;	/* direction of the head; "": to the right */
	uint64_t next;		/* position that wakes the reader; 0: none */
	uint64_t watermark;
};

static void draw_tick(struct area a, int row, int cell, bool used,
		      enum role role)
{
	area_put(a, row, 1 + cell, role, widget_glyph(a, GLYPH_TICK));
	if (used)
		area_reverse(a, row, 1 + cell, 1);
}

/* Draw ticks at the next crossing and, dim, wherever there are others. */
static void draw_ticks(struct area a, int row, const struct picture *p)
{
	const struct widget_ring *ring = &p->ring;
	int cells = a.cols - 2, cell;
	uint64_t end = p->tail + ring->size, ahead;
	double gap = (double)p->watermark / (double)ring->size * cells;
	bool used;

	if (!p->next)
		return;
	if (gap >= MIN_TICK_GAP) {
		/* the next crossing may be behind the tail */
		ahead = (p->next % p->watermark + p->watermark -
			 p->tail % p->watermark) % p->watermark;
		for (; ahead < ring->size; ahead += p->watermark) {
			cell = widget_ring_cell(ring, p->tail + ahead, cells);
			used = widget_ring_used(ring, cell, cells);
			draw_tick(a, row, cell, used,
				  used ? p->role : ROLE_DIM);
		}
	}
	if (p->next <= end) {
		cell = widget_ring_cell(ring, p->next, cells);
		draw_tick(a, row, cell, widget_ring_used(ring, cell, cells),
			  ROLE_TICK);
	}
}

static bool is_free(const bool *taken, int cols, int from, int len)
{
	if (from < 0 || from + len > cols)
		return false;
	for (int i = from; i < from + len; i++) {
		if (taken[i])
			return false;
	}
	return true;
}

/* The column of a label, right or left of its mark; -1: it does not fit. */
static int place_text(const struct mark *m, const bool *taken, int cols,
		      int len)
{
	if (!m->glyph)
		return is_free(taken, cols, m->col, len) ? m->col : -1;
	if (is_free(taken, cols, m->col + 1, len + 2))
		return m->col + 2;
	if (m->col + 2 + len == cols &&
	    is_free(taken, cols, m->col + 1, len + 1))
		return m->col + 2;
	if (is_free(taken, cols, m->col - 1 - len, len + 1))
		return m->col - 1 - len;
	return -1;
}

/* Draw all marks, and as many labels as fit, in their order. */
static void draw_marks(struct area a, int row, const struct mark *marks,
		       size_t nr)
{
	bool taken[CANVAS_MAX_COLS] = { false };
	int at, len;

	for (size_t i = 0; i < nr; i++) {
		if (marks[i].glyph)
			taken[marks[i].col] = true;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct mark *m = &marks[i];

		len = text_width(m->text);
		at = place_text(m, taken, a.cols, len);
		if (m->glyph)
			area_put(a, row, m->col, ROLE_TICK,
				 at < 0 ? (uint32_t)m->letter : m->glyph);
		if (at < 0)
			continue;
		area_text(a, row, at, 0, m->glyph ? ROLE_DEFAULT : ROLE_DIM,
			  m->text);
		memset(&taken[at], true, (size_t)len);
	}
}

/* Head and tail, above the ring. */
static void draw_above(struct area a, int row, const struct picture *p)
{
	int cells = a.cols - 2;
	uint32_t down = widget_glyph(a, GLYPH_DOWN);
	unsigned long long head = p->head, tail = p->tail % p->ring.size;
	struct mark marks[2] = {
		{ .col = 1 + widget_ring_cell(&p->ring, head, cells),
		  .glyph = down, .letter = 'H' },
		{ .col = 1 + widget_ring_cell(&p->ring, tail, cells),
		  .glyph = down, .letter = 'T' },
	};
	size_t nr = 1;

	if (!p->has_tail) {
		snprintf(marks[0].text, sizeof(marks[0].text), "head %llu%s",
			 head, p->going);
	} else if (!p->ring.used) {
		snprintf(marks[0].text, sizeof(marks[0].text),
			 "head = tail %llu", tail);
	} else if (marks[0].col == marks[1].col) {
		snprintf(marks[0].text, sizeof(marks[0].text),
			 "tail %llu, head %llu", tail, head);
	} else {
		nr = 2;
		snprintf(marks[0].text, sizeof(marks[0].text), "head %llu",
			 head);
		snprintf(marks[1].text, sizeof(marks[1].text), "tail %llu",
			 tail);
	}
	draw_marks(a, row, marks, nr);
}

/* Start, wakeups and end, below the ring; or the next wakeup, if the offsets of
 * wakeups change from round to round. */
static void draw_below(struct area a, int row, const struct picture *p)
{
	struct mark marks[3] = { { .text = "0" } };
	/* the head crosses watermarks at the same offsets in each round */
	bool still = p->watermark && p->ring.size % p->watermark == 0;
	unsigned long long at = (still ? p->watermark : p->next) % p->ring.size;
	size_t nr = 1;
	int len;

	snprintf(marks[nr].text, sizeof(marks[nr].text), "%s %llu",
		 a.canvas->ascii ? "wraps at" : "↺",
		 (unsigned long long)p->ring.size);
	len = text_width(marks[nr].text);
	marks[nr++].col = a.cols > len ? a.cols - len : 0;
	if (p->next && (still || p->next <= p->tail + p->ring.size)) {
		marks[nr].col = 1 + widget_ring_cell(&p->ring, at, a.cols - 2);
		marks[nr].glyph = widget_glyph(a, GLYPH_UP);
		marks[nr].letter = 'W';
		if (at)
			snprintf(marks[nr].text, sizeof(marks[nr].text),
				 "wakes %s %llu", still ? "every" : "at", at);
		else
			snprintf(marks[nr].text, sizeof(marks[nr].text),
				 "wakes at the wrap");
		nr++;
	}
	draw_marks(a, row, marks, nr);
}

static int draw_picture(struct area a, int row, const struct picture *p)
{
	draw_above(a, row, p);
	widget_ring(a, row + 1, 0, a.cols, &p->ring, p->role);
	draw_ticks(a, row + 1, p);
	draw_below(a, row + 2, p);
	return row + 3;
}

/*
 * The head's offset.  An overwrite ring is written from its end to its start:
 * its head, which the frame counts upward, is that far from the end.
 */
static uint64_t head_offset(const struct ring_row *r)
{
	uint64_t offset = r->head % r->size;

	return r->overwrite ? (r->size - offset) % r->size : offset;
}

static bool has_watermark(const struct ring_row *r)
{
	return !r->overwrite && r->watermark && r->watermark != UNKNOWN &&
	       !ring_row_wakes_always(r);
}

int ring_picture_draw(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	struct picture p = { .ring = { .size = r->size, .used = r->used },
			     .has_tail = !r->overwrite, .going = "" };

	if (!r->known)
		return area_wrapped(a, row, ROLE_DIM, "the fill is unknown: "
				    "without BPF only sizes and owners are "
				    "known");
	if (r->reads && r->used == UNKNOWN)
		return row;	/* of a recording: the sizing says so */
	if (!r->size || r->size == UNKNOWN || a.cols < 4) {
		area_text(a, row, 0, 0, ROLE_DIM, "the ring has no size yet");
		return row + 1;
	}
	p.role = r->gone ? ROLE_DIM :
		 r->overwrite ? ROLE_SPARK :
		 widget_level(r->fill, ring_row_mark(r));
	p.head = head_offset(r);
	p.tail = r->tail;
	p.ring.from = r->overwrite ? p.head : r->tail;
	if (has_watermark(r)) {
		p.next = r->next_crossing;
		p.watermark = r->watermark;
	}
	if (r->overwrite)
		p.going = a.canvas->ascii ? ", moving <-" : ", moving ←";
	return draw_picture(a, row, &p);
}

static void draw_aux_heading(struct area a, int row, const struct ring_row *r)
{
	char text[80] = "AUX ring, full trace", age[8];

	if (!ring_row_has_aux_head(r))
		snprintf(text, sizeof(text), "AUX ring, snapshot mode");
	else if (r->aux.overwrite && !r->reads)
		snprintf(text, sizeof(text),
			 "AUX ring, snapshot mode: at the last stop");
	else if (r->aux.overwrite)
		snprintf(text, sizeof(text),
			 "AUX ring, at the last stop %s ago",
			 units_duration(age, sizeof(age),
					r->reads->aux.head_age));
	widget_heading(a, row, text);
}

static int draw_aux_ring(struct area a, int row, const struct ring_row *r)
{
	const struct ring_aux *x = &r->aux;
	struct picture p = { .going = "", .head = x->position };

	p.ring = aux_rings_shown(x);
	p.role = aux_rings_role(r);
	if (!x->overwrite) {
		p.has_tail = true;
		p.tail = x->tail;
		p.watermark = x->watermark;
		/* perf_aux_output_end() wakes at multiples of the watermark */
		p.next = p.watermark ?
			 (x->head / p.watermark + 1) * p.watermark : 0;
	}
	return draw_picture(a, row, &p);
}

int ring_picture_aux(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct ring_aux *x = &r->aux;

	if (!x->size || !r->known || a.cols < 4)
		return row;
	if (r->reads && x->size == UNKNOWN)
		return area_wrapped(a, row, ROLE_DIM, AUX_OF_RECORDS);
	draw_aux_heading(a, row++, r);
	if (!ring_row_has_aux_head(r))
		return area_wrapped(a, row, ROLE_DIM, AUX_NEVER_STOPPED);
	return draw_aux_ring(a, row, r);
}

enum {
	LABEL = 12,
	COUNT = 7,		/* columns of a count, a blank before it */
	FILL_ROWS = FILL_BUCKETS / 2,
	CHART_ROWS = 9,
};

static int draw_bucket(struct area a, int row, const char *label,
		       uint64_t count, uint64_t max, enum role role)
{
	int width = a.cols - LABEL - COUNT;
	char text[8];

	area_text_right(a, row, LABEL - 1, ROLE_LABEL, label);
	widget_hbar(a, row, LABEL, width > 50 ? 50 : width, (double)count,
		    (double)max, role);
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
	uint64_t counts[FILL_ROWS], max = 0;
	char label[32];

	if (!r->reads)
		return row;
	widget_heading(a, row++, "Fill level at drain");
	for (int i = 0; i < FILL_ROWS; i++) {
		counts[i] = (uint64_t)r->reads->stats.fill[2 * i] +
			    r->reads->stats.fill[2 * i + 1];
		if (counts[i] > max)
			max = counts[i];
	}
	if (!max)
		return draw_nothing(a, row, "no drain yet");
	for (int i = 0; i < FILL_ROWS; i++) {
		snprintf(label, sizeof(label), "%d-%d%%", i * 100 / FILL_ROWS,
			 (i + 1) * 100 / FILL_ROWS);
		row = draw_bucket(a, row, label, counts[i], max,
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
		       unsigned int octave, uint64_t max)
{
	char low_text[8], high_text[8], label[20];
	uint64_t low, high, unused;

	latency_bounds(octave * LATENCY_STEPS, &low, &unused);
	latency_bounds(octave * LATENCY_STEPS + LATENCY_STEPS - 1, &unused,
		       &high);
	units_duration(low_text, sizeof(low_text), (double)low / 1e9);
	units_duration(high_text, sizeof(high_text), (double)high / 1e9);
	snprintf(label, sizeof(label), "%s-%s", low_text, high_text);
	return draw_bucket(a, row, label, octave_count(l, octave), max,
			   ROLE_SPARK);
}

int ring_charts_latency(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct latency *l;
	unsigned int first = LATENCY_OCTAVES, last = 0;
	uint64_t max = 0, count;

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
		max = count > max ? count : max;
	}
	if (!max)
		return draw_nothing(a, row, "none measured");
	for (unsigned int i = first; i <= last; i++)
		row = draw_octave(a, row, l, i, max);
	return row;
}

static int draw_history(struct area a, int row, const char *label,
			const struct history *h, double top, double mark,
			bool bytes, enum role role)
{
	int width = a.cols - LABEL - COUNT;
	char text[8];
	double max;

	width = width > HISTORY_LEN ? HISTORY_LEN : width;
	area_text(a, row, 0, LABEL - 1, ROLE_LABEL, label);
	if (!h || width < 1)
		return row + 1;
	widget_sparkline(a, row, LABEL, width, h, top, mark, role);
	max = history_max(h, (unsigned int)width);
	if (top > 0)
		units_share(text, sizeof(text), max);
	else if (bytes)
		units_bytes(text, sizeof(text), max);
	else
		units_count(text, sizeof(text), max);
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
	return draw_history(a, row, "bytes/s",
			    r->histories ? &r->histories->rate : NULL, 0, NAN,
			    true, ROLE_SPARK);
}
