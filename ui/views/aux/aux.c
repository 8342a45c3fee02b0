/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX screen: AUX rings, below them the snapshots, and at the bottom lines
 * about recording, triggers and history.  The cursor can go from one list to
 * the other.
 */
#include "ui/views/aux/aux.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "ui/kit/tune.h"

enum {
	ROOMY = 14,		/* rows from which totals and headings fit */
	MIN_SNAPSHOTS = 2,	/* the header and one snapshot */
};

static bool has_trigger(const struct snapshots *s)
{
	return *s->armed || s->every > 0;
}

static bool has_history(const struct snapshots *s)
{
	return s->history_limit > 0;
}

static bool has_recording(const struct snapshots *s)
{
	return s->recording || *s->record_file || *s->record_error;
}

static int trigger_notes(const struct frame *frame, struct area a, int col)
{
	const struct snapshots *s = frame->snapshots;
	char every[8], left[8];

	if (*s->armed && s->cooldown_left > 0)
		col = widget_note(a, col, ROLE_DIM, "%s: armed again in %s",
				  s->armed,
				  units_duration(left, sizeof(left),
						 s->cooldown_left));
	else if (*s->armed)
		col = widget_note(a, col, ROLE_NOTICE, "armed: %s", s->armed);
	if (s->fired)
		col = widget_note(a, col, ROLE_DEFAULT,
				  "fired %" PRIu64 " time%s", s->fired,
				  s->fired > 1 ? "s" : "");
	if (s->every > 0)
		col = widget_note(a, col, ROLE_DEFAULT, "snapshot every %s",
				  units_duration(every, sizeof(every),
						 s->every));
	return col;
}

static int history_notes(const struct frame *frame, struct area a, int col)
{
	const struct snapshots *s = frame->snapshots;
	char used[8], limit[8], seconds[8], dropped[8], tasks[8] = "";

	col = widget_note(a, col, ROLE_DEFAULT, "history %s of %s",
			  units_bytes(used, sizeof(used),
				      (double)s->history_used),
			  units_bytes(limit, sizeof(limit),
				      (double)s->history_limit));
	col = widget_note(a, col, ROLE_DEFAULT, "last %s",
			  units_duration(seconds, sizeof(seconds),
					 s->history_seconds));
	if (s->tasks_limit)
		units_bytes(tasks, sizeof(tasks), (double)s->tasks_used);
	col = widget_note(a, col, ROLE_DEFAULT, "%s%s%zu processes",
			  tasks, *tasks ? " of " : "", s->history_processes);
	if (s->history_dropped)
		col = widget_note(a, col, ROLE_BAD,
				  "!%s tasks and maps dropped",
				  units_count(dropped, sizeof(dropped),
					      (double)s->history_dropped));
	return col;
}

static int ended_notes(const struct snapshots *s, struct area a, int col)
{
	char bytes[8];

	if (*s->record_error)
		col = widget_note(a, col, ROLE_BAD,
				  "!recording ended: %s",
				  s->record_error);
	else
		col = widget_note(a, col, ROLE_DEFAULT, "recorded %s",
				  units_bytes(bytes, sizeof(bytes),
					      (double)s->record_bytes));
	return *s->record_file ? widget_note(a, col, ROLE_DEFAULT, "%s",
					     s->record_file) : col;
}

static int recording_notes(const struct frame *frame, struct area a, int col)
{
	const struct snapshots *s = frame->snapshots;
	char bytes[8], since[8], missed[8];

	if (!s->recording)
		return ended_notes(s, a, col);
	col = widget_note(a, col, ROLE_NOTICE, "recording %s in %s",
			  units_bytes(bytes, sizeof(bytes),
				      (double)s->record_bytes),
			  units_duration(since, sizeof(since),
					 frame->time - s->record_since));
	if (s->record_missed)
		col = widget_note(a, col, ROLE_BAD, "!%s missed: %s",
				  units_bytes(missed, sizeof(missed),
					      (double)s->record_missed),
				  record_cause_text(s->record_cause));
	return widget_note(a, col, ROLE_DEFAULT, "%s", s->record_file);
}

/* A line of notes, if @has says so. */
struct notes {
	bool (*has)(const struct snapshots *s);
	int (*add)(const struct frame *frame, struct area a, int col);
};

