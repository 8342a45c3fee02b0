/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The snapshots taken, the newest on top, and all about one of them. */
#include "ui/views/aux/aux.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/kit/tune.h"

enum snapshot_column {
	NUMBER, TIME, TRIGGER, STATE, RINGS, BYTES, STOP, SPREAD, FILE_NAME,
	SNAPSHOT_COLUMNS
};

enum { TEXT = 256, LABEL = 10, DETAIL_ROWS = 13, DETAIL_COLS = 76 };

static const struct list_column columns[SNAPSHOT_COLUMNS] = {
	[NUMBER] = { "N", 3, 0, 0, false, LIST_UNSORTED },
	[TIME] = { "TIME", 8, 0, 2, true, LIST_UNSORTED },
	[TRIGGER] = { "TRIGGER", 7, 40, 3, true, LIST_UNSORTED },
	[STATE] = { "STATE", 11, 0, 1, true, LIST_UNSORTED },
	[RINGS] = { "RINGS", 5, 0, 7, false, LIST_UNSORTED },
	[BYTES] = { "BYTES", 5, 0, 4, false, LIST_UNSORTED },
	[STOP] = { "STOP", 5, 0, 5, false, LIST_UNSORTED },
	[SPREAD] = { "SPREAD", 6, 0, 8, false, LIST_UNSORTED },
	[FILE_NAME] = { "FILE", 30, 160, 6, true, LIST_UNSORTED },
};

static size_t nr_of(const struct frame *frame)
{
	return frame->snapshots ? frame->snapshots->nr : 0;
}

/* The newest stand on top. */
static const struct snapshot_info *at(const struct frame *frame, size_t row)
{
	const struct snapshots *s = frame->snapshots;

	return row < nr_of(frame) ? &s->list[s->nr - 1 - row] : NULL;
}

const struct snapshot_info *aux_snapshots_current(const struct aux_view *v,
						  const struct frame *frame)
{
	return at(frame, v->lists[AUX_SNAPSHOTS].cursor);
}

void aux_snapshots_placed(struct aux_view *v, const struct frame *frame)
{
	const struct list *list = &v->lists[AUX_SNAPSHOTS];
	const struct snapshot_info *info = aux_snapshots_current(v, frame);

	v->number = info && list->cursor ? info->number : 0;
}

/* The cursor stays on its snapshot when others are put on top. */
void aux_snapshots_update(struct aux_view *v, const struct frame *frame)
{
	struct list *list = &v->lists[AUX_SNAPSHOTS];

	list->nr = nr_of(frame);
	if (!v->number)
		list_set(list, 0);
	for (size_t row = 0; v->number && row < list->nr; row++) {
		if (at(frame, row)->number == v->number)
			list_set(list, row);
	}
}

static enum role state_role(const struct snapshot_info *info)
{
	switch (info->state) {
	case SNAPSHOT_DONE:
		return ROLE_GOOD;
	case SNAPSHOT_FAILED:
		return ROLE_BAD;
	case SNAPSHOT_CANCELLED:
	case SNAPSHOT_REMOVED:
		return ROLE_DIM;
	default:
		return ROLE_NOTICE;
	}
}

static void state_text(char *buf, size_t size, const struct snapshot_info *info)
{
	const char *name = snapshot_state_name(info->state);
	double share;

	if (info->state != SNAPSHOT_WRITING || !info->file_total) {
		snprintf(buf, size, "%s", name);
		return;
	}
	share = (double)info->file_bytes / (double)info->file_total;
	snprintf(buf, size, "%s %d%%", name,
		 share < 1 ? (int)(share * 100) : 100);
}

static bool is_gone(const struct snapshot_info *info)
{
	return info->state == SNAPSHOT_CANCELLED ||
	       info->state == SNAPSHOT_REMOVED;
}

/* The file, once it is there; what went wrong, where it is not. */
static const char *outcome(const struct snapshot_info *info)
{
	if (info->state == SNAPSHOT_FAILED)
		return info->error;
	return is_gone(info) ? "-" : info->file;
}

/* "SIGUSR2 (4)": taken for 4 requests. */
static void trigger_text(char *buf, size_t size,
			 const struct snapshot_info *info)
{
	if (info->requests > 1)
		snprintf(buf, size, "%s (%" PRIu64 ")", info->trigger,
			 info->requests);
	else
		snprintf(buf, size, "%s", info->trigger);
}

