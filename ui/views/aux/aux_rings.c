/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/aux/aux.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum {
	FOCUS_ROWS = 2,
	WIDE = 60,		/* columns from which POSITION is wider */
	WIDE_POSITION = 14,
	POSITION = FIGURES,	/* id of the picture, which is no figure */
};

struct widget_ring aux_rings_shown(const struct ring_aux *x)
{
	struct widget_ring ring = { .size = x->size, .from = x->tail,
				    .used = x->used };

	if (!x->overwrite)
		return ring;
	/* after the first wrap the oldest byte is at the head */
	ring.from = x->wraps ? x->position : 0;
	ring.used = x->wraps ? x->size : x->position;
	return ring;
}

enum role aux_rings_role(const struct ring_row *r)
{
	if (r->gone)
		return ROLE_DIM;
	return r->aux.overwrite ? ROLE_SPARK :
	       widget_level(r->aux.fill, ring_row_aux_mark(r));
}

static size_t nr_rings(const struct listing *l)
{
	return l->frame->nr_rings;
}

static const void *ring_at(const struct listing *l, size_t i)
{
	return l->frame->rings[i].aux.size ? &l->frame->rings[i] : NULL;
}

/* Columns and cells */

/*
 * Whether a column applies to any ring: LAST STOP and COST to rings in snapshot
 * mode, also before the first stop; RE-EN to rings in full trace; others if
 * they are known of any ring.
 */
static bool is_wanted(const struct listing *l, enum figure figure)
{
	bool any = false;

	for (size_t i = 0; i < l->frame->nr_rings && !any; i++) {
		const struct ring_row *r = ring_at(l, i);

		if (!r)
			continue;
		if (figure == FIGURE_AUXAGE || figure == FIGURE_AUXCOST)
			any = r->aux.overwrite;
		else if (figure == FIGURE_REENABLED)
			any = !r->aux.overwrite;
		else
			any = figure_is_known(figure, r);
	}
	return any;
}

static struct list_column picture_column(int cols)
{
	return (struct list_column){
		.id = POSITION, .header = "POSITION", .left = true, .rank = 2,
		.width = cols >= WIDE ? WIDE_POSITION : 10, .rest = true,
		.max = 120, .fixed = true,
	};
}

/*
 * The chosen figures, then the others, hidden, which can be sorted by; all of
 * them if none is chosen.  The picture is after the ring's name.
 */
static size_t columns(struct listing *l, int cols, struct list_column *columns)
{
	const struct config_columns *chosen =
		&l->view.shell->config->columns[CONFIG_AUX];
	unsigned int order[CONFIG_COLUMNS];
	size_t nr_all = config_columns_order(CONFIG_AUX, chosen, order), nr = 0;

	for (size_t i = 0; i < nr_all; i++) {
		enum figure figure = (enum figure)order[i];

		columns[nr] = ring_cells_column(figure, IN_AUX);
		columns[nr].width = figure_width(figure, IN_AUX);
		columns[nr].fixed = true;
		columns[nr++].hidden = !is_wanted(l, figure) ||
				       (chosen->nr && i >= chosen->nr);
		if (figure != FIGURE_RING)
			continue;
		columns[nr - 1].width =
			ring_cells_label_width(l->frame->rings,
					       l->frame->nr_rings, IN_RINGS);
		columns[nr] = picture_column(cols);
		columns[nr++].hidden = l->frame->playback;
	}
	return nr;
}

/* Draw the ring in a line, with its head, and in full trace its tail. */
static void draw_position(const struct ring_row *r, struct area cell)
{
	const struct ring_aux *x = &r->aux;
	struct widget_ring ring = aux_rings_shown(x);
	int cells = cell.cols - 2;

	if (cells < 1)
		return;
	widget_ring(cell, 0, 0, cell.cols, &ring, aux_rings_role(r));
	if (!ring_row_has_aux_head(r))
		return;
	if (!x->overwrite)
		area_put(cell, 0, 1 + widget_ring_cell(&ring, x->tail, cells),
			 ROLE_TICK, widget_glyph(cell, GLYPH_UP));
	area_put(cell, 0, 1 + widget_ring_cell(&ring, x->position, cells),
		 ROLE_TICK, widget_glyph(cell, GLYPH_DOWN));
}

static enum role draw_sum(const struct frame *frame, enum figure figure,
			  struct area cell, char *text)
{
	const struct ring_row *sum = &frame->total.row;

	if (figure == FIGURE_RING)
		snprintf(text, LISTING_CELL, "all %u",
			 frame->total.aux_rings);
	else if (figure < FIGURES && figure_info(figure)->summed)
		return ring_cells_sum(figure, sum, cell, text);
	return ROLE_HEADER;
}

