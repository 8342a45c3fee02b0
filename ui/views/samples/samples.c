/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest samples as they come: the newest at the bottom, followed unless
 * the cursor was moved up.
 */
#include "ui/views/samples/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "samples/sample_filter.h"

enum { SCROLL = 8 };	/* columns of text at a time */

static struct samples_view *samples_view(struct view *view)
{
	return (struct samples_view *)(void *)view;
}

static struct view *samples_create(struct shell *shell)
{
	struct samples_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_samples, .shell = shell };
	v->detail = shell->sample;
	return &v->view;
}

static void samples_destroy(struct view *view)
{
	struct samples_view *v = samples_view(view);

	v->view.shell->filter = NULL;
	v->view.shell->feed = NULL;
	feed_free(v->held);
	sample_filter_free(v->filter);
	free(v->rows);
	free(v);
}

/* The cursor goes where a person went in the detail. */
static void follow_detail(struct samples_view *v)
{
	uint64_t sample = v->view.shell->sample;

	if (sample == v->detail)
		return;
	v->serial = v->detail = sample;
	v->moved = true;
}

static void draw_list(struct samples_view *v, const struct frame *frame,
		      struct area area)
{
	int rows = samples_status_rows(v, frame, area);
	struct area body = area_sub(area, 0, 0, area.rows - rows, area.cols);
	const struct feed *feed;

	samples_rows_update(v, frame->samples->feed, body.rows - 1);
	feed = samples_rows_feed(v, frame->samples->feed);
	if (v->seek && v->nr_rows)
		samples_rows_seek(v, feed,
				  samples_rows_at(v, v->search_from));
	v->seek = false;
	samples_table_draw(v, feed, body);
	if (!v->nr_rows)
		samples_status_empty(v, frame, area_sub(body, 1, 0,
							body.rows - 1,
							body.cols));
	samples_status_draw(v, frame, area_sub(area, body.rows, 0, rows,
					       area.cols));
}

static void samples_draw(struct view *view, const struct frame *frame,
			 struct area area)
{
	struct samples_view *v = samples_view(view);

	if (!frame->samples) {
		samples_status_empty(v, frame, area);
		return;
	}
	v->trace_fields = frame->samples->trace_fields;
	v->nr_trace_fields = frame->samples->nr_trace_fields;
	follow_detail(v);
	draw_list(v, frame, area);
}

/* Let the source take in only what matches, so that rare samples gather. */
static void request_filter(struct samples_view *v)
{
	struct shell *shell = v->view.shell;
	struct request rq = { .kind = REQUEST_FILTER };

	text_copy(rq.text, sizeof(rq.text), v->filter_text);
	shell->request(shell, &rq);
}

/* Takes @filter over; NULL: none. */
static void set_filter(struct samples_view *v, struct sample_filter *filter,
		       const char *text)
{
	sample_filter_free(v->filter);
	v->filter = filter;
	v->view.shell->filter = filter;
	text_copy(v->filter_text, sizeof(v->filter_text), text);
	samples_rows_forget(v);
}

static void clear_filter(struct samples_view *v)
{
	set_filter(v, NULL, "");
	*v->typed = '\0';
	request_filter(v);
}

/* What was typed makes no sense: back to what was there, unless it goes on. */
static void refuse_filter(struct samples_view *v, const struct err *err)
{
	struct shell *shell = v->view.shell;
	struct sample_filter *filter = NULL;

	if (*v->before)
		filter = sample_filter_new(v->before, NULL);
	set_filter(v, filter, filter ? v->before : "");
	shell->message(shell, ROLE_BAD, err->text);
}

/* NULL with @err, also where it asks for a field that no event here has. */
static struct sample_filter *read_filter(const struct samples_view *v,
					 const char *text, struct err *err)
{
	struct sample_filter *filter = sample_filter_new(text, err);

	if (!filter || sample_filter_check(filter, v->trace_fields,
					   v->nr_trace_fields, err) == 0)
		return filter;
	sample_filter_free(filter);
	return NULL;
}

/* While it is being typed, the last text that made sense holds. */
static void filter_done(struct view *view, const char *text, bool final)
{
	struct samples_view *v = samples_view(view);
	struct err err = { .kind = ERR_NONE };
	struct sample_filter *filter = NULL;

	text_copy(v->typed, sizeof(v->typed), text ? text : "");
	if (*v->typed)
		filter = read_filter(v, v->typed, &err);
	if (filter || !*v->typed)
		set_filter(v, filter, v->typed);
	else if (final)
		refuse_filter(v, &err);
	if (final && !err.code)
		request_filter(v);
}

