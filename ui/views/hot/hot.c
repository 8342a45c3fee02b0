/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/kit/tune.h"
#include "ui/views/hot/flame.h"

enum {
	NOTE_GAP = 3,	/* columns between notes */
	WIDE = 100,	/* columns from which the grouping is a phrase */
	ROOMY = 10,	/* rows from which the row's file is shown in full */
};

static struct hot_view *hot_view(const void *view)
{
	return (struct hot_view *)(uintptr_t)view;
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

/* The first line: grouping, which samples, accuracy of the shares. */
static void draw_what(const struct hot_view *v, const struct samples *samples,
		      struct area a)
{
	const struct hot_query *q = &v->list.view.shell->query;
	unsigned int k = samples->status.decode_every;
	const char *error = a.canvas->ascii ? "+- is 95 %" : "± is 95 %";
	char text[160];
	int col;

	keys_text_of(q->keys, samples->hot, text, sizeof(text));
	col = widget_note(a, 1, ROLE_TITLE, "%sby %s",
			  a.cols < WIDE ? "" : "grouped ", text);
	if (q->part)
		col = widget_note(a, col, ROLE_NOTICE, "%s",
				  hot_part_name(q->part));
	col = narrow_which(a, col, v->list.frame, q, v->rows.samples);
	col = widget_note(a, col, ROLE_DEFAULT, "%s",
			  v->rows.by_events ? "weighted by period" :
					      "unweighted");
	if (k > 1)
		col = widget_note(a, col, ROLE_WARN, "1 in %u decoded", k);
	/* explains a heading: in full or not at all */
	if (samples->hot->thinned && col + NOTE_GAP + text_width(error) <=
				     a.cols)
		widget_note(a, col, ROLE_WARN, "%s", error);
}

/* The file of the row under the cursor, in full. */
static int note_file(const struct hot_view *v, const struct hot *hot,
		     struct area a, int col)
{
	const struct hot_row *row = listing_current(&v->list);
	char file[256];

	if (!v->roomy || !(v->query.keys & 1u << HOT_DSO) || !row)
		return col;
	return widget_note(a, col, ROLE_DIM, "%s",
			   hot_key_text(hot, HOT_DSO, &row->value, file,
					  sizeof(file)));
}

static int add_notes(const struct listing *l, struct area a, int col)
{
	const struct hot_view *v = hot_view(l);
	const struct hot *hot = l->frame->samples->hot;
	const struct samples_status *s = &l->frame->samples->status;
	char text[16];

	if (s->name_limit && s->name_bytes >= s->name_limit)
		col = widget_note(a, col, ROLE_WARN,
				  "memory for names is full");
	if (s->lag >= 2)
		col = widget_note(a, col, ROLE_WARN, "%.0f s behind", s->lag);
	if (hot->merged.sum > 0 && hot->total.sum > 0)
		col = widget_note(a, col, ROLE_DIM, "%.1f%% without detail",
				  hot->merged.sum / hot->total.sum * 100);
	col = note_file(v, hot, a, col);
	if (v->rows.left_out)
		col = widget_note(a, col, ROLE_DIM, "%s light rows left out",
				  units_count(text, sizeof(text),
					      (double)v->rows.left_out));
	return col;
}

static void draw_empty(const struct listing *l, struct area a)
{
	const struct hot_query *q = &l->view.shell->query;
	const char *text = "no samples yet";

	if (*l->filter)
		text = "nothing matches the filter";
	else if (q->part)
		text = "no such samples; press i for others";
	else if (q->nr_where)
		text = "no samples match; Esc goes back";
	else if (q->keys & 1u << HOT_FIELD)
		text = "no sample has had this field since it was chosen";
	else if (q->recent && l->frame->samples->hot->total.sum > 0)
		text = "no recent samples; t shows all";
	area_text(a, a.rows / 2, 2, 0, ROLE_DIM, text);
}

/* Mark rows that match the search, maybe in a text that is cut. */
static void draw_gutter(const struct listing *l, const void *row, struct area a)
{
	if (listing_found(l, row))
		area_put(a, 0, 0, ROLE_MATCH, '*');
}

static void say(struct hot_view *v, const char *text)
{
	struct shell *shell = v->list.view.shell;

	if (text)
		shell->message(shell, ROLE_NOTICE, text);
}

static void narrow(struct listing *l, const void *row)
{
	struct hot_view *v = hot_view(l);

	say(v, hot_order_narrow(v, l->frame->samples->hot, row));
}

static const struct listing_ops hot_listing = {
	.update = hot_order_update,
	.nr = hot_order_nr,
	.at = hot_order_at,
	.id = hot_order_id,
	.match = hot_order_match,
	.sorted = hot_order_sorted,
	.filter = hot_order_filter,
	.columns = hot_list_columns,
	.cell = hot_list_cell,
	.gutter = draw_gutter,
	.notes = add_notes,
	.empty = draw_empty,
	.open = narrow,
	.gutter_cols = 1,
	.natural = LISTING_UNSORTED,
};

static void hot_init(struct view *view)
{
	listing_init(&hot_view(view)->list, view, &hot_listing);
}

static void hot_release(struct view *view)
{
	hot_rows_free(&hot_view(view)->rows);
	listing_release(view);
}

static bool has_samples(const struct frame *frame)
{
	return frame->samples && frame->samples->hot;
}

static void hot_draw(struct view *view, const struct frame *frame,
		     struct area area)
{
	struct hot_view *v = hot_view(view);
	const struct samples *samples = frame->samples;

