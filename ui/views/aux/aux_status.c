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

int aux_status_need(const struct frame *frame, bool roomy)
{
	int rows = 0;

	for (int i = 0; frame->snapshots && i < NOTES; i++)
		rows += all_notes[i].has(frame->snapshots);
	return rows && !roomy ? 1 : rows;
}

void aux_status_draw(const struct frame *frame, struct area a, bool roomy)
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

int aux_status_no_rings(const struct shell *shell,
			const struct frame *frame, struct area a)
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
			    "Overwrite rings (--overwrite) can be saved, too, "
			    "to a file that perf can read.");
}
