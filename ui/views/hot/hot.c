/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/kit/tune.h"
#include "ui/views/hot/flame.h"
#include "ui/kit/widgets.h"

enum {
	NOTE_GAP = 3,	/* columns between notes */
	ROOMY = 10,	/* rows from which the row's file is told in full */
	SCROLL = 8,	/* columns of a name at a time */
};

static struct hot_view *hot_view(struct view *view)
{
	return (struct hot_view *)(void *)view;
}

static struct view *hot_create(struct shell *shell)
{
	struct hot_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_hot, .shell = shell };
	return &v->view;
}

static void hot_destroy(struct view *view)
{
	hot_rows_free(&hot_view(view)->rows);
	free(view);
}

/* "symbol, dso" */
static void keys_text_of(unsigned int keys, const struct hot *hot, char *buf,
			 size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned int key = 0; key < HOT_KEYS && len < size; key++) {
		const char *name = key == HOT_FIELD && *hot->field ?
			hot->field : hot_key_info((enum hot_key)key)->name;

		if (keys & 1u << key)
			len += (size_t)snprintf(buf + len, size - len, "%s%s",
						len ? ", " : "", name);
	}
}

/* What is grouped, of which samples, how sure the shares are. */
static void draw_what(const struct hot_view *v, const struct samples *samples,
		      struct area a)
{
	const struct hot_query *q = &v->view.shell->query;
	unsigned int k = samples->status.decode_every;
	const char *error = a.canvas->ascii ? "+- is 95 %" : "± is 95 %";
	char text[160], count[8];
	int col;

	keys_text_of(q->keys, samples->hot, text, sizeof(text));
	col = widget_note(a, 1, ROLE_TITLE, "by %s", text);
	col = widget_note(a, col, ROLE_DEFAULT, q->recent ? "recent" : "total");
	/* what fades is no number of samples */
	col = widget_note(a, col, ROLE_DEFAULT,
			  q->recent ? "weight %s" : "%s samples",
			  units_count(count, sizeof(count), v->rows.samples));
	col = widget_note(a, col, ROLE_DEFAULT, "by %s",
			  v->rows.by_events ? "events" : "samples");
	if (k > 1)
		col = widget_note(a, col, ROLE_WARN, "1 in %u decoded", k);
	/* It explains a heading: in full or not at all. */
	if (samples->hot->thinned && col + NOTE_GAP + text_width(error) <=
				     a.cols)
		widget_note(a, col, ROLE_WARN, "%s", error);
}

static bool draw_where(const struct hot_view *v, const struct hot *hot,
		       struct area a)
{
	const struct hot_query *q = &v->view.shell->query;
	char text[320], separator[12];

	if (!q->nr_where)
		return false;
	snprintf(separator, sizeof(separator), " %s ",
		 widget_glyph_text(a, GLYPH_RIGHT));
	narrow_text(hot, q, separator, text, sizeof(text));
	area_printf(a, 0, 1, ROLE_NOTICE, "only %s", text);
	return true;
}

/* What changes the picture and cannot be seen in it.  Columns drawn. */
static int draw_status(const struct hot_view *v, const struct samples *samples,
		       struct area a, bool show_file)
{
	const struct samples_status *s = &samples->status;
	const struct hot_query *q = &v->view.shell->query;
	const struct hot *hot = samples->hot;
	char text[16], file[256];
	int col = 1;

	if (*v->filter)
		col = widget_note(a, col, ROLE_NOTICE,
				  "filter \"%s\": %zu rows", v->filter,
				  v->rows.nr);
	if (*v->search)
		col = widget_note(a, col, ROLE_MATCH, "search \"%s\"%s",
				  v->search, v->no_match ? ": no match" : "");
	if (s->name_limit && s->name_bytes >= s->name_limit)
		col = widget_note(a, col, ROLE_WARN, "no room for new names");
	if (s->lag >= 2)
		col = widget_note(a, col, ROLE_WARN, "%.0f s behind", s->lag);
	if (hot->merged.sum > 0 && hot->total.sum > 0)
		col = widget_note(a, col, ROLE_DIM, "%.1f%% without detail",
				  hot->merged.sum / hot->total.sum * 100);
	if (show_file && q->keys & 1u << HOT_DSO &&
	    v->list.cursor < v->rows.nr)
		col = widget_note(a, col, ROLE_DIM, "%s",
				  hot_key_text(hot, HOT_DSO,
					&v->rows.rows[v->list.cursor].value,
					file, sizeof(file)));
	if (v->rows.left_out)
		col = widget_note(a, col, ROLE_DIM, "%s light rows left out",
				  units_count(text, sizeof(text),
					      (double)v->rows.left_out));
	return col - 1;
}

