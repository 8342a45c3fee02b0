/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of snapshots, the newest first, and the detail of one. */
#include "ui/views/aux/aux.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "ui/kit/page.h"
#include "ui/kit/tune.h"

enum snapshot_column {
	NUMBER, TIME, TRIGGER, STATE, RINGS, BYTES, STOP, SPREAD, FILE_NAME,
	SNAPSHOT_COLUMNS
};

enum { LABEL = 10, TEXT = 600 };

static const struct list_column columns[SNAPSHOT_COLUMNS] = {
	{ .id = NUMBER, .header = "N", .width = 3 },
	{ .id = TIME, .header = "TIME", .width = 8, .rank = 2, .left = true },
	{ .id = TRIGGER, .header = "TRIGGER", .width = 7, .max = 40,
	  .rank = 3, .left = true, .marked = true },
	{ .id = STATE, .header = "STATE", .width = 11, .rank = 1,
	  .left = true, .marked = true },
	{ .id = RINGS, .header = "RINGS", .width = 5, .rank = 7 },
	{ .id = BYTES, .header = "BYTES", .width = 5, .rank = 4 },
	{ .id = STOP, .header = "STOP", .width = 5, .rank = 5 },
	{ .id = SPREAD, .header = "SPREAD", .width = 6, .rank = 8 },
	{ .id = FILE_NAME, .header = "FILE", .width = 30, .max = 160,
	  .rank = 6, .left = true, .marked = true },
};

static size_t nr_of(const struct frame *frame)
{
	return frame->snapshots ? frame->snapshots->nr : 0;
}

/* The newest is row 0. */
static const void *snapshot_at(const struct listing *l, size_t i)
{
	return &l->frame->snapshots->list[l->frame->snapshots->nr - 1 - i];
}

static size_t nr_snapshots(const struct listing *l)
{
	return nr_of(l->frame);
}

