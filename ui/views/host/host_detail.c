/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host_detail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/kit/page.h"
#include "ui/kit/view.h"
#include "ui/views/host/host.h"
#include "ui/views/ring/ring_detail.h"
#include "ui/kit/widgets.h"

enum {
	TWO_COLUMNS = 119,	/* from this width on, less the scrollbar */
	GAP = 3,
};

struct host_detail {
	struct view view;
	uint64_t id;		/* of the row */
	struct page page;
};

static struct host_detail *detail(struct view *view)
{
	return (struct host_detail *)(void *)view;
}

static struct view *detail_create(struct shell *shell)
{
	struct host_detail *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_host_detail, .shell = shell };
	return &v->view;
}

static void detail_destroy(struct view *view)
{
	page_free(&detail(view)->page);
	free(view);
}

static void detail_focus(struct view *view, size_t id)
{
	struct host_detail *v = detail(view);

	if (id != v->id)
		v->page.list = (struct list){ 0 };
	v->id = id;
}

static int draw_word(struct area a, int col, enum role role, const char *word)
{
	return col + area_text(a, 0, col, 0, role, word) + 2;
}

/* Which of the list's rows it is, and that there are others. */
static void draw_place(struct area a, int col,
		       const struct host_detail_page *page)
{
	char place[64];

	snprintf(place, sizeof(place), "%s %zu of %zu %s",
		 widget_glyph_text(a, GLYPH_LEFT), page->place, page->of,
		 widget_glyph_text(a, GLYPH_RIGHT));
	if (page->place && col + text_width(place) < a.cols)
		area_text_right(a, 0, a.cols, ROLE_DIM, place);
}

static int draw_title(struct area a, int row, const void *ctx)
{
	const struct host_detail_page *page = ctx;
	const struct ring_row *r = page->row;
	char owner[32];
	int col;

	if (r->pid >= 0)
		snprintf(owner, sizeof(owner), "%s[%d]", r->comm, (int)r->pid);
	else
		snprintf(owner, sizeof(owner), "owner not known");
	col = draw_word(a, 0, ROLE_TITLE, owner);
	if (r->self)
		col = draw_word(a, col, ROLE_DIM, "rbtop's own");
	col = draw_word(a, col, ROLE_VALUE, r->label);
	if (r->kind == RING_BPF)
		col = draw_word(a, col, ROLE_DEFAULT, "BPF ring buffer");
	col = draw_word(a, col, ROLE_LABEL, r->event);
	if (r->gone)
		col = draw_word(a, col, ROLE_WARN, "gone: its last figures");
	if (r->overwrite)
		col = draw_word(a, col, ROLE_NOTICE, "overwrite");
	if (r->paused && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "paused");
	if (r->stopped && !r->gone)
		col = draw_word(a, col, ROLE_WARN, "stopped");
	draw_place(a, col, page);
	return row + 1;
}

/* Whose memory it is, and how it was. */
static int draw_right(struct area a, int row,
		      const struct host_detail_page *page)
{
	static page_part *const user[] = { host_parts_user, NULL };
	static page_part *const history[] = { ring_charts_history, NULL };

	row = page_parts(a, row, page, user);
	return page_parts(a, row, page->row, history);
}

static int draw_page(struct area a, const struct host_detail_page *page)
{
	/* what is wrong, and what would help: seen without scrolling */
	static page_part *const top[] = { host_parts_warnings,
					  ring_figures_advice,
					  ring_picture_draw, ring_picture_aux,
					  ring_figures_draw, ring_figures_aux,
					  NULL };
	static page_part *const left[] = { host_parts_events,
					   host_parts_holders, NULL };
	int row = draw_title(a, 0, page), half = (a.cols - GAP) / 2, end;

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

/* LIST_NONE: it was not listed when the detail was opened. */
static size_t place_of(const struct host_detail *v)
{
	const struct shell *shell = v->view.shell;

	for (size_t i = 0; i < shell->nr_listed; i++) {
		if (shell->listed[i] == v->id)
			return i;
	}
	return LIST_NONE;
}

static void detail_draw(struct view *view, const struct frame *frame,
			struct area area)
{
	struct host_detail *v = detail(view);
	struct host_detail_page page = {
		.host = frame->host,
		.place = place_of(v) + 1,	/* of LIST_NONE 0 */
		.of = view->shell->nr_listed,
	};
	struct area inside;

	if (frame->host)
		page.row = host_find(frame->host, v->id);
	if (!page.row) {
		area_wrapped(area, 0, ROLE_DIM, "this ring is gone, and some "
			     "time ago; Left and Right go to others");
		return;
	}
	if (page_begin(&v->page, area, &inside))
		page_end(&v->page, area, draw_page(inside, &page));
}

/*
 * The row before or after in the list as a person saw it, which sorts anew
 * all the time; without those that are no more.
 */
static void go(struct host_detail *v, const struct host *host, size_t by)
{
	struct shell *shell = v->view.shell;
	size_t at = place_of(v);

	if (at == LIST_NONE)
		return;
	do
		at += by;	/* before the first it wraps, to no place */
	while (at < shell->nr_listed && !host_find(host, shell->listed[at]));
	if (at >= shell->nr_listed)
		return;
	v->id = shell->listed[at];
	v->page.list = (struct list){ 0 };
	shell->visited_row = v->id;
}

static bool detail_action(struct view *view, const struct frame *frame,
			  enum action action)
{
	struct host_detail *v = detail(view);

	if (list_scroll_action(&v->page.list, action))
		return true;
	if (action != ACTION_LEFT && action != ACTION_RIGHT)
		return false;
	if (frame->host)
		go(v, frame->host, action == ACTION_LEFT ? (size_t)-1 : 1);
	return true;
}

static bool detail_wheel(struct view *view, const struct frame *frame,
			 int lines)
{
	(void)frame;
	list_scroll(&detail(view)->page.list, lines);
	return true;
}

static const enum action footer[] = {
	ACTION_HELP, ACTION_CANCEL, ACTION_LEFT, ACTION_RIGHT,
	ACTION_RESET, ACTION_FREEZE, ACTION_QUIT, ACTION_NONE,
};

const struct view_ops view_host_detail = {
	.id = VIEW_HOST_DETAIL,
	.name = "Ring",
	.create = detail_create,
	.destroy = detail_destroy,
	.draw = detail_draw,
	.action = detail_action,
	.wheel = detail_wheel,
	.focus = detail_focus,
	.footer = footer,
};