static void draw_empty(const struct hot_view *v, const struct frame *frame,
		       struct area a)
{
	const struct hot_query *q = &v->view.shell->query;
	const char *text = "no samples yet";

	if (*v->filter)
		text = "nothing matches the filter";
	else if (q->nr_where)
		text = "no such samples; Esc goes back";
	else if (q->keys & 1u << HOT_FIELD)
		text = "no sample has had this field since it was chosen";
	else if (q->recent && frame->samples->hot->total.sum > 0)
		text = "no recent samples; t shows all";
	area_text(a, a.rows / 2, 2, 0, ROLE_DIM, text);
}

static void seek(struct hot_view *v, const struct hot *hot, size_t from)
{
	v->seek = false;
	v->no_match = *v->search && !hot_order_seek(v, hot, from);
}

static void hot_draw(struct view *view, const struct frame *frame,
		     struct area area)
{
	struct hot_view *v = hot_view(view);
	const struct samples *samples = frame->samples;
	struct area body = area;

	if (!samples || !samples->hot) {
		area_wrapped(area_sub(area, 1, 2, area.rows - 1, area.cols - 4),
			     0, ROLE_DEFAULT, narrow_none(frame));
		return;
	}
	hot_order_update(v, samples->hot);
	if (v->seek)
		seek(v, samples->hot, v->search_from);
	draw_what(v, samples, area_sub(area, 0, 0, 1, area.cols));
	v->body = 1;
	if (draw_where(v, samples->hot,
		       area_sub(area, 1, 0, 1, area.cols)))
		v->body++;
	hot_list_header(v, samples->hot,
			area_sub(area, v->body++, 0, 1, area.cols));
	body.rows -= narrow_hidden(samples, body);
	if (draw_status(v, samples,
			area_sub(body, body.rows - 1, 0, 1, body.cols),
			area.rows >= ROOMY))
		body.rows--;
	body = area_sub(body, v->body, 0, body.rows - v->body, body.cols);
	if (!v->rows.nr)
		draw_empty(v, frame, body);
	hot_list_draw(v, samples->hot, body);
	if (v->pick.open)
		hot_pick_draw(v, samples, area);
}

static void search_done(struct view *view, const char *text, bool final)
{
	struct hot_view *v = hot_view(view);

	(void)final;
	text_copy(v->search, sizeof(v->search), text ? text : "");
	v->seek = *v->search;
}

static void filter_done(struct view *view, const char *text, bool final)
{
	struct hot_view *v = hot_view(view);

	(void)final;
	text_copy(v->filter, sizeof(v->filter), text ? text : "");
	v->stale = true;
}

static bool cancel(struct hot_view *v)
{
	if (*v->search)
		*v->search = '\0';
	else if (*v->filter)
		*v->filter = '\0';
	else
		return hot_order_widen(v);
	v->stale = true;
	return true;
}

static void say(struct hot_view *v, const char *text)
{
	if (text)
		v->view.shell->message(v->view.shell, ROLE_NOTICE, text);
}

static void sort_by(struct hot_view *v, const struct frame *frame,
		    bool children)
{
	if (children && !frame->samples->hot->chains) {
		say(v, narrow_no_chains(frame));
		return;
	}
	hot_order_sort(v, children ? HOT_SORT_CHILDREN : HOT_SORT_SELF);
}

static void scroll(struct hot_view *v, bool right)
{
	if (right)
		v->scroll += v->cut ? SCROLL : 0;
	else if (v->scroll)
		v->scroll -= SCROLL;
}

static bool list_keys(struct hot_view *v, const struct frame *frame,
		      enum action action)
{
	const struct samples *samples = frame->samples;
	struct shell *shell = v->view.shell;

