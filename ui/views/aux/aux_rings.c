/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/aux/aux.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ring/figures.h"
#include "ui/views/rings/rings.h"

enum {
	TEXT = 24,
	FOCUS_ROWS = 2,
	WIDE = 60,		/* from here on a picture is worth a figure */
	WIDE_POSITION = 14,
	POSITION = FIGURES,	/* the picture, which is no figure */
};

/* Columns of the list, and where they stand. */
struct aux_columns {
	size_t nr;
	int figures[LIST_COLUMNS];	/* enum figure, or POSITION */
	struct list_column columns[LIST_COLUMNS];
	struct list_place places[LIST_COLUMNS];
	bool wanted[LIST_COLUMNS];
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

/* Tracing may never have stopped yet. */
static char *cell_text(enum figure figure, const struct ring_row *r,
		       char buf[TEXT])
{
	bool known = figure_is_known(figure, r);

	if (figure == FIGURE_AUXAGE && r->aux.overwrite && !known) {
		snprintf(buf, TEXT, "never");
		return buf;
	}
	figure_text(figure, r, buf, TEXT);
	if (figure == FIGURE_AUXAGE && known)
		snprintf(buf + strlen(buf), TEXT - strlen(buf), " ago");
	return buf;
}

/* What is lost stands out by a mark as well as by its colour. */
static enum role cell_role(enum figure figure, const struct ring_row *r,
			   const char *text)
{
	const struct figure_info *info = figure_info(figure);
	double value = figure_number(figure, r);

	if (info->loss && value > 0)
		return ROLE_BAD;
	if (info->warns && value > 0)
		return ROLE_WARN;
	if (figure == FIGURE_AUXSTATE && r->reads->aux.stopped && !r->gone)
		return ROLE_WARN;
	if (r->gone || !strcmp(text, "-") || !strcmp(text, "0") ||
	    !strcmp(text, "0+") || !strcmp(text, "never"))
		return ROLE_DIM;
	return info->alarms ? widget_level(value) : ROLE_DEFAULT;
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

static bool is_summed(enum figure figure, const struct ring_row *sum)
{
	return figure == FIGURE_RING ||
	       (figure_info(figure)->summed && figure_is_known(figure, sum));
}

/* Of @sums only what is known; what is not alarming looks as a header. */
static void draw_cells(struct area a, int row, const struct aux_columns *c,
		       const struct ring_row *r, bool sums)
{
	char text[TEXT], marked[TEXT + 1];

	for (size_t i = 0; i < c->nr; i++) {
		enum figure figure = (enum figure)c->figures[i];
		enum role role;

		if (c->figures[i] == POSITION || !c->places[i].width ||
		    (sums && !is_summed(figure, r)))
			continue;
		cell_text(figure, r, text);
		role = cell_role(figure, r, text);
		snprintf(marked, sizeof(marked), "%s%s",
			 role == ROLE_BAD ? "!" : "", text);
		if (sums && role != ROLE_BAD && role != ROLE_WARN)
			role = ROLE_HEADER;
		list_columns_cell(a, row, &c->columns[i], &c->places[i], role,
				  marked);
	}
}

static void draw_ring(const struct aux_view *v, struct area a, int row,
		      const struct aux_columns *c, const struct ring_row *r,
		      bool current)
{
	struct list_place picture = { 0 };

	for (size_t i = 0; i < c->nr; i++)
		if (c->figures[i] == POSITION)
			picture = c->places[i];
	if (tags_has(&v->tags, (size_t)r->id))
		area_put(a, row, 0, ROLE_TAG, widget_glyph(a, GLYPH_TAG));
	if (r->gone)
		area_put(a, row, 1, ROLE_DIM, widget_glyph(a, GLYPH_GONE));
	else if (r->reads->aux.stopped)
		area_put(a, row, 1, ROLE_WARN, 'S');
	draw_position(a, row, &picture, r);
	draw_cells(a, row, c, r, false);
	if (!current)
		return;
	/* all but the picture, which would say the opposite in reverse */
	area_reverse(a, row, 0, picture.width ? picture.col : a.cols);
	if (picture.width)
		area_reverse(a, row, picture.col + picture.width,
			     a.cols - picture.col - picture.width);
}

static void draw_total(const struct aux_view *v, struct area a, int row,
		       const struct aux_columns *c, const struct frame *frame)
{
	struct ring_row all = frame->total.row;

	snprintf(all.label, sizeof(all.label), "all %u",
		 (unsigned int)v->nr_rings);
	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	draw_cells(a, row, c, &all, true);
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
			 units_duration(age, sizeof(age), reads->head_age),
			 cost);
	else
		snprintf(text, sizeof(text),
			 "%s: head %" PRIu64 ", tail %" PRIu64 ": %" PRIu64
			 " bytes of %" PRIu64 " wait%s", r->label, x->head,
			 x->tail, x->used, x->size,
			 reads->stopped ? "; stopped" : "");
	area_wrapped(a, 0, ROLE_DIM, text);
}

/*
 * Some columns say nothing of rings in one of the two modes: those of what is
 * unknown of all rings, but for a stop that may come at any moment; and that of
 * what is done where a ring ran full.
 */
static bool is_wanted(const struct aux_view *v, const struct frame *frame,
		      enum figure figure)
{
	bool any = false;