static const struct notes all_notes[] = {
	{ has_recording, recording_notes },
	{ has_trigger, trigger_notes },
	{ has_history, history_notes },
};

enum { NOTES = sizeof(all_notes) / sizeof(all_notes[0]) };

/* Lines about recording, triggers and history: one for each that there is, but
 * at most one if not @roomy. */
static int status_rows(const struct frame *frame, bool roomy)
{
	int rows = 0;

	for (int i = 0; frame->snapshots && i < NOTES; i++)
		rows += all_notes[i].has(frame->snapshots);
	return rows && !roomy ? 1 : rows;
}

static void draw_status(const struct frame *frame, struct area a, bool roomy)
{
	int row = 0, col = 1;

	for (int i = 0; frame->snapshots && i < NOTES; i++) {
		if (!all_notes[i].has(frame->snapshots))
			continue;
		col = all_notes[i].add(frame, area_sub(a, row, 0, 1, a.cols),
				       col);
		row += roomy;
		col = roomy ? 1 : col;
	}
}

static size_t overwrite_rings(const struct frame *frame)
{
	size_t nr = 0;

	for (size_t i = 0; i < frame->nr_rings; i++)
		nr += frame->rings[i].overwrite;
	return nr;
}

/* A snapshot saves the overwrite rings; drawn in place of missing AUX rings. */
static int overwrite_text(const struct shell *shell,
			  const struct frame *frame, struct area a, size_t nr)
{
	bool can = tune_offers(shell, frame, ACTION_SNAPSHOT);
	char text[200];

	snprintf(text, sizeof(text),
		 "%s the records of %zu overwrite ring%s to a file that perf "
		 "can read.", can ? "s saves" : "A snapshot saves", nr,
		 nr > 1 ? "s" : "");
	return area_wrapped(a, 0, ROLE_DEFAULT, text);
}

/*
 * In place of the rings: what a snapshot can save, or which events trace.
 * Returns the row below.
 */
static int draw_no_rings(const struct shell *shell, const struct frame *frame,
			 struct area a)
{
	static const struct {
		const char *event, *what;
	} tracers[] = {
		{ "-e intel_pt//u", "Intel PT: every branch taken" },
		{ "-e intel_bts//u", "Intel BTS: the same, on older CPUs" },
		{ "-e cs_etm/@tmc_etr0/u", "Arm CoreSight" },
		{ "-e arm_spe_0//", "Arm SPE: sampled operations" },
	};
	size_t nr = overwrite_rings(frame);
	int row;

	if (frame->playback)
		return area_wrapped(a, 0, ROLE_DIM, "nothing was traced into "
				    "an AUX ring in this recording");
	if (nr && frame->snapshots)
		return overwrite_text(shell, frame, a, nr);
	row = area_wrapped(a, 0, ROLE_DEFAULT,
			   "No event here traces into an AUX ring. These do, "
			   "if the CPU has them:");
	for (size_t i = 0; i < sizeof(tracers) / sizeof(tracers[0]); i++) {
		area_text(a, row, 2, 0, ROLE_KEY, tracers[i].event);
		area_text(a, row++, 25, 0, ROLE_DIM, tracers[i].what);
	}
	if (!frame->snapshots)
		return row;
	return area_wrapped(a, row, ROLE_DEFAULT,
			    "Overwrite rings (--overwrite) can also be saved "
			    "to a file that perf can read.");
}

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

/* Draw both lists in the first @rows rows of @a. */
static void draw_lists(struct aux_view *v, const struct frame *frame,
		       struct area a, int rows, bool roomy)
{
	int lower = aux_snapshots_need(&v->snapshots, roomy), upper;

	v->rings.roomy = roomy;
	if (frame->total.aux_rings) {
		upper = upper_rows(v, rows, roomy);
	} else {
		upper = draw_no_rings(v->view.shell, frame,
					    area_sub(a, 0, 0, rows, a.cols)) +
			roomy;
		if (upper > rows - lower && frame->snapshots)
			upper = rows - lower;
		upper = upper < 1 ? 1 : upper;
		if (frame->snapshots)
			for (int row = upper; row < a.rows; row++)
				area_fill(a, row, 0, a.cols, ROLE_DEFAULT,
					  ' ');
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
	int status = status_rows(frame, roomy), rows = area.rows - status;

	update(v, frame);
	draw_status(frame, area_sub(area, rows, 0, status, area.cols),
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
