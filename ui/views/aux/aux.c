/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUX rings above, snapshots taken below, and under these what is armed, kept
 * and recorded.  The cursor goes from one list to the other.
 */
#include "ui/views/aux/aux.h"

#include <stdlib.h>

#include "ui/kit/tune.h"

enum {
	ROOMY = 14,		/* rows from which sums and headings are there */
	LEAST_SNAPSHOTS = 2,	/* a header and one of them */
};

static struct aux_view *aux(struct view *view)
{
	return (struct aux_view *)(void *)view;
}

static struct view *aux_create(struct shell *shell)
{
	struct aux_view *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->view = (struct view){ .ops = &view_aux, .shell = shell };
	return &v->view;
}

static void aux_destroy(struct view *view)
{
	struct aux_view *v = aux(view);

	free(v->rings);
	tags_free(&v->tags);
	free(v);
}

/* The cursor goes where a person went in the detail. */
static void follow_detail(struct aux_view *v)
{
	struct shell *shell = v->view.shell;

	if (shell->visited == LIST_NONE || shell->tab != VIEW_AUX)
		return;
	for (size_t row = 0; row < v->nr_rings; row++) {
		if (v->rings[row] == shell->visited)
			v->lists[AUX_RINGS].cursor = row;
	}
	shell->visited = LIST_NONE;
}

/* The cursor is where something is. */
static void settle(struct aux_view *v, const struct frame *frame)
{
	bool snapshots = frame->snapshots && frame->snapshots->nr;

	if (!snapshots)
		v->part = AUX_RINGS;
	else if (!v->nr_rings)
		v->part = AUX_SNAPSHOTS;
	v->detail = v->detail && v->part == AUX_SNAPSHOTS;
}

/* Lines for the upper list: all that it needs, but not the lower one's. */
static int upper_rows(const struct aux_view *v, const struct frame *frame,
		      int rows, bool roomy)
{
	int upper = aux_rings_need(v, roomy);
	int lower = aux_snapshots_need(frame, roomy);
	int least = rows / 3 < LEAST_SNAPSHOTS ? LEAST_SNAPSHOTS : rows / 3;

	if (upper + lower <= rows)
		return upper;
	if (lower < least)
		least = lower;
	return upper < rows - least ? upper : rows - least;
}

static void draw_lists(struct aux_view *v, const struct frame *frame,
		       struct area a, bool roomy)
{
	int lower = aux_snapshots_need(frame, roomy), upper;

	if (v->nr_rings) {
		upper = upper_rows(v, frame, a.rows, roomy);
		aux_rings_draw(v, frame, area_sub(a, 0, 0, upper, a.cols),
			       roomy);
	} else {
		upper = aux_status_no_rings(v->view.shell, frame, a) + roomy;
		if (upper > a.rows - lower && frame->snapshots)
			upper = a.rows - lower;
		upper = upper < 1 ? 1 : upper;
	}
	v->first[AUX_RINGS] = 1;
	v->first[AUX_SNAPSHOTS] = upper + roomy + 1;
	if (!frame->snapshots)
		return;
	a = area_sub(a, upper, 0, a.rows - upper, a.cols);
	for (int row = 0; row < a.rows; row++)
		area_fill(a, row, 0, a.cols, ROLE_DEFAULT, ' ');
	aux_snapshots_draw(v, frame, a, roomy);
}

static void aux_draw(struct view *view, const struct frame *frame,
		     struct area area)
{
	struct aux_view *v = aux(view);
	bool roomy = area.rows >= ROOMY;
	int status = aux_status_need(frame, roomy);
	struct area lists = area_sub(area, 0, 0, area.rows - status,
				     area.cols);

	aux_rings_update(v, frame);
	aux_snapshots_update(v, frame);
	follow_detail(v);
	settle(v, frame);
	draw_lists(v, frame, lists, roomy);
	aux_status_draw(frame, area_sub(area, lists.rows, 0, status,
					area.cols), roomy);
	if (v->detail)
		aux_snapshots_detail(v, frame, area);
}

static void tag(struct aux_view *v)
{
	struct list *list = &v->lists[AUX_RINGS];
	size_t ring = aux_rings_current(v);

	if (v->part == AUX_RINGS && tags_toggle(&v->tags, ring))
		list_set(list, list->cursor + 1);
}

/* To the other list, where there is something in it. */
static void go_to(struct aux_view *v, const struct frame *frame,
		  enum aux_part part)
{
	if (v->lists[part].nr)
		v->part = part;
	aux_snapshots_placed(v, frame);
}