static void cell_text(enum snapshot_column column,
		      const struct snapshot_info *info, char buf[TEXT])
{
	switch (column) {
	case NUMBER:
		snprintf(buf, TEXT, "%" PRIu64, info->number);
		break;
	case TIME:
		widget_clock(buf, TEXT, info->time);
		break;
	case TRIGGER:
		trigger_text(buf, TEXT, info);
		break;
	case STATE:
		state_text(buf, TEXT, info);
		break;
	case RINGS:
		units_count(buf, TEXT, (double)info->rings);
		break;
	case BYTES:
		units_bytes(buf, TEXT, (double)info->bytes);
		break;
	case STOP:
		units_duration(buf, TEXT, info->stopped);
		break;
	case SPREAD:
		units_duration(buf, TEXT, info->spread);
		break;
	default:
		snprintf(buf, TEXT, "%s", outcome(info));
	}
}

static enum role cell_role(enum snapshot_column column,
			   const struct snapshot_info *info)
{
	bool failed = info->state == SNAPSHOT_FAILED;

	if (column == STATE || (column == FILE_NAME && failed))
		return state_role(info);
	return is_gone(info) ? ROLE_DIM : ROLE_DEFAULT;
}

static void draw_snapshot(struct area a, int row,
			  const struct list_place *places,
			  const struct snapshot_info *info)
{
	char text[TEXT];

	for (int i = 0; i < SNAPSHOT_COLUMNS; i++) {
		enum snapshot_column column = (enum snapshot_column)i;

		if (!places[i].width)
			continue;
		cell_text(column, info, text);
		list_columns_cell(a, row, &columns[i], &places[i],
				  cell_role(column, info), text);
	}
}

static void draw_heading(struct area a, const struct snapshots *s)
{
	char text[480], failed[32] = "", kept[64] = "", asked[80] = "";

	if (s->failed)
		snprintf(failed, sizeof(failed), ", %" PRIu64 " failed",
			 s->failed);
	if (s->keep)
		snprintf(kept, sizeof(kept), ", the newest %u kept", s->keep);
	if (s->queued)
		snprintf(asked, sizeof(asked), ", 1 queued for %" PRIu64
			 " request%s", s->queued, s->queued > 1 ? "s" : "");
	else if (s->merged)
		snprintf(asked, sizeof(asked), " for %" PRIu64 " requests",
			 s->requests);
	snprintf(text, sizeof(text), "Snapshots: %" PRIu64 " taken%s%s%s, in %s",
		 s->taken, asked, failed, kept,
		 strcmp(s->dir, ".") ? s->dir : "the current directory");
	widget_heading(a, 0, text);
}

int aux_snapshots_need(const struct frame *frame, bool roomy)
{
	size_t nr = nr_of(frame);

	return frame->snapshots ? roomy + 1 + (int)(nr ? nr : 1) : 0;
}

/* In place of the first snapshot. */
static const char *none_yet(const struct aux_view *v,
			    const struct frame *frame)
{
	const struct shell *shell = v->view.shell;

	if (tune_offers(shell, frame, ACTION_SNAPSHOT))
		return "none yet: s takes one";
	if (tune_can_snapshot(frame))
		return "none yet";
	if (tune_offers(shell, frame, ACTION_RECORD))
		return "all rings are emptied as they fill: w records them";
	return "all rings are emptied as they fill";
}

void aux_snapshots_draw(struct aux_view *v, const struct frame *frame,
			struct area a, bool roomy)
{
	struct list *list = &v->lists[AUX_SNAPSHOTS];
	struct list_place places[SNAPSHOT_COLUMNS];
	int cols;

	if (roomy) {
		draw_heading(a, frame->snapshots);
		a = area_sub(a, 1, 0, a.rows - 1, a.cols);
	}
	list_fit(list, nr_of(frame), a.rows - 1);
	cols = a.cols - (list->nr > list->page);
	list_columns_fit(columns, SNAPSHOT_COLUMNS, NULL, 0, cols, places);
	list_columns_header(a, 0, columns, SNAPSHOT_COLUMNS, places);
	a = area_sub(a, 1, 0, a.rows - 1, a.cols);
	if (!list->nr)
		area_text(a, 0, 2, 0, ROLE_DIM, none_yet(v, frame));
	for (int line = 0; line < a.rows; line++) {
		size_t row = list_row_at(list, line);

		if (row == LIST_NONE)
			break;
		draw_snapshot(a, line, places, at(frame, row));
		if (v->part == AUX_SNAPSHOTS && row == list->cursor)
			area_reverse(a, line, 0, cols);
	}
	widget_scrollbar(a, list);
}

