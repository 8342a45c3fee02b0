/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/aux/aux.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "ui/kit/tune.h"

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

static int trigger_notes(const struct snapshots *s, struct area a, int col)
{
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
		col = widget_note(a, col, ROLE_DEFAULT, "one every %s",
				  units_duration(every, sizeof(every),
						 s->every));
	return col;
}

static int history_notes(const struct snapshots *s, struct area a, int col)
{
	char used[8], limit[8], seconds[8], dropped[8], tasks[8] = "";

	col = widget_note(a, col, ROLE_DEFAULT, "history %s of %s",
			  units_bytes(used, sizeof(used),
				      (double)s->history_used),
			  units_bytes(limit, sizeof(limit),
				      (double)s->history_limit));
	col = widget_note(a, col, ROLE_DEFAULT, "%s back",
			  units_duration(seconds, sizeof(seconds),
					 s->history_seconds));
	if (s->tasks_limit)
		units_bytes(tasks, sizeof(tasks), (double)s->tasks_used);
	col = widget_note(a, col, ROLE_DEFAULT, "%s%s%zu processes",
			  tasks, *tasks ? " of " : "", s->history_processes);
	if (s->history_dropped)
		col = widget_note(a, col, ROLE_BAD,
				  "!%s found no room",
				  units_count(dropped, sizeof(dropped),
					      (double)s->history_dropped));
	return col;
}

static int ended_notes(const struct snapshots *s, struct area a, int col)
{
	char bytes[8];

	if (*s->record_error)
		col = widget_note(a, col, ROLE_BAD,
				  "!the recording has ended: %s",
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

int aux_status_need(const struct frame *frame, bool roomy)
{
	const struct snapshots *s = frame->snapshots;
	int rows;

	if (!s)
		return 0;
	rows = has_trigger(s) + has_history(s) + has_recording(s);
	return rows && !roomy ? 1 : rows;
}

void aux_status_draw(const struct frame *frame, struct area a, bool roomy)
{
	const struct snapshots *s = frame->snapshots;
	int col = 1;

	if (!s)
		return;
	if (has_recording(s))
		col = recording_notes(frame, a, col);
	if (roomy && has_recording(s)) {
		a = area_sub(a, 1, 0, a.rows - 1, a.cols);
		col = 1;
	}
	if (has_trigger(s))
		col = trigger_notes(s, a, col);
	if (roomy && has_trigger(s)) {
		a = area_sub(a, 1, 0, a.rows - 1, a.cols);
		col = 1;
	}
	if (has_history(s))
		history_notes(s, a, col);
}

static size_t overwrite_rings(const struct frame *frame)
{
	size_t nr = 0;

	for (size_t i = 0; i < frame->nr_rings; i++)
		nr += frame->rings[i].overwrite;
	return nr;
}

/* What there is to save comes before what there is not. */
static int overwrite_text(const struct shell *shell,
			  const struct frame *frame, struct area a, size_t nr)
{
	bool can = tune_offers(shell, frame, ACTION_SNAPSHOT);
	char text[200];

	snprintf(text, sizeof(text),
		 "%s what %zu overwrite ring%s into a file that perf reads.",
		 can ? "s saves" : "A snapshot saves", nr,
		 nr > 1 ? "s hold" : " holds");
	return area_wrapped(a, 0, ROLE_DEFAULT, text);
}

int aux_status_no_rings(const struct shell *shell,
			const struct frame *frame, struct area a)
{
	static const struct {
		const char *event, *what;
	} tracers[] = {
		{ "-e intel_pt//u", "Intel PT: every branch taken" },
		{ "-e intel_bts//u", "Intel BTS: the same, of older CPUs" },
		{ "-e cs_etm/@tmc_etr0/u", "Arm CoreSight" },
		{ "-e arm_spe_0//", "Arm SPE: sampled operations" },
	};
	size_t nr = overwrite_rings(frame);
	int row;

	if (nr && frame->snapshots)
		return overwrite_text(shell, frame, a, nr);
	row = area_wrapped(a, 0, ROLE_DEFAULT,
			   "No event here traces into an AUX ring. These do, "
			   "where the CPU has them:");
	for (size_t i = 0; i < sizeof(tracers) / sizeof(tracers[0]); i++) {
		area_text(a, row, 2, 0, ROLE_KEY, tracers[i].event);
		area_text(a, row++, 25, 0, ROLE_DIM, tracers[i].what);
	}
	if (!frame->snapshots)
		return row;
	return area_wrapped(a, row, ROLE_DEFAULT,
			    "Rings of --overwrite can be saved too: a snapshot "
			    "is a file that perf reads.");
}