/* Moves within a list, and beyond its end into the other one. */
static bool move(struct aux_view *v, const struct frame *frame,
		 enum action action)
{
	struct list *list = &v->lists[v->part];
	size_t before = list->cursor;

	if (action == ACTION_LEFT || action == ACTION_RIGHT) {
		go_to(v, frame, action == ACTION_LEFT ? AUX_RINGS :
							AUX_SNAPSHOTS);
		return true;
	}
	if (!list_action(list, action))
		return false;
	if (list->cursor == before && action == ACTION_DOWN)
		go_to(v, frame, AUX_SNAPSHOTS);
	else if (list->cursor == before && action == ACTION_UP)
		go_to(v, frame, AUX_RINGS);
	aux_snapshots_placed(v, frame);
	return true;
}

static void open_row(struct aux_view *v)
{
	struct shell *shell = v->view.shell;

	if (v->part == AUX_SNAPSHOTS)
		v->detail = true;
	else if (aux_rings_current(v) != LIST_NONE)
		shell->show(shell, VIEW_RING_DETAIL, aux_rings_current(v));
}

static bool has_aux(const void *ctx, size_t ring)
{
	const struct frame *frame = ctx;

	return frame->rings[ring].aux.size;
}

/* The tagged rings, else the one under the cursor. */
static bool tune_rings(struct aux_view *v, const struct frame *frame,
		       enum action action)
{
	size_t current = v->part == AUX_RINGS ? aux_rings_current(v) :
						LIST_NONE;
	size_t nr = tags_targets(&v->tags, frame->nr_rings, current, has_aux,
				 frame);

	return tune_action(&v->view, frame, action, v->tags.targets, nr);
}

static bool aux_action(struct view *view, const struct frame *frame,
		       enum action action)
{
	struct aux_view *v = aux(view);

	aux_rings_update(v, frame); /* it may not have been drawn yet */
	if (v->detail && (action == ACTION_CANCEL || action == ACTION_OPEN)) {
		v->detail = false;
		return true;
	}
	if (move(v, frame, action))
		return true;
	switch ((int)action) {
	case ACTION_OPEN:
		open_row(v);
		return true;
	case ACTION_TAG:
		tag(v);
		return true;
	case ACTION_UNTAG:
		tags_clear(&v->tags);
		return true;
	default:
		return tune_rings(v, frame, action);
	}
}

/* The list whose rows are at a line of the area. */
static enum aux_part part_at(const struct aux_view *v, int row)
{
	return row >= v->first[AUX_SNAPSHOTS] - 1 ? AUX_SNAPSHOTS : AUX_RINGS;
}

static bool aux_click(struct view *view, const struct frame *frame, int row,
		      int col, bool twice)
{
	struct aux_view *v = aux(view);
	enum aux_part part = part_at(v, row);
	size_t at = list_row_at(&v->lists[part], row - v->first[part]);

	(void)col;
	if (v->detail) {
		v->detail = false;
		return true;
	}
	if (at == LIST_NONE)
		return false;
	v->part = part;
	list_set(&v->lists[part], at);
	aux_snapshots_placed(v, frame);
	if (twice)
		open_row(v);
	return true;
}

static bool aux_wheel(struct view *view, const struct frame *frame, int lines)
{
	struct aux_view *v = aux(view);

	list_scroll(&v->lists[v->part], lines);
	aux_snapshots_placed(v, frame);
	return true;
}

static const char *label(enum action action)
{
	if (action == ACTION_RIGHT)
		return "Snapshots";
	return action == ACTION_READ ? "Read heads" : NULL;
}

static const enum action footer[] = {
	ACTION_HELP,	 ACTION_SNAPSHOT, ACTION_SNAPSHOT_SOME,
	ACTION_READ,	 ACTION_RECORD,	  ACTION_OPEN,
	ACTION_RIGHT,	 ACTION_SNAPSHOT_CANCEL,
	ACTION_TAG,	 ACTION_ENABLE,	  ACTION_QUIT,
	ACTION_NONE,
};

const struct view_ops view_aux = {
	.id = VIEW_AUX,
	.name = "AUX",
	.tab = true,
	.own_rings = true,
	.create = aux_create,
	.destroy = aux_destroy,
	.draw = aux_draw,
	.action = aux_action,
	.click = aux_click,
	.wheel = aux_wheel,
	.footer = footer,
	.label = label,
};