/* A label and a text that may take several lines; the row below. */
static int draw_line(struct area a, int row, const char *label, enum role role,
		     const char *text)
{
	struct area right = area_sub(a, row, LABEL, a.rows - row,
				     a.cols - LABEL);

	if (!*text || row >= a.rows)
		return row;
	area_text(a, row, 0, 0, ROLE_LABEL, label);
	return row + area_wrapped(right, 0, role, text);
}

static void stop_text(const struct snapshot_info *info, char *buf, size_t size)
{
	char stopped[8], spread[8];

	units_duration(stopped, sizeof(stopped), info->stopped);
	if (!info->aux_rings)
		snprintf(buf, size,
			 "output was paused for %s; what came meanwhile is lost",
			 stopped);
	else
		snprintf(buf, size,
			 "tracing stood still for %s; %s from the first to the last",
			 stopped, units_duration(spread, sizeof(spread),
						 info->spread));
}

/* A complete one with the times that it took, from its first request on. */
static void time_text(const struct snapshot_info *info, char *buf, size_t size)
{
	char clock[16], wait[8], took[8];

	widget_clock(clock, sizeof(clock), info->time);
	if (info->state == SNAPSHOT_DONE)
		snprintf(buf, size,
			 "%s; %s %s, written %s after the request",
			 clock, info->aux_rings ? "stopped" : "paused",
			 units_duration(wait, sizeof(wait), info->wait),
			 units_duration(took, sizeof(took), info->took));
	else
		snprintf(buf, size, "%s", clock);
}

static void size_text(const struct snapshot_info *info, char *buf, size_t size)
{
	char bytes[8], file[8], seconds[8], reach[32] = "";

	if (info->reach > 0)
		snprintf(reach, sizeof(reach), ", %s of trace",
			 units_duration(seconds, sizeof(seconds),
					info->reach));
	snprintf(buf, size, "%s of %zu ring%s (%s)%s; %s of the file written",
		 units_bytes(bytes, sizeof(bytes), (double)info->bytes),
		 info->rings, info->rings == 1 ? "" : "s", info->which, reach,
		 units_bytes(file, sizeof(file), (double)info->file_bytes));
}

/* Rings of which the context switches for the oldest trace were overwritten. */
static void short_text(const struct snapshot_info *info, char *buf, size_t size)
{
	*buf = '\0';
	if (info->short_rings)
		snprintf(buf, size,
			 "context switches cover less time than the trace on %zu ring%s: use a larger --history",
			 info->short_rings, info->short_rings == 1 ? "" : "s");
}

void aux_snapshots_detail(const struct aux_view *v, const struct frame *frame,
			  struct area a)
{
	const struct snapshot_info *info = aux_snapshots_current(v, frame);
	char text[600];
	int row = 0;

	if (!info)
		return;
	snprintf(text, sizeof(text), "Snapshot %" PRIu64, info->number);
	a = widget_popup(a, DETAIL_ROWS, DETAIL_COLS, text);
	a = area_sub(a, 0, 1, a.rows, a.cols - 2);
	state_text(text, sizeof(text), info);
	row = draw_line(a, row, "state", state_role(info), text);
	row = draw_line(a, row, "error", ROLE_BAD, info->error);
	trigger_text(text, sizeof(text), info);
	row = draw_line(a, row, "trigger", ROLE_VALUE, text);
	time_text(info, text, sizeof(text));
	row = draw_line(a, row, "time", ROLE_DEFAULT, text);
	if (info->rings) {
		size_text(info, text, sizeof(text));
		row = draw_line(a, row, "holds", ROLE_DEFAULT, text);
		stop_text(info, text, sizeof(text));
		row = draw_line(a, row, info->aux_rings ? "stop" : "pause",
				ROLE_DEFAULT, text);
		short_text(info, text, sizeof(text));
		row = draw_line(a, row, "history", ROLE_NOTICE, text);
	}
	if (info->state == SNAPSHOT_DONE || info->state == SNAPSHOT_WRITING) {
		snprintf(text, sizeof(text), "%s/%s", frame->snapshots->dir,
			 info->file);
		row = draw_line(a, row, "file", ROLE_VALUE, text);
	}
	if (info->state == SNAPSHOT_DONE)
		draw_line(a, row, "read it", ROLE_DIM,
			  "perf script -i FILE, perf report -i FILE");
}
