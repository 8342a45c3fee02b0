/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <stdio.h>

#include "ui/kit/tune.h"
#include "ui/views/ring_cells.h"

static int draw_word(struct area a, int col, enum role role, const char *word)
{
	return *word ? col + area_text(a, 0, col, 0, role, word) + 2 : col;
}

/* For another program's ring the owner comes first. */
static int draw_names(struct area a, const struct ring_row *r)
{
	char owner[32] = "owner unknown";
	int col;

	if (r->reads) {
		col = draw_word(a, 0, ROLE_TITLE, r->label);
		return draw_word(a, col, ROLE_VALUE, r->comm);
	}
	if (r->pid >= 0)
		snprintf(owner, sizeof(owner), "%s[%d]", r->comm, (int)r->pid);
	col = draw_word(a, 0, ROLE_TITLE, owner);
	if (r->self)
		col = draw_word(a, col, ROLE_DIM, "rbtop's own");
	col = draw_word(a, col, ROLE_VALUE, r->label);
	if (r->kind == RING_BPF)
		col = draw_word(a, col, ROLE_DEFAULT, r->to_kernel ?
				"BPF user ring buffer" : "BPF ring buffer");
	if (r->kind == RING_FTRACE)
		col = draw_word(a, col, ROLE_DEFAULT, "ftrace buffer");
	return draw_word(a, col, ROLE_LABEL, r->event);
}

int ring_title_draw(struct area a, const struct ring_row *r,
		    struct detail *d)
{
	int col = draw_names(a, r);

	if (r->gone)
		col = draw_word(a, col, ROLE_WARN, "gone: last figures");
	if (r->overwrite)
		col = draw_word(a, col, ROLE_NOTICE, "overwrite");
	if (r->paused && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "paused");
	if (r->reads && !r->enabled && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "disabled");
	if (r->stopped && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "stopped");
	detail_draw_place(d, a, col);
	return 1;
}

enum {
	THREE_COLUMNS = 179,	/* from this width on, less the scrollbar */
	TWO_COLUMNS = 119,
	PAIRS = 72,		/* from which histograms are side by side */
	GAP = 3,
};

/* The id is the index; rings stay in the frame when they are gone. */
static bool exists(const struct detail *d, const struct frame *frame,
		   uint64_t id)
{
	(void)d;
	return id < frame->nr_rings;
}

static void ring_init(struct view *view)
{
	detail_of(view)->exists = exists;
}

/* Overwrite, advice, history and histograms. */
static page_part *const outcome[] = { ring_figures_overwrite,
				      ring_figures_advice, ring_charts_history,
				      ring_charts_fill, ring_charts_latency,
				      NULL };

/* The outcome also takes the rows of the figures, to fit one screen. */
static int draw_three_columns(struct area a, int row,
			      const struct ring_row *r)
{
	static page_part *const top[] = { ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_types, ring_tables_pids,
					   NULL };
	static page_part *const middle[] = { ring_tables_events, NULL };
	int third = (a.cols - 2 * GAP) / 3, two = a.cols - third - GAP;
	struct area wide = area_sub(a, 0, 0, a.rows, two);
	int end_right = page_parts(area_sub(a, 0, two + GAP, a.rows, third),
				   row, r, outcome);

	row = page_parts(wide, row, r, top);
	row = page_columns(wide, row, r, left, middle);
	return row > end_right ? row : end_right;
}

static int draw_two_columns(struct area a, int row, const struct ring_row *r)
{
	static page_part *const top[] = { ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_types,
					   ring_tables_events,
					   ring_tables_pids, NULL };

	row = page_parts(a, row, r, top);
	return page_columns(a, row, r, left, outcome);
}

static int draw_one_column(struct area a, int row, const struct ring_row *r)
{
	static page_part *const first[] = { ring_figures_draw, ring_figures_aux,
					    ring_figures_overwrite,
					    ring_tables_types,
					    ring_tables_events, ring_tables_pids,
					    ring_charts_history, NULL };
	static page_part *const fill[] = { ring_charts_fill, NULL };
	static page_part *const latency[] = { ring_charts_latency, NULL };

	row = page_parts(a, row, r, first);
	if (a.cols >= PAIRS)
		return page_columns(a, row, r, fill, latency);
	row = page_parts(a, row, r, fill);
	return page_parts(a, row, r, latency);
}

static int draw_page(struct area a, const struct ring_row *r,
		     struct detail *d)
{
	static page_part *const advice[] = { ring_figures_advice, NULL };
	static page_part *const top[] = { ring_picture_draw, ring_picture_aux,
					  NULL };
	int row = ring_title_draw(a, r, d);

	/* first, so that it is visible without scrolling */
	if (a.cols < TWO_COLUMNS)
		row = page_parts(a, row, r, advice);
	row = page_parts(a, row, r, top);
	if (a.cols >= THREE_COLUMNS)
		row = draw_three_columns(a, row, r);
	else if (a.cols >= TWO_COLUMNS)
		row = draw_two_columns(a, row, r);
	else
		row = draw_one_column(a, row, r);
	return row - 1; /* no blank line at the end */
}

static void ring_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct detail *d = detail_of(view);
	struct area page;

	d->copies = exists(d, frame, d->id) &&
		    ring_cells_command(&frame->rings[d->id]);
	if (!exists(d, frame, d->id))
		area_text(area, 0, 0, 0, ROLE_DIM, "no such ring");
	else if (page_begin(&d->page, area, &page))
		page_end(&d->page, area,
			 draw_page(page, &frame->rings[d->id], d));
}

static bool ring_action(struct view *view, const struct frame *frame,
			enum action action)
{
	struct detail *d = detail_of(view);
	size_t ring = (size_t)d->id;

	if (action == ACTION_COPY) {
		ring_cells_copy(view, exists(d, frame, d->id) ?
				&frame->rings[ring] : NULL);
		return true;
	}
	return detail_action(view, frame, action) ||
	       tune_action(view, frame, action, &ring,
			   exists(d, frame, d->id));
}

/* The bottom line shows the snapshot of this ring, not of all rings. */
static const char *ring_label(const struct view *view, enum action action)
{
	if (action == ACTION_SNAPSHOT)
		return "";
	return action == ACTION_SNAPSHOT_SOME ? "Snapshot" :
						detail_label(view, action);
}

const struct view_ops view_ring_detail = {
	.id = VIEW_RING_DETAIL,
	.own_rings = true,
	.size = sizeof(struct detail),
	.init = ring_init,
	.release = detail_release,
	.draw = ring_draw,
	.action = ring_action,
	.click = detail_click,
	.wheel = detail_wheel,
	.focus = detail_focus,
	.label = ring_label,
};