	switch ((int)action) {
	case ACTION_GROUP:
		hot_pick_open(v, samples);
		return true;
	case ACTION_SORT:
		hot_pick_open_sort(v, samples->hot);
		return true;
	case ACTION_CHILDREN:
		sort_by(v, frame, !shell->query.by_children);
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
		scroll(v, action == ACTION_RIGHT);
		return true;
	case ACTION_TOTAL:
		shell->query.recent = !shell->query.recent;
		return true;
	case ACTION_SEARCH:
		v->search_from = v->list.cursor;
		shell->prompt(shell, "search: ", "", true, search_done,
			      &v->view);
		return true;
	case ACTION_SEARCH_NEXT:
		seek(v, samples->hot, v->list.cursor + 1);
		return true;
	case ACTION_FILTER:
		shell->prompt(shell, "filter: ", v->filter, true, filter_done,
			      &v->view);
		return true;
	default:
		return false;
	}
}

static bool hot_action(struct view *view, const struct frame *frame,
		       enum action action)
{
	struct hot_view *v = hot_view(view);
	const struct samples *samples = frame->samples;

	if (!samples || !samples->hot)
		return false;
	if (v->pick.open)
		return hot_pick_action(v, samples, action);
	hot_order_update(v, samples->hot);
	if (list_action(&v->list, action)) {
		hot_order_place(v, v->list.cursor);
		return true;
	}
	switch ((int)action) {
	case ACTION_OPEN:
		say(v, hot_order_narrow(v, samples->hot));
		return true;
	case ACTION_FLAME:
		view->shell->show(view->shell, VIEW_FLAME, 0);
		return true;
	case ACTION_WRITE_FLAME:
		flame_write(view->shell, frame);
		return true;
	case ACTION_CANCEL:
		return cancel(v);
	case ACTION_RATE:
		return tune_action(view, frame, action, NULL, 0);
	default:
		return list_keys(v, frame, action);
	}
}

/* On SELF, CHILDREN or the name: sort by it. */
static bool click_header(struct hot_view *v, const struct frame *frame,
			 int col)
{
	if (col >= v->name_col && col < v->name_col + v->name_width)
		hot_order_sort(v, HOT_SORT_NAME);
	else if (v->children_col >= 0 && col >= v->children_col &&
		 col < v->error_col)
		sort_by(v, frame, true);
	else if (col >= v->self_col && col < v->error_col)
		sort_by(v, frame, false);
	else
		return false;
	return true;
}

static bool hot_click(struct view *view, const struct frame *frame, int row,
		      int col, bool twice)
{
	struct hot_view *v = hot_view(view);
	const struct samples *samples = frame->samples;
	size_t at;

	if (!samples || !samples->hot)
		return false;
	if (v->pick.open) {
		hot_pick_click(v, samples, row, col);
		return true;
	}
	hot_order_update(v, samples->hot);
	if (row == v->body - 1)
		return click_header(v, frame, col);
	at = list_row_at(&v->list, row - v->body);
	if (at == LIST_NONE)
		return false;
	hot_order_place(v, at);
	if (twice)
		say(v, hot_order_narrow(v, samples->hot));
	return true;
}

static bool hot_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct hot_view *v = hot_view(view);

	if (!frame->samples || !frame->samples->hot)
		return false;
	if (v->pick.open) {
		list_scroll(&v->pick.list, lines);
		return true;
	}
	hot_order_update(v, frame->samples->hot);
	list_scroll(&v->list, lines);
	hot_order_place(v, v->list.cursor);
	return true;
}

static const enum action footer[] = {
	ACTION_HELP,   ACTION_OPEN,  ACTION_GROUP, ACTION_FLAME,
	ACTION_TOTAL,  ACTION_CHILDREN, ACTION_SORT, ACTION_SEARCH,
	ACTION_FILTER,
	ACTION_RESET,  ACTION_QUIT,  ACTION_NONE,
};

static const char *hot_label(enum action action)
{
	return action == ACTION_OPEN ? "Narrow" : NULL;
}

const struct view_ops view_hot = {
	.id = VIEW_HOT,
	.name = "Hot",
	.tab = true,
	.own_rings = true,
	.create = hot_create,
	.destroy = hot_destroy,
	.draw = hot_draw,
	.action = hot_action,
	.click = hot_click,
	.wheel = hot_wheel,
	.footer = footer,
	.label = hot_label,
};
