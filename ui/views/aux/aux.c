/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX screen: AUX rings, below them the snapshots, and at the bottom lines
 * about recording, triggers and history.  The cursor can go from one list to
 * the other.
 */
#include "ui/views/aux/aux.h"

#include "ui/kit/tune.h"

enum {
	ROOMY = 14,		/* rows from which totals and headings fit */
	MIN_SNAPSHOTS = 2,	/* the header and one snapshot */
};

static struct aux_view *aux(struct view *view)
{
	return (struct aux_view *)(void *)view;
}

static void aux_init(struct view *view)
{
	aux_rings_init(&aux(view)->rings, view);
	aux_snapshots_init(&aux(view)->snapshots, view);
}

static void aux_release(struct view *view)
{
	listing_release(&aux(view)->rings.list.view);
	listing_release(&aux(view)->snapshots.view);
}

static struct listing *list_of(struct aux_view *v, enum aux_part part)
{
	return part == AUX_RINGS ? &v->rings.list : &v->snapshots;
}

/* Update both lists; the cursor goes to the one that is not empty. */
static void update(struct aux_view *v, const struct frame *frame)
{
	listing_update(&v->rings.list, frame);
	listing_update(&v->snapshots, frame);
	if (!frame->snapshots || !frame->snapshots->nr)
		v->part = AUX_RINGS;
	else if (!frame->total.aux_rings)
		v->part = AUX_SNAPSHOTS;
	v->rings.list.idle = v->part != AUX_RINGS;
	v->snapshots.idle = v->part != AUX_SNAPSHOTS;
}

/* Lines for the upper list: all that it needs, if the lower one keeps a third
 * or what it needs. */
static int upper_rows(const struct aux_view *v, int rows, bool roomy)
{
	int upper = aux_rings_need(&v->rings, roomy);
	int lower = aux_snapshots_need(&v->snapshots, roomy);
	int min = rows / 3 < MIN_SNAPSHOTS ? MIN_SNAPSHOTS : rows / 3;

	if (upper + lower <= rows)
		return upper;
	if (lower < min)
		min = lower;
	return upper < rows - min ? upper : rows - min;
}

static void blank(struct area a)
{
	for (int row = 0; row < a.rows; row++)
		area_fill(a, row, 0, a.cols, ROLE_DEFAULT, ' ');
}

/* Draw both lists in the first @rows rows of @a. */
static void draw_lists(struct aux_view *v, const struct frame *frame,
		       struct area a, int rows, bool roomy)
{
	int lower = aux_snapshots_need(&v->snapshots, roomy), upper;

	v->rings.roomy = roomy;
	if (frame->total.aux_rings) {
		upper = upper_rows(v, rows, roomy);
	} else {
		upper = aux_status_no_rings(v->view.shell, frame,
					    area_sub(a, 0, 0, rows, a.cols)) +
			roomy;
		if (upper > rows - lower && frame->snapshots)
			upper = rows - lower;
		upper = upper < 1 ? 1 : upper;
		if (frame->snapshots)
			blank(area_sub(a, upper, 0, a.rows - upper, a.cols));
	}
	if (frame->snapshots)
		aux_snapshots_draw(&v->snapshots, a, upper, a.rows - rows,
				   roomy);
	/* last: its popup is on top */
	if (frame->total.aux_rings)
		aux_rings_draw(&v->rings, a, upper, roomy);
}

static void aux_draw(struct view *view, const struct frame *frame,
		     struct area area)
{
	struct aux_view *v = aux(view);
	bool roomy = area.rows >= ROOMY;
	int status = aux_status_need(frame, roomy), rows = area.rows - status;

	update(v, frame);
	aux_status_draw(frame, area_sub(area, rows, 0, status, area.cols),
			roomy);
	draw_lists(v, frame, area, rows, roomy);
}

