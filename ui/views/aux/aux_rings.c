/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/aux/aux.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ui/views/rings/rings.h"

enum ring_column {
	RING, POSITION, HEAD, SIZE, FILL, PEAK, LAST_STOP, COST, RATE, WRAPS,
	TRUNCATED, OVERWRITE, PARTIAL, COLLISION, ITRACE, HW_ID, REENABLED,
	RECORDS, WATERMARK, STATE,
	RING_COLUMNS
};

enum {
	TEXT = 24,
	FOCUS_ROWS = 2,
	WIDE = 60,		/* from here on a picture is worth a figure */
	WIDE_POSITION = 14,
};

static const struct list_column columns[RING_COLUMNS] = {
	[RING] = { "RING", 6, 0, 0, true, LIST_UNSORTED },
	[POSITION] = { "POSITION", 10, 120, 1, true, LIST_UNSORTED },
	[HEAD] = { "HEAD", 5, 0, 2, false, LIST_UNSORTED },
	[SIZE] = { "SIZE", 5, 0, 13, false, LIST_UNSORTED },
	[FILL] = { "FILL", 4, 0, 2, false, LIST_UNSORTED },
	[PEAK] = { "PEAK", 4, 0, 8, false, LIST_UNSORTED },
	[LAST_STOP] = { "LAST STOP", 9, 0, 3, false, LIST_UNSORTED },
	[COST] = { "COST", 5, 0, 12, false, LIST_UNSORTED },
	[RATE] = { "B/S", 5, 0, 6, false, LIST_UNSORTED },
	[WRAPS] = { "WRAPS", 6, 0, 5, false, LIST_UNSORTED },
	[TRUNCATED] = { "TRUNC", 6, 0, 4, false, LIST_UNSORTED },
	[OVERWRITE] = { "OVERW", 5, 0, 11, false, LIST_UNSORTED },
	[PARTIAL] = { "PART", 5, 0, 7, false, LIST_UNSORTED },
	[COLLISION] = { "COLL", 5, 0, 7, false, LIST_UNSORTED },
	[ITRACE] = { "ITRACE", 6, 0, 14, false, LIST_UNSORTED },
	[HW_ID] = { "HW-ID", 5, 0, 15, false, LIST_UNSORTED },
	[REENABLED] = { "RE-EN", 5, 0, 10, false, LIST_UNSORTED },
	[RECORDS] = { "RECORDS", 7, 0, 16, false, LIST_UNSORTED },
	[WATERMARK] = { "WATERMARK", 9, 0, 17, false, LIST_UNSORTED },
	[STATE] = { "STATE", 7, 0, 18, true, LIST_UNSORTED },
};

struct widget_ring aux_rings_shown(const struct ring_aux *x)
{
	struct widget_ring ring = { .size = x->size, .from = x->tail,
				    .used = x->used };

	if (!x->overwrite)
		return ring;
	/* once it was full, the oldest byte stands where the head goes next */
	ring.from = x->wraps ? x->position : 0;
	ring.used = x->wraps ? x->size : x->position;
	return ring;
}

enum role aux_rings_role(const struct ring_row *r)
{
	if (r->gone)
		return ROLE_DIM;
	return r->aux.overwrite ? ROLE_SPARK : widget_level(r->aux.fill);
}

/* Room for @nr rings; keeps what there is when out of memory. */
static void reserve(struct aux_view *v, size_t nr)
{
	size_t *rings;

	if (nr <= v->capacity || !tags_reserve(&v->tags, nr))
		return;
	rings = reallocarray(v->rings, nr, sizeof(*rings));
	if (!rings)
		return;
	v->rings = rings;
	v->capacity = nr;
}

void aux_rings_update(struct aux_view *v, const struct frame *frame)
{
	reserve(v, frame->nr_rings);
	v->nr_rings = 0;
	for (size_t i = 0; i < frame->nr_rings && i < v->capacity; i++) {
		if (frame->rings[i].aux.size)
			v->rings[v->nr_rings++] = i;
	}
}

