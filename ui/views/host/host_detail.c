/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

#include <stdio.h>

#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/views/ring/ring_detail.h"

/* What the parts of the page are drawn from. */
struct host_detail_page {
	const struct host *host;
	const struct ring_row *row;
};

enum { UNIT_BUF = 16 };

/* The processes that hold the ring. */
static int draw_holder(struct area a, int row, const struct ring_holder *h,
		       enum ring_kind kind)
{
	int col;

	area_printf(a, row, 0, ROLE_DEFAULT, "%7d", (int)h->pid);
	col = 9 + area_text(a, row, 9, 15, ROLE_LABEL, h->comm);
	area_text(a, row, col + 2, 0, ROLE_DIM,
		  kind == RING_FTRACE ? "reads it" :
		  h->maps ? "has it mapped" : "holds a file descriptor");
	return row + 1;
}

static int draw_holders(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	unsigned int named = r->nr_holders < RING_HOLDERS ? r->nr_holders :
							    RING_HOLDERS;

	widget_heading(a, row++, "Held by");
	for (unsigned int i = 0; i < named; i++)
		row = draw_holder(a, row, &r->holders[i], r->kind);
	if (named < r->nr_holders)
		area_printf(a, row++, 0, ROLE_DIM, "and %u more",
			    r->nr_holders - named);
	if (!r->nr_holders)
		area_text(a, row++, 0, 0, ROLE_DIM, "no process seen");
	if (!r->mapped && !r->gone && r->kind != RING_FTRACE)
		row = area_wrapped(a, row, ROLE_DIM, r->kind == RING_PERF ?
				   "no process has it mapped: it is not "
				   "drained" :
				   "no mapping of it was seen");
	return row;
}

static void draw_runs(struct area a, int row, int col,
		      const struct ring_program *p)
{
	char runs[UNIT_BUF], mean[UNIT_BUF];

	if (p->runs)
		area_printf(a, row, col, ROLE_DIM, "%s runs, mean %s",
			    units_count(runs, sizeof(runs), (double)p->runs),
			    units_duration(mean, sizeof(mean),
					   (double)p->run_ns /
						   (double)p->runs / 1e9));
}

static int draw_programs(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;

	if (!r->nr_programs)
		return row;
	widget_heading(a, row++, "Used by BPF programs");
	for (unsigned int i = 0; i < r->nr_programs && i < RING_PROGRAMS; i++) {
		area_printf(a, row, 0, ROLE_DEFAULT, "%7u", r->programs[i].id);
		draw_runs(a, row, 11 + area_text(a, row, 9, 15, ROLE_LABEL,
						 r->programs[i].name),
			  &r->programs[i]);
		row++;
	}
	if (r->nr_programs > RING_PROGRAMS)
		area_printf(a, row++, 0, ROLE_DIM, "and %u more",
			    r->nr_programs - RING_PROGRAMS);
	return row;
}

static const struct host_user *user_of(const struct host_detail_page *page)
{
	for (size_t i = 0; i < page->host->nr_users; i++) {
		if (page->host->users[i].uid == page->row->uid)
			return &page->host->users[i];
	}
	return NULL;
}

static const char *known_bytes(uint64_t bytes, char *buf, size_t size)
{
	if (bytes == UNKNOWN)
		return "an unknown amount";
	return units_bytes(buf, size, (double)bytes);
}

/* The limits that perf_mmap() applies, in kernel/events/core.c. */
static int draw_limits(struct area a, int row, const struct host_user *u)
{
	char locked[8], limit[8], pinned[8], memlock[8], text[256];
	enum role role = u->at_limit ? ROLE_WARN : ROLE_DEFAULT;

	known_bytes(u->locked, locked, sizeof(locked));
	if (u->exempt) {
		snprintf(text, sizeof(text), "rings of %s pin %s, with no "
			 "limit: the owner has CAP_IPC_LOCK, or "
			 "perf_event_paranoid is below 0", u->name, locked);
		return area_wrapped(a, row, ROLE_DIM, text);
	}
	snprintf(text, sizeof(text), "rings of %s pin %s of the %s that "
		 "perf_event_mlock_kb allows on the online CPUs", u->name, locked,
		 known_bytes(u->limit, limit, sizeof(limit)));
	row = area_wrapped(a, row, role, text);
	if (u->memlock == UNKNOWN)
		return area_wrapped(a, row, ROLE_DIM, "beyond that, there is "
				    "no limit: RLIMIT_MEMLOCK is unlimited");
	snprintf(text, sizeof(text), "beyond that, one process pins %s of its "
		 "RLIMIT_MEMLOCK of %s%s",
		 known_bytes(u->pinned, pinned, sizeof(pinned)),
		 known_bytes(u->memlock, memlock, sizeof(memlock)),
		 u->at_limit ? "; raise one of the two limits" : "");
	return area_wrapped(a, row, role, text);
}

static int draw_pinned(struct area a, int row, const void *detail)
{
	const struct host_detail_page *page = detail;
	const struct host_user *u = user_of(page);
	char pins[8], text[128];

	if (page->row->locked == UNKNOWN)
		return row;
	widget_heading(a, row++, "Pinned memory");
	snprintf(text, sizeof(text), "this ring pins %s%s%s",
		 known_bytes(page->row->locked, pins, sizeof(pins)),
		 *page->row->user ? ", charged to " : "", page->row->user);
	row = area_wrapped(a, row, ROLE_DEFAULT, text);
	return u ? draw_limits(a, row, u) : row;
}

static int draw_warnings(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	struct area text = area_sub(a, 0, 2, a.rows, a.cols - 2);
	char buf[256];

	for (int i = 0; i < RING_WARNINGS; i++) {
		unsigned int bit = 1u << i;
		enum role role = ring_cells_alarm(bit);

		if (!(r->warnings & bit))
			continue;
		area_put(a, row, 0, role, '!');
		row = area_wrapped(text, row, role,
				   ring_warning_text((enum ring_warning)i,
						     r, buf,
						     sizeof(buf)));
	}
	return row;
}

enum {
	TWO_COLUMNS = 119,	/* from this width on, less the scrollbar */
	GAP = 3,
};

static bool exists(const struct detail *d, const struct frame *frame,
		   uint64_t id)
{
	(void)d;
	return frame->host && host_find(frame->host, id);
}

static void host_init(struct view *view)
{
	detail_of(view)->exists = exists;
}

/* The pinned memory of the ring's user, and the ring's history. */
static int draw_right(struct area a, int row,
		      const struct host_detail_page *page)
{
	static page_part *const user[] = { draw_pinned, NULL };
	static page_part *const history[] = { ring_charts_history, NULL };

	row = page_parts(a, row, page, user);
	return page_parts(a, row, page->row, history);
}

static int draw_page(struct area a, const struct host_detail_page *page,
		     struct detail *d)
{
	/* warnings and advice first: visible without scrolling */
	static page_part *const top[] = { draw_warnings,
					  ring_figures_advice,
					  ring_picture_draw, ring_picture_aux,
					  ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { ring_tables_events,
					   draw_holders,
					   draw_programs, NULL };
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
	struct detail *d = detail_of(view);

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
	struct detail *d = detail_of(view);
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
