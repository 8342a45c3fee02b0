/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host_detail.h"

#include <stdio.h>

#include "ui/views/host/host.h"
#include "ui/views/ring/ring_detail.h"

enum {
	TWO_COLUMNS = 119,	/* from this width on, less the scrollbar */
	GAP = 3,
};

static struct detail *detail(struct view *view)
{
	return (struct detail *)(void *)view;
}

static bool exists(const struct detail *d, const struct frame *frame,
		   uint64_t id)
{
	(void)d;
	return frame->host && host_find(frame->host, id);
}

static void host_init(struct view *view)
{
	detail(view)->exists = exists;
}

/* The pinned memory of the ring's user, and the ring's history. */
static int draw_right(struct area a, int row,
		      const struct host_detail_page *page)
{
	static page_part *const user[] = { host_parts_user, NULL };
	static page_part *const history[] = { ring_charts_history, NULL };

	row = page_parts(a, row, page, user);
	return page_parts(a, row, page->row, history);
}

static int draw_page(struct area a, const struct host_detail_page *page,
		     struct detail *d)
{
	/* warnings and advice first: visible without scrolling */
	static page_part *const top[] = { host_parts_warnings,
					  ring_figures_advice,
					  ring_picture_draw, ring_picture_aux,
					  ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_events,
					   host_parts_holders,
					   host_parts_programs, NULL };
	int row = ring_title_draw(a, page->row, d), half = (a.cols - GAP) / 2;
	int end;

	if (page->row->kind == RING_BPF)
		row = area_wrapped(a, row, ROLE_NOTICE,
				   page->host->status.uncounted);
	row = page_parts(a, row, page->row, top);
	if (a.cols < TWO_COLUMNS) {
		row = page_parts(a, row, page->row, left);
		return draw_right(a, row, page) - 1; /* no blank line at the
						      * end */
	}
	end = draw_right(area_sub(a, 0, half + GAP, a.rows, half), row, page);
	row = page_parts(area_sub(a, 0, 0, a.rows, half), row, page->row,
			 left);
	return (row > end ? row : end) - 1;
}

void host_count_drops(struct view *view, const struct frame *frame)
{
	const struct request rq = {
		.kind = REQUEST_DROPS,
		.on = frame->host && !frame->host->status.drops,
	};

	if (frame->host && frame->host->status.ready &&
	    !frame->host->status.bpf)
		view->shell->message(view->shell, ROLE_NOTICE,
				     "drops are counted by BPF, which is not "
				     "available here");
	else
		view->shell->request(view->shell, &rq);
}

static bool host_action(struct view *view, const struct frame *frame,
			enum action action)
{
	struct detail *d = detail(view);

	if (action == ACTION_DROPS)
		host_count_drops(view, frame);
	else if (action == ACTION_COPY)
		ring_cells_copy(view, exists(d, frame, d->id) ?
				host_find(frame->host, d->id) : NULL);
	else
		return detail_action(view, frame, action);
	return true;
}

static void host_draw(struct view *view, const struct frame *frame,
		      struct area area)
{
	struct detail *d = detail(view);
	struct host_detail_page page = { .host = frame->host };
	struct area inside;

	if (!exists(d, frame, d->id)) {
		area_wrapped(area, 0, ROLE_DIM, "this ring is gone; Left and "
			     "Right go to others");
		return;
	}
	page.row = host_find(frame->host, d->id);
	d->copies = ring_cells_command(page.row);
	if (page_begin(&d->page, area, &inside))
		page_end(&d->page, area, draw_page(inside, &page, d));
}

const struct view_ops view_host_detail = {
	.id = VIEW_HOST_DETAIL,
	.size = sizeof(struct detail),
	.init = host_init,
	.release = detail_release,
	.draw = host_draw,
	.action = host_action,
	.click = detail_click,
	.wheel = detail_wheel,
	.label = detail_label,
	.focus = detail_focus,
};