size_t aux_rings_current(const struct aux_view *v)
{
	size_t row = v->lists[AUX_RINGS].cursor;

	return row < v->nr_rings ? v->rings[row] : LIST_NONE;
}

static void state_text(char *buf, const struct ring_row *r)
{
	snprintf(buf, TEXT, "%s", r->gone ? "gone" :
				  r->reads->aux.stopped ? "stopped" : "traces");
}

static void age_text(char *buf, const struct ring_row *r)
{
	char age[8];

	if (!r->aux.overwrite)
		snprintf(buf, TEXT, "-");
	else if (isnan(r->reads->aux.head_age))
		snprintf(buf, TEXT, "never");
	else
		snprintf(buf, TEXT, "%s ago",
			 units_duration(age, sizeof(age),
					r->reads->aux.head_age));
}

/* In snapshot mode a round may have gone by between two looks. */
static void wraps_text(char *buf, const struct ring_aux *x)
{
	units_count(buf, TEXT, (double)x->wraps);
	if (x->overwrite)
		snprintf(buf + strlen(buf), TEXT - strlen(buf), "+");
}

static void bytes_text(char *buf, double bytes)
{
	if (isnan(bytes))
		snprintf(buf, TEXT, "-");
	else
		units_bytes(buf, TEXT, bytes);
}

static void share_text(char *buf, double share)
{
	if (isnan(share))
		snprintf(buf, TEXT, "-");
	else
		units_share(buf, TEXT, share);
}

static uint64_t count_of(enum ring_column column, const struct aux_stats *s)
{
	switch (column) {
	case TRUNCATED:
		return s->truncated;
	case OVERWRITE:
		return s->overwrite;
	case PARTIAL:
		return s->partial;
	case COLLISION:
		return s->collision;
	case ITRACE:
		return s->itrace_starts;
	case HW_ID:
		return s->hw_ids;
	case REENABLED:
		return s->reenabled;
	default:
		return s->records;
	}
}

static void cell_text(enum ring_column column, const struct ring_row *r,
		      char buf[TEXT])
{
	const struct ring_aux *x = &r->aux;
	const struct ring_aux_reads *reads = &r->reads->aux;

	switch (column) {
	case RING:
		snprintf(buf, TEXT, "%s", r->label);
		break;
	case HEAD:
		bytes_text(buf, ring_row_has_aux_head(r) ? (double)x->position :
					      (double)NAN);
		break;
	case SIZE:
		units_bytes(buf, TEXT, (double)x->size);
		break;
	case FILL:
		share_text(buf, x->fill);
		break;
	case PEAK:
		share_text(buf, r->reads->aux.peak);
		break;
	case LAST_STOP:
		age_text(buf, r);
		break;
	case COST:
		if (isnan(reads->read_cost))
			snprintf(buf, TEXT, "-");
		else
			units_duration(buf, TEXT, reads->read_cost);
		break;
	case RATE:
		bytes_text(buf, x->bytes_per_s);
		break;
	case WRAPS:
		wraps_text(buf, x);
		break;
	case WATERMARK:
		bytes_text(buf, x->watermark ? (double)x->watermark :
					       (double)NAN);
		break;
	case STATE:
		state_text(buf, r);
		break;
	default:
		units_count(buf, TEXT, (double)count_of(column, &r->reads->stats.aux));
	}
}

/* What is lost stands out by a mark as well as by its colour. */
static enum role cell_role(enum ring_column column, const struct ring_row *r,
			   const char *text)
{
	const struct aux_stats *s = &r->reads->stats.aux;

	if (column == TRUNCATED && s->truncated)
		return ROLE_BAD;
	if ((column == PARTIAL && s->partial) ||
	    (column == COLLISION && s->collision))
		return ROLE_WARN;
	if (column == STATE && r->reads->aux.stopped && !r->gone)
		return ROLE_WARN;
	if (r->gone || !strcmp(text, "-") || !strcmp(text, "0") ||
	    !strcmp(text, "0+") || !strcmp(text, "never"))
		return ROLE_DIM;
	if (column == FILL || column == PEAK)
		return widget_level(column == FILL ? r->aux.fill :
						     r->reads->aux.peak);
	return ROLE_DEFAULT;
}