static void ask_filter(struct samples_view *v)
{
	text_copy(v->before, sizeof(v->before), v->filter_text);
	v->view.shell->prompt(v->view.shell, "filter: ", v->typed, true,
			      filter_done, &v->view);
}

static void search_done(struct view *view, const char *text, bool final)
{
	struct samples_view *v = samples_view(view);

	(void)final;
	text_copy(v->search, sizeof(v->search), text ? text : "");
	v->no_match = false;
	v->seek = *v->search != '\0';
	if (!v->seek) { /* back to where it began */
		v->serial = v->search_from;
		v->moved = v->search_moved;
	}
}

static void ask_search(struct samples_view *v)
{
	bool moved = v->moved;

	samples_rows_remember(v);
	v->search_from = v->serial;
	v->search_moved = moved;
	v->view.shell->prompt(v->view.shell, "search: ", "", true, search_done,
			      &v->view);
}

static void search_next(struct samples_view *v, const struct feed *live)
{
	/* the feed may have lost samples since they were drawn */
	samples_rows_update(v, live, (int)v->list.page);
	if (*v->search && v->nr_rows)
		samples_rows_seek(v, samples_rows_feed(v, live),
				  v->list.cursor + 1);
}

static bool cancel(struct samples_view *v)
{
	if (*v->search)
		*v->search = '\0';
	else if (v->filter)
		clear_filter(v);
	else
		return false;
	return true;
}

/* What is listed now is held, so that one can go on to those beside it. */
static bool open_detail(struct samples_view *v, const struct feed *live)
{
	struct shell *shell = v->view.shell;

	if (!v->nr_rows)
		return true;
	v->serial = v->detail = shell->sample = v->rows[v->list.cursor];
	v->moved = true;	/* back to it, however much came meanwhile */
	samples_rows_update(v, live, (int)v->list.page);
	shell->show(shell, VIEW_SAMPLE_DETAIL, 0);
	return true;
}

/* First columns, then the text that is cut; and back. */
static void scroll(struct samples_view *v, bool right)
{
	if (right && v->more_columns)
		v->scroll++;
	else if (right)
		v->text_scroll += v->cut ? SCROLL : 0;
	else if (v->text_scroll)
		v->text_scroll -= SCROLL;
	else
		v->scroll -= v->scroll > 0;
}

static bool samples_action(struct view *view, const struct frame *frame,
			   enum action action)
{
	struct samples_view *v = samples_view(view);

	if (!frame->samples)
		return false;
	if (list_action(&v->list, action)) {
		samples_rows_remember(v);
		return true;
	}
	switch ((int)action) {
	case ACTION_LEFT:
	case ACTION_RIGHT:
		scroll(v, action == ACTION_RIGHT);
		return true;
	case ACTION_OPEN:
		return open_detail(v, frame->samples->feed);
	case ACTION_VALUES:
		v->values = !v->values;
		v->text_scroll = 0;
		return true;
	case ACTION_SEARCH:
		ask_search(v);
		return true;
	case ACTION_SEARCH_NEXT:
		search_next(v, frame->samples->feed);
		return true;
	case ACTION_FILTER:
		ask_filter(v);
		return true;
	case ACTION_CANCEL:
		return cancel(v);
	default:
		return false;
	}
}

static bool samples_click(struct view *view, const struct frame *frame,
			  int row, int col, bool twice)
{
	struct samples_view *v = samples_view(view);
	size_t at = list_row_at(&v->list, row - 1);

	(void)col;
	if (at == LIST_NONE || !frame->samples)
		return false;
	list_set(&v->list, at);
	samples_rows_remember(v);
	return twice ? open_detail(v, frame->samples->feed) : true;
}

static bool samples_wheel(struct view *view, const struct frame *frame,
			  int lines)
{
	struct samples_view *v = samples_view(view);

	(void)frame;
	list_scroll(&v->list, lines);
	if (lines > 0 && v->list.top + v->list.page >= v->list.nr)
		list_set(&v->list, v->list.nr); /* the end: follow again */
	samples_rows_remember(v);
	return true;
}

static const enum action footer[] = {
	ACTION_HELP,   ACTION_OPEN,   ACTION_SEARCH, ACTION_SEARCH_NEXT,
	ACTION_FILTER, ACTION_VALUES, ACTION_END,    ACTION_FREEZE,
	ACTION_SETUP,  ACTION_QUIT,   ACTION_NONE,
};

const struct view_ops view_samples = {
	.id = VIEW_SAMPLES,
	.name = "Samples",
	.tab = true,
	.own_rings = true,
	.create = samples_create,
	.destroy = samples_destroy,
	.draw = samples_draw,
	.action = samples_action,
	.click = samples_click,
	.wheel = samples_wheel,
	.footer = footer,
};