static uint64_t number(const struct listing *l, const void *row)
{
	(void)l;
	return ((const struct snapshot_info *)row)->number;
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

/* The file's name; the error if it failed; "-" if cancelled or removed. */
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

static void cell_text(const struct listing *l, enum snapshot_column column,
		      const struct snapshot_info *info, char *buf)
{
	switch (column) {
	case NUMBER:
		snprintf(buf, LISTING_CELL, "%" PRIu64, info->number);
		break;
	case TIME:
		view_time(l->view.shell, l->frame, info->time, 0, buf,
			  LISTING_CELL);
		break;
	case TRIGGER:
		trigger_text(buf, LISTING_CELL, info);
		break;
	case STATE:
		state_text(buf, LISTING_CELL, info);
		break;
	case RINGS:
		units_count(buf, LISTING_CELL, (double)info->rings);
		break;
	case BYTES:
		units_bytes(buf, LISTING_CELL, (double)info->bytes);
		break;
	case STOP:
		units_duration(buf, LISTING_CELL, info->stopped);
		break;
	case SPREAD:
		units_duration(buf, LISTING_CELL, info->spread);
		break;
	default:
		snprintf(buf, LISTING_CELL, "%s", outcome(info));
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

static bool match(const struct listing *l, const void *row, const char *needle)
{
	const struct snapshot_info *info = row;

	(void)l;
	return list_match(info->trigger, needle) ||
	       list_match(snapshot_state_name(info->state), needle) ||
	       list_match(outcome(info), needle);
}

static size_t snapshot_columns(struct listing *l, int cols,
			       struct list_column *out)
{
	(void)l;
	(void)cols;
	memcpy(out, columns, sizeof(columns));
	/* not scrolled: Left and Right go to the other list */
	for (int i = 0; i < SNAPSHOT_COLUMNS; i++)
		out[i].fixed = true;
	return SNAPSHOT_COLUMNS;
}

static enum role draw_cell(struct listing *l, const void *row,
			   const struct list_column *column, struct area cell,
			   char *text)
{
	enum snapshot_column id = (enum snapshot_column)column->id;

	(void)cell;
	cell_text(l, id, row, text);
	return cell_role(id, row);
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

/* The text if there are no snapshots. */
static const char *none_yet(const struct shell *shell,
			    const struct frame *frame)
{
	if (tune_offers(shell, frame, ACTION_SNAPSHOT))
		return "none yet; press s to take one";
	if (tune_can_snapshot(frame))
		return "none yet";
	if (!frame->total.aux_rings)
		return "no ring here to take a snapshot of";
	if (tune_offers(shell, frame, ACTION_RECORD))
		return "these rings are drained continuously; press w to "
		       "record them";
	return "these rings are drained continuously";
}

static void draw_empty(const struct listing *l, struct area a)
{
	area_text(a, 0, 2, 0, ROLE_DIM,
		  *l->filter ? "no snapshot matches the filter" :
			       none_yet(l->view.shell, l->frame));
}

static const struct listing_ops snapshots_listing = {
	.nr = nr_snapshots,
	.at = snapshot_at,
	.id = number,
	.match = match,
	.columns = snapshot_columns,
	.cell = draw_cell,
	.empty = draw_empty,
	.detail = VIEW_SNAPSHOT_DETAIL,
	.natural = LISTING_UNSORTED,
};

void aux_snapshots_init(struct listing *l, const struct view *view)
{
	listing_init(l, view, &snapshots_listing);
}

int aux_snapshots_need(const struct listing *l, bool roomy)
{
	return l->frame->snapshots ? roomy + listing_lines(l) : 0;
}

void aux_snapshots_draw(struct listing *l, struct area a, int above, int below,
			bool roomy)
{
	if (roomy)
		draw_heading(area_sub(a, above, 0, 1, a.cols),
			     l->frame->snapshots);
	l->above = above + roomy;
	l->below = below;
	listing_draw(&l->view, l->frame, a);
}

/* Draw nothing if @text is empty.  Returns the next row. */
static int draw_line(struct area a, int row, const char *label, enum role role,
		     const char *text)
{
	return *text ? page_field(a, row, LABEL, label, role, text) : row;
}

static void stop_text(const struct snapshot_info *info, char buf[TEXT])
{
	char stopped[8], spread[8];

	units_duration(stopped, sizeof(stopped), info->stopped);
	if (!info->aux_rings)
		snprintf(buf, TEXT,
			 "output was paused for %s; records of that time are "
			 "lost",
			 stopped);
	else
		snprintf(buf, TEXT,
			 "tracing stopped for %s; %s from first to last ring",
			 stopped, units_duration(spread, sizeof(spread),
						 info->spread));
}

/* The time of a snapshot; of a complete one also the times that it took, from
 * its first request on. */
static void time_text(const struct view *view, const struct frame *frame,
		      const struct snapshot_info *info, char buf[TEXT])
{
	char clock[24], wait[8], took[8];

	view_time(view->shell, frame, info->time, 0, clock, sizeof(clock));
	if (info->state == SNAPSHOT_DONE)
		snprintf(buf, TEXT,
			 "%s; %s %s, written %s after the request",
			 clock, info->aux_rings ? "stopped" : "paused",
			 units_duration(wait, sizeof(wait), info->wait),
			 units_duration(took, sizeof(took), info->took));
	else
		snprintf(buf, TEXT, "%s", clock);
}

static void size_text(const struct snapshot_info *info, char buf[TEXT])
{
	char bytes[8], file[8], seconds[8], reach[32] = "";

	if (info->reach > 0)
		snprintf(reach, sizeof(reach), ", %s of trace",
			 units_duration(seconds, sizeof(seconds),
					info->reach));
	snprintf(buf, TEXT, "%s from %zu ring%s (%s)%s; %s of the file written",
		 units_bytes(bytes, sizeof(bytes), (double)info->bytes),
		 info->rings, info->rings == 1 ? "" : "s", info->which, reach,
		 units_bytes(file, sizeof(file), (double)info->file_bytes));
}

/* Rings whose context switches do not reach back as far as their trace; "" if
 * there are none. */
static void short_text(const struct snapshot_info *info, char buf[TEXT])
{
	*buf = '\0';
	if (info->short_rings)
		snprintf(buf, TEXT,
			 "context switches cover less time than the trace on %zu ring%s: use a larger --history",
			 info->short_rings, info->short_rings == 1 ? "" : "s");
}

static const struct snapshot_info *find(const struct frame *frame,
					uint64_t number)
{
	for (size_t i = 0; i < nr_of(frame); i++) {
		if (frame->snapshots->list[i].number == number)
			return &frame->snapshots->list[i];
	}
	return NULL;
}

static bool exists(const struct detail *d, const struct frame *frame,
		   uint64_t number)
{
	(void)d;
	return find(frame, number);
}

static void detail_init(struct view *view)
{
	((struct detail *)(void *)view)->exists = exists;
}

static int draw_kept(struct area a, int row, const struct snapshot_info *info)
{
	char text[TEXT];

	size_text(info, text);
	row = draw_line(a, row, "contents", ROLE_DEFAULT, text);
	stop_text(info, text);
	row = draw_line(a, row, info->aux_rings ? "stop" : "pause",
			ROLE_DEFAULT, text);
	short_text(info, text);
	return draw_line(a, row, "history", ROLE_NOTICE, text);
}

/* The whole page; returns the row below. */
static int draw_page(const struct view *view, const struct frame *frame,
		     struct area a, const struct snapshot_info *info)
{
	const struct snapshots *s = frame->snapshots;
	char text[TEXT];
	int row = 1;

	state_text(text, sizeof(text), info);
	row = draw_line(a, row, "state", state_role(info), text);
	row = draw_line(a, row, "error", ROLE_BAD, info->error);
	trigger_text(text, sizeof(text), info);
	row = draw_line(a, row, "trigger", ROLE_VALUE, text);
	time_text(view, frame, info, text);
	row = draw_line(a, row, "time", ROLE_DEFAULT, text);
	if (info->rings)
		row = draw_kept(a, row, info);
	if (info->state == SNAPSHOT_DONE || info->state == SNAPSHOT_WRITING) {
		snprintf(text, sizeof(text), "%s/%s", s->dir, info->file);
		row = draw_line(a, row, "file", ROLE_VALUE, text);
	}
	if (info->state == SNAPSHOT_DONE)
		row = draw_line(a, row, "read with", ROLE_DIM,
				"perf script -i FILE, perf report -i FILE");
	return row;
}

static void draw_detail(struct view *view, const struct frame *frame,
			struct area area)
{
	struct detail *d = (struct detail *)(void *)view;
	const struct snapshot_info *info = find(frame, d->id);
	struct area a;
	int col;

	if (!info) {
		area_text(area, 0, 0, 0, ROLE_DIM,
			  "the snapshot is no longer listed");
		return;
	}
	if (!page_begin(&d->page, area, &a))
		return;
	col = area_printf(a, 0, 0, ROLE_TITLE, "Snapshot %" PRIu64,
			  info->number);
	detail_draw_place(d, a, col);
	page_end(&d->page, area, draw_page(view, frame, a, info));
}

const struct view_ops view_snapshot_detail = {
	.id = VIEW_SNAPSHOT_DETAIL,
	.own_rings = true,
	.size = sizeof(struct detail),
	.init = detail_init,
	.release = detail_release,
	.draw = draw_detail,
	.action = detail_action,
	.click = detail_click,
	.wheel = detail_wheel,
	.focus = detail_focus,
	.label = detail_label,
};