/* The ring in a line: where the head stands, and in full trace the tail. */
static void draw_position(struct area a, int row,
			  const struct list_place *place,
			  const struct ring_row *r)
{
	const struct ring_aux *x = &r->aux;
	struct widget_ring ring = aux_rings_shown(x);
	int cells = place->width - 2, col = place->col + 1;

	if (cells < 1)
		return;
	widget_ring(a, row, place->col, place->width, &ring,
		    aux_rings_role(r));
	if (!ring_row_has_aux_head(r))
		return;
	if (!x->overwrite)
		area_put(a, row, col + widget_ring_cell(&ring, x->tail, cells),
			 ROLE_TICK, widget_glyph(a, GLYPH_UP));
	area_put(a, row, col + widget_ring_cell(&ring, x->position, cells),
		 ROLE_TICK, widget_glyph(a, GLYPH_DOWN));
}

/* With @sums, what is not alarming looks as a header does. */
static void draw_cells(struct area a, int row, const struct list_place *places,
		       const struct ring_row *r, bool sums)
{
	char text[TEXT], marked[TEXT + 1];

	for (int i = 0; i < RING_COLUMNS; i++) {
		enum ring_column column = (enum ring_column)i;
		enum role role;

		if (column == POSITION || !places[i].width)
			continue;
		cell_text(column, r, text);
		role = cell_role(column, r, text);
		snprintf(marked, sizeof(marked), "%s%s",
			 role == ROLE_BAD ? "!" : "", text);
		if (sums && role != ROLE_BAD && role != ROLE_WARN)
			role = ROLE_HEADER;
		list_columns_cell(a, row, &columns[i], &places[i], role,
				  marked);
	}
}

static void draw_ring(const struct aux_view *v, struct area a, int row,
		      const struct list_place *places,
		      const struct ring_row *r, bool current)
{
	const struct list_place *picture = &places[POSITION];

	if (tags_has(&v->tags, (size_t)r->id))
		area_put(a, row, 0, ROLE_TAG, widget_glyph(a, GLYPH_TAG));
	if (r->gone)
		area_put(a, row, 1, ROLE_DIM, widget_glyph(a, GLYPH_GONE));
	else if (r->reads->aux.stopped)
		area_put(a, row, 1, ROLE_WARN, 'S');
	draw_position(a, row, picture, r);
	draw_cells(a, row, places, r, false);
	if (!current)
		return;
	/* all but the picture, which would say the opposite in reverse */
	area_reverse(a, row, 0, picture->width ? picture->col : a.cols);
	if (picture->width)
		area_reverse(a, row, picture->col + picture->width,
			     a.cols - picture->col - picture->width);
}

static void draw_total(const struct aux_view *v, struct area a, int row,
		       const struct list_place *places,
		       const struct frame *frame)
{
	static const enum ring_column summed[] = {
		RING, SIZE, RATE, TRUNCATED, OVERWRITE, PARTIAL, COLLISION,
		ITRACE, HW_ID, REENABLED, RECORDS,
	};
	struct list_place shown[RING_COLUMNS] = { 0 };
	struct ring_row all = frame->total.row;

	for (size_t i = 0; i < sizeof(summed) / sizeof(summed[0]); i++)
		shown[summed[i]] = places[summed[i]];
	snprintf(all.label, sizeof(all.label), "all %u",
		 (unsigned int)v->nr_rings);
	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	draw_cells(a, row, shown, &all, true);
}