/* Move the cursor to a list, unless that is empty. */
static void go_to(struct aux_view *v, enum aux_part part)
{
	if (list_of(v, part)->list.nr)
		v->part = part;
}

/* Move to the other list: by Left and Right, or beyond the end of a list. */
static bool go_over(struct aux_view *v, enum action action)
{
	const struct list *list = &list_of(v, v->part)->list;

	if (action == ACTION_LEFT || action == ACTION_RIGHT) {
		go_to(v, action == ACTION_LEFT ? AUX_RINGS : AUX_SNAPSHOTS);
		return true;
	}
	if (action == ACTION_DOWN && v->part == AUX_RINGS &&
	    list->cursor + 1 >= list->nr)
		go_to(v, AUX_SNAPSHOTS);
	else if (action == ACTION_UP && v->part == AUX_SNAPSHOTS &&
		 list->cursor == 0)
		go_to(v, AUX_RINGS);
	else
		return false;
	return true;
}

/* For the tagged rings, else for the one under the cursor, if any. */
static bool tune_rings(struct aux_view *v, const struct frame *frame,
		       enum action action)
{
	struct listing *l = &v->rings.list;
	size_t nr = 0;

	if (v->part == AUX_RINGS || l->nr_tagged)
		nr = listing_targets(l);
	return tune_action(&v->view, frame, action, l->targets, nr);
}

static bool aux_action(struct view *view, const struct frame *frame,
		       enum action action)
{
	struct aux_view *v = aux(view);
	struct listing *l = &v->rings.list;

	if (l->pick.open)
		return listing_action(&l->view, frame, action);
	update(v, frame); /* it may not have been drawn yet */
	if (go_over(v, action))
		return true;
	if (action != ACTION_UNTAG)
		l = list_of(v, v->part);
	return listing_action(&l->view, frame, action) ||
	       tune_rings(v, frame, action);
}

static bool aux_click(struct view *view, const struct frame *frame, int row,
		      int col, bool twice)
{
	struct aux_view *v = aux(view);
	enum aux_part part = frame->snapshots &&
			     row >= v->snapshots.above ? AUX_SNAPSHOTS :
							      AUX_RINGS;

	if (v->rings.list.pick.open)
		part = AUX_RINGS;
	if (!listing_click(&list_of(v, part)->view, frame, row, col, twice))
		return false;
	go_to(v, part);
	return true;
}

static bool aux_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct aux_view *v = aux(view);

	return listing_wheel(&list_of(v, v->part)->view, frame, lines);
}

/* Keys without a use where there is no AUX ring. */
static bool is_for_rings(enum action action)
{
	return action == ACTION_GROW || action == ACTION_SHRINK ||
	       action == ACTION_TAG || action == ACTION_UNTAG ||
	       action == ACTION_RATE || action == ACTION_PAUSE ||
	       action == ACTION_ENABLE || action == ACTION_SORT ||
	       action == ACTION_INVERT || action == ACTION_SNAPSHOT_SOME;
}

static const char *label(const struct view *view, enum action action)
{
	const struct aux_view *v = (const void *)view;
	bool rings = v->part == AUX_RINGS;
	const struct listing *l = rings ? &v->rings.list : &v->snapshots;

	if (l->pick.open)
		return pick_label(action);
	if (!v->rings.list.list.nr && is_for_rings(action))
		return "";
	if (action == ACTION_RIGHT)
		return rings && v->snapshots.list.nr ? "Snapshots" : "";
	if (action == ACTION_LEFT)
		return !rings && v->rings.list.list.nr ? "Rings" : "";
	return action == ACTION_READ ? "Read heads" :
				       listing_label(&l->view, action);
}

const struct view_ops view_aux = {
	.id = VIEW_AUX,
	.own_rings = true,
	.size = sizeof(struct aux_view),
	.init = aux_init,
	.release = aux_release,
	.draw = aux_draw,
	.action = aux_action,
	.click = aux_click,
	.wheel = aux_wheel,
	.label = label,
};