	if (!has_samples(frame)) {
		area_wrapped(area_sub(area, 1, 2, area.rows - 1, area.cols - 4),
			     0, ROLE_DEFAULT, narrow_none(frame));
		return;
	}
	v->list.above = 1 + narrow_draw(samples->hot, &view->shell->query,
					area_sub(area, 1, 0, 1, area.cols));
	v->list.below = narrow_hidden(samples, area);
	v->roomy = area.rows >= ROOMY;
	listing_draw(view, frame, area);
	draw_what(v, samples, area_sub(area, 0, 0, 1, area.cols));
	listing_draw_pick(&v->list, area);
	if (v->groups.open)
		hot_pick_draw(v, samples, area);
}

static void sort_by_children(struct hot_view *v, const struct frame *frame,
			     bool on)
{
	struct hot_query *q = &v->list.view.shell->query;

	if (on && !frame->samples->hot->chains) {
		say(v, narrow_no_chains(frame));
		return;
	}
	q->by_children = on;
	q->by_name = v->list.invert = false;
}

static bool hot_action(struct view *view, const struct frame *frame,
		       enum action action)
{
	struct hot_view *v = hot_view(view);
	struct shell *shell = view->shell;

	if (!has_samples(frame))
		return false;
	if (v->groups.open)
		return hot_pick_action(v, frame->samples, action);
	if (listing_action(view, frame, action))
		return true;
	if (v->list.pick.open)
		return false;
	switch ((int)action) {
	case ACTION_GROUP:
		hot_pick_open(v, frame->samples);
		return true;
	case ACTION_CHILDREN:
		sort_by_children(v, frame, !shell->query.by_children);
		return true;
	case ACTION_SORT_RATE:
	case ACTION_SORT_TOTAL:
		sort_by_children(v, frame, action == ACTION_SORT_TOTAL);
		return true;
	case ACTION_TOTAL:
		shell->query.recent = !shell->query.recent;
		return true;
	case ACTION_PART:
		shell->query.part = (shell->query.part + 1) % HOT_PARTS;
		return true;
	case ACTION_FLAME:
		shell->show(shell, VIEW_FLAME, 0);
		return true;
	case ACTION_WRITE_FLAME:
		flame_write(shell, frame);
		return true;
	case ACTION_CANCEL:
		return hot_order_widen(v);
	case ACTION_RATE:
		return tune_action(view, frame, action, NULL, 0);
	default:
		return false;
	}
}

static bool hot_click(struct view *view, const struct frame *frame, int row,
		      int col, bool twice)
{
	struct hot_view *v = hot_view(view);

	if (!has_samples(frame))
		return false;
	if (!v->groups.open)
		return listing_click(view, frame, row, col, twice);
	hot_pick_click(v, frame->samples, row, col);
	return true;
}

static bool hot_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct hot_view *v = hot_view(view);

	if (!v->groups.open)
		return has_samples(frame) && listing_wheel(view, frame, lines);
	list_scroll(&v->groups.list, lines);
	return true;
}

static const char *hot_label(const struct view *view, enum action action)
{
	const struct hot_view *v = hot_view(view);
	const char *label = listing_label(view, action);

	if (v->groups.open || v->list.pick.open)
		return pick_label(action);
	if (action == ACTION_CANCEL && !label && v->nr_steps)
		return "Widen";
	return action == ACTION_OPEN ? "Narrow" : label;
}

const struct view_ops view_hot = {
	.id = VIEW_HOT,
	.own_rings = true,
	.size = sizeof(struct hot_view),
	.init = hot_init,
	.release = hot_release,
	.draw = hot_draw,
	.action = hot_action,
	.click = hot_click,
	.wheel = hot_wheel,
	.label = hot_label,
};