/* The ring under the cursor in words: what a narrow screen cannot show. */
static void draw_focus(struct area a, const struct ring_row *r)
{
	const struct ring_aux *x = &r->aux;
	const struct ring_aux_reads *reads = &r->reads->aux;
	char text[320], age[8], cost[40] = "", duration[8];

	if (!isnan(reads->read_cost))
		snprintf(cost, sizeof(cost), " (it stopped for %s last time)",
			 units_duration(duration, sizeof(duration),
					reads->read_cost));
	if (!ring_row_has_aux_head(r))
		snprintf(text, sizeof(text), "%s: %s", r->label,
			 AUX_NEVER_STOPPED);
	else if (x->overwrite)
		snprintf(text, sizeof(text),
			 "%s: the head stood at %" PRIu64 " of %" PRIu64
			 " when tracing last stopped, %s ago; r reads it anew%s",
			 r->label, x->position, x->size,
			 units_duration(age, sizeof(age), reads->head_age), cost);
	else
		snprintf(text, sizeof(text),
			 "%s: head %" PRIu64 ", tail %" PRIu64 ": %" PRIu64
			 " bytes of %" PRIu64 " wait%s", r->label, x->head,
			 x->tail, x->used, x->size,
			 reads->stopped ? "; stopped" : "");
	area_wrapped(a, 0, ROLE_DIM, text);
}

/* Some columns say nothing of rings in one of the two modes. */
static void choose_columns(const struct aux_view *v, const struct frame *frame,
			   bool wanted[RING_COLUMNS])
{
	bool snapshot = false, full = false, rate = false;

	for (size_t i = 0; i < v->nr_rings; i++) {
		const struct ring_aux *x = &frame->rings[v->rings[i]].aux;

		snapshot |= x->overwrite;
		full |= !x->overwrite;
		rate |= !isnan(x->bytes_per_s);
	}
	for (int i = 0; i < RING_COLUMNS; i++)
		wanted[i] = true;
	wanted[LAST_STOP] = wanted[COST] = snapshot;
	wanted[FILL] = wanted[PEAK] = wanted[REENABLED] = full;
	wanted[WATERMARK] = full;
	wanted[RATE] = rate;
}

/* Lines below the rings: their sum, and the one under the cursor. */
static int below(const struct aux_view *v, bool roomy)
{
	return roomy ? FOCUS_ROWS + (v->nr_rings > 1) : 0;
}

int aux_rings_need(const struct aux_view *v, bool roomy)
{
	return 1 + (int)v->nr_rings + below(v, roomy);
}

static void draw_rings(const struct aux_view *v, const struct frame *frame,
		       struct area a, const struct list_place *places)
{
	const struct list *list = &v->lists[AUX_RINGS];

	for (int line = 0; line < a.rows; line++) {
		size_t row = list_row_at(list, line);

		if (row != LIST_NONE)
			draw_ring(v, a, line, places,
				  &frame->rings[v->rings[row]],
				  v->part == AUX_RINGS && row == list->cursor);
	}
}

void aux_rings_draw(struct aux_view *v, const struct frame *frame,
		    struct area a, bool roomy)
{
	struct list *list = &v->lists[AUX_RINGS];
	struct list_column fitted[RING_COLUMNS];
	struct list_place places[RING_COLUMNS];
	bool wanted[RING_COLUMNS];
	int rows = a.rows - 1 - below(v, roomy), cols;

	list_fit(list, v->nr_rings, rows);
	cols = a.cols - (list->nr > list->page);
	choose_columns(v, frame, wanted);
	memcpy(fitted, columns, sizeof(fitted));
	fitted[RING].width = rings_table_label_width(frame);
	if (a.cols >= WIDE)
		fitted[POSITION].width = WIDE_POSITION;
	list_columns_fit(fitted, RING_COLUMNS, wanted, AUX_GUTTER, cols,
			 places);
	list_columns_header(a, 0, fitted, RING_COLUMNS, places);
	draw_rings(v, frame, area_sub(a, 1, 0, rows, cols), places);
	widget_scrollbar(area_sub(a, 1, 0, rows, a.cols), list);
	if (!roomy)
		return;
	rows = 1 + (int)(list->nr < list->page ? list->nr : list->page);
	if (v->nr_rings > 1)
		draw_total(v, a, rows++, places, frame);
	if (aux_rings_current(v) != LIST_NONE)
		draw_focus(area_sub(a, rows, 0, FOCUS_ROWS, a.cols),
			   &frame->rings[aux_rings_current(v)]);
}
