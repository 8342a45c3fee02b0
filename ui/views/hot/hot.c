/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/hot/hot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/draw/widgets.h"
#include "ui/kit/tune.h"

enum {
	PICK_WIDTH = 56,
	FIELDS = HOT_FIELD,	/* rows from here on are tracepoint fields */
	NOTE_GAP = 3,	/* columns between notes */
	WIDE = 100,	/* columns from which the grouping is a phrase */
	ROOMY = 10,	/* rows from which the row's file is shown in full */
};

static struct hot_view *hot_view(const void *view)
{
	return (struct hot_view *)(uintptr_t)view;
}

/* The key of a row: rows are the keys in their order, then the fields. */
static enum hot_key key_of(size_t row)
{
	return row < FIELDS ? (enum hot_key)row : HOT_FIELD;
}

static size_t nr_choices(const struct samples *samples)
{
	return FIELDS + samples->nr_trace_fields;
}

/* The keys of a row in a query; a symbol includes its file. */
static unsigned int keys_of(size_t row)
{
	enum hot_key key = key_of(row);

	return key == HOT_SYMBOL ? 1u << HOT_SYMBOL | 1u << HOT_DSO : 1u << key;
}

static bool is_field_now(const struct samples *samples, size_t row)
{
	return !strcmp(samples->trace_fields[row - FIELDS],
		       samples->hot->field);
}

/* Whether the list is grouped by the row's key now. */
static bool is_on(const struct hot_view *v, const struct samples *samples,
		  size_t row)
{
	unsigned int keys = v->list.view.shell->query.keys;

	if (!(keys & 1u << key_of(row)))
		return false;
	return row < FIELDS ? row != HOT_DSO || !(keys & 1u << HOT_SYMBOL) :
			      is_field_now(samples, row);
}

static void open_groups(struct hot_view *v, const struct samples *samples)
{
	size_t now = 0, nr = nr_choices(samples);

	while (now < nr && !is_on(v, samples, now))
		now++;
	pick_open(&v->groups, nr, now < nr ? now : 0);
}

struct drawing {
	const struct hot_view *view;
	const struct samples *samples;
};

static void draw_choice(const void *ctx, struct area line, size_t row)
{
	const struct drawing *d = ctx;
	const struct hot_key_info *info = hot_key_info(key_of(row));

	if (row >= nr_choices(d->samples))
		return;
	if (is_on(d->view, d->samples, row))
		area_put(line, 0, 1, ROLE_SORTED,
			 widget_glyph(line, GLYPH_TAG));
	if (row >= FIELDS) {
		area_text(line, 0, 3, 0, ROLE_VALUE,
			  d->samples->trace_fields[row - FIELDS]);
		return;
	}
	area_text(line, 0, 3, 10, ROLE_VALUE, info->name);
	area_text(line, 0, 14, 0, ROLE_DEFAULT, info->help);
}

/*
 * Request a field from the source, since samples only have the field that was
 * chosen.  False if it is refused.
 */
static bool ask_field(struct hot_view *v, const struct samples *samples,
		      size_t row)
{
	struct request rq = { .kind = REQUEST_FIELD };

	if (is_field_now(samples, row))
		return true;
	snprintf(rq.text, sizeof(rq.text), "%s",
		 samples->trace_fields[row - FIELDS]);
	return v->list.view.shell->request(v->list.view.shell, &rq);
}

static void group(struct hot_view *v, const struct samples *samples,
		  bool toggle)
{
	size_t row = v->groups.list.cursor;
	unsigned int keys = keys_of(row), now = v->list.view.shell->query.keys;

	if (row >= nr_choices(samples))
		return;
	if (toggle && is_on(v, samples, row))
		keys = now & ~keys;
	else if (toggle)
		keys |= now;
	if (row >= FIELDS && keys & 1u << HOT_FIELD &&
	    !ask_field(v, samples, row))
		return;
	if (keys)
		hot_list_group(v, keys);
}

/* Cursor keys, Enter, Space, Esc and the key that opened it. */
static bool groups_action(struct hot_view *v, const struct samples *samples,
			  enum action action)
{
	enum pick_result result = pick_action(&v->groups, action,
					      ACTION_GROUP);

	if (result == PICK_CHOSEN)
		group(v, samples, false);
	if (action != ACTION_TAG)
		return result != PICK_OTHER;
	group(v, samples, true);
	return true;
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
		pick_draw(&v->groups, area, PICK_WIDTH, "Group by", draw_choice,
			  &(struct drawing){ v, samples });
}

static void sort_by_children(struct hot_view *v, const struct frame *frame,
			     bool on)
{
	struct hot_query *q = &v->list.view.shell->query;

	if (on && !frame->samples->hot->chains) {
		v->list.view.shell->message(v->list.view.shell, ROLE_NOTICE,
					    narrow_no_chains(frame));
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
		return groups_action(v, frame->samples, action);
	if (listing_action(view, frame, action))
		return true;
	if (v->list.pick.open)
		return false;
	switch ((int)action) {
	case ACTION_GROUP:
		open_groups(v, frame->samples);
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
		shell->weights_chosen = true;
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
		return hot_list_widen(v);
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
	if (pick_click(&v->groups, row, col) == PICK_CHOSEN)
		group(v, frame->samples, false);
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