	for (size_t i = 0; i < v->nr_rings && !any; i++) {
		const struct ring_row *r = &frame->rings[v->rings[i]];

		if (figure == FIGURE_AUXAGE || figure == FIGURE_AUXCOST)
			any = r->aux.overwrite;
		else if (figure == FIGURE_REENABLED)
			any = !r->aux.overwrite;
		else
			any = figure_is_known(figure, r);
	}
	return any;
}

static void add_column(struct aux_columns *c, int figure, bool wanted,
		       const struct list_column *column)
{
	c->figures[c->nr] = figure;
	c->wanted[c->nr] = wanted;
	c->columns[c->nr++] = *column;
}

/* The figures of the list, and the picture behind the ring's name. */
static void choose_columns(const struct aux_view *v, const struct frame *frame,
			   bool wide, struct aux_columns *c)
{
	const struct list_column picture = {
		.header = "POSITION", .left = true, .rank = 2,
		.width = wide ? WIDE_POSITION : 10, .most = 120,
	};
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_AUX, all);

	c->nr = 0;
	for (size_t i = 0; i < nr && c->nr + 1 < LIST_COLUMNS; i++) {
		const struct list_column column = {
			.header = figure_header(all[i], IN_AUX),
			.width = all[i] == FIGURE_RING ?
					 rings_table_label_width(frame) :
					 figure_width(all[i], IN_AUX),
			.rank = figure_info(all[i])->in[IN_AUX].rank,
			.left = figure_info(all[i])->kind == FIGURE_IS_TEXT,
		};

		add_column(c, (int)all[i], is_wanted(v, frame, all[i]),
			   &column);
		if (all[i] == FIGURE_RING)
			add_column(c, POSITION, true, &picture);
	}
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
		       struct area a, const struct aux_columns *c)
{
	const struct list *list = &v->lists[AUX_RINGS];

	for (int line = 0; line < a.rows; line++) {
		size_t row = list_row_at(list, line);

		if (row != LIST_NONE)
			draw_ring(v, a, line, c,
				  &frame->rings[v->rings[row]],
				  v->part == AUX_RINGS && row == list->cursor);
	}
}

void aux_rings_draw(struct aux_view *v, const struct frame *frame,
		    struct area a, bool roomy)
{
	struct list *list = &v->lists[AUX_RINGS];
	int rows = a.rows - 1 - below(v, roomy), cols;
	struct aux_columns c;

	list_fit(list, v->nr_rings, rows);
	cols = a.cols - (list->nr > list->page);
	choose_columns(v, frame, a.cols >= WIDE, &c);
	list_columns_fit(c.columns, c.nr, c.wanted, AUX_GUTTER, cols,
			 c.places);
	list_columns_header(a, 0, c.columns, c.nr, c.places);
	draw_rings(v, frame, area_sub(a, 1, 0, rows, cols), &c);
	widget_scrollbar(area_sub(a, 1, 0, rows, a.cols), list);
	if (!roomy)
		return;
	rows = 1 + (int)(list->nr < list->page ? list->nr : list->page);
	if (v->nr_rings > 1)
		draw_total(v, a, rows++, &c, frame);
	if (aux_rings_current(v) != LIST_NONE)
		draw_focus(area_sub(a, rows, 0, FOCUS_ROWS, a.cols),
			   &frame->rings[aux_rings_current(v)]);
}