static enum role draw_cell(struct listing *l, const void *row,
			   const struct list_column *column, struct area cell,
			   char *text)
{
	enum figure figure = (enum figure)column->id;
	const struct ring_row *r = row;
	enum role role;

	if (!r)
		return draw_sum(l->frame, figure, cell, text);
	if (column->id == POSITION) {
		draw_position(r, cell);
		return ROLE_DEFAULT;
	}
	role = ring_cells_draw(figure, r, cell, text);
	if (figure != FIGURE_AUXAGE)
		return role;
	/* tracing may not have been stopped yet */
	if (figure_is_known(figure, r))
		strcat(text, " ago");
	else if (r->aux.overwrite)
		snprintf(text, LISTING_CELL, "never");
	return role;
}

static void draw_gutter(const struct listing *l, const void *row, struct area a)
{
	const struct ring_row *r = row;

	(void)l;
	if (r->gone)
		area_put(a, 0, 1, ROLE_DIM, widget_glyph(a, GLYPH_GONE));
	else if (r->reads->aux.stopped)
		area_put(a, 0, 1, ROLE_WARN, 'S');
}

static bool has_total(const struct listing *l)
{
	return ((const struct aux_rings *)(const void *)l)->roomy &&
	       l->frame->total.aux_rings > 1;
}

static const struct listing_key sort_keys[] = {
	{ ACTION_SORT_RATE, FIGURE_AUXRATE },
	{ ACTION_SORT_SIZE, FIGURE_AUX },
	{ ACTION_SORT_TOTAL, FIGURE_AUXWRAPS },
	{ ACTION_SORT_NUMBER, LISTING_UNSORTED },
	{ ACTION_NONE, LISTING_UNSORTED },
};

static const struct listing_ops aux_rings_listing = {
	.nr = nr_rings,
	.at = ring_at,
	.id = ring_cells_id,
	.match = ring_cells_match,
	.compare = ring_cells_compare,
	.is_known = ring_cells_is_known,
	.columns = columns,
	.cell = draw_cell,
	.gutter = draw_gutter,
	.has_total = has_total,
	.detail = VIEW_RING_DETAIL,
	.gutter_cols = RING_CELLS_GUTTER,
	.natural = FIGURE_RING,
	.keys = sort_keys,
	.tags = true,
};

void aux_rings_init(struct aux_rings *v, const struct view *view)
{
	listing_init(&v->list, view, &aux_rings_listing);
}

/* A text about the ring under the cursor, with what narrow screens hide. */
static void draw_focus(struct area a, const struct ring_row *r)
{
	const struct ring_aux *x = &r->aux;
	const struct ring_aux_reads *reads = &r->reads->aux;
	char text[320], age[8], cost[48] = "", duration[8];

	if (!isnan(reads->read_cost))
		snprintf(cost, sizeof(cost), " (last time, tracing stopped for "
			 "%s)", units_duration(duration, sizeof(duration),
					reads->read_cost));
	if (x->size == UNKNOWN)
		snprintf(text, sizeof(text), "%s: %s", r->label,
			 AUX_OF_RECORDS);
	else if (!ring_row_has_aux_head(r))
		snprintf(text, sizeof(text), "%s: %s", r->label,
			 AUX_NEVER_STOPPED);
	else if (x->overwrite)
		snprintf(text, sizeof(text),
			 "%s: the head was at %" PRIu64 " of %" PRIu64
			 " when tracing last stopped, %s ago; r reads it again%s",
			 r->label, x->position, x->size,
			 units_duration(age, sizeof(age), reads->head_age),
			 cost);
	else
		snprintf(text, sizeof(text),
			 "%s: head %" PRIu64 ", tail %" PRIu64 ", %" PRIu64
			 " of %" PRIu64 " bytes waiting%s", r->label, x->head,
			 x->tail, x->used, x->size,
			 reads->stopped ? "; tracing is stopped" : "");
	area_wrapped(a, 0, ROLE_DIM, text);
}

int aux_rings_need(const struct aux_rings *v, bool roomy)
{
	return listing_lines(&v->list) + (roomy ? FOCUS_ROWS : 0);
}

void aux_rings_draw(struct aux_rings *v, struct area a, int lines, bool roomy)
{
	int list = lines - (roomy ? FOCUS_ROWS : 0);

	v->list.below = a.rows - list;
	if (roomy && listing_current(&v->list))
		draw_focus(area_sub(a, list, 0, FOCUS_ROWS, a.cols),
			   listing_current(&v->list));
	listing_draw(&v->list.view, v->list.frame, a); /* its popup on top */
}
