/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "ui/draw/widgets.h"
#include "ui/kit/list.h"

enum {
	COUNT = 12,		/* columns of a count in full */
	SHORT = 6,		/* of one with a suffix */
	SHARE = 6,
	ROOMY = 58,		/* columns from which counts are in full */
	MAX_EVENTS = 200,	/* rows; more are only counted */
	EVENT_TEXT = 96,
};

static bool is_roomy(struct area a)
{
	return a.cols >= ROOMY;
}

static int count_width(bool full)
{
	return full ? COUNT : SHORT;
}

/* In @full or with a suffix; "-" if unknown. */
static void count_text(char *buf, size_t size, uint64_t count, bool full)
{
	if (count == UNKNOWN)
		snprintf(buf, size, "-");
	else if (full)
		snprintf(buf, size, "%" PRIu64, count);
	else
		units_count(buf, size, (double)count);
}

static enum role count_role(uint64_t count, enum role role)
{
	return unknown_as_zero(count) ? role : ROLE_DIM;
}

/* Draw a count that ends at column @end. */
static void draw_count(struct area a, int row, int end, bool full,
		       enum role role, uint64_t count)
{
	char text[24];

	count_text(text, sizeof(text), count, full);
	area_text_right(a, row, end, count_role(count, role), text);
}

/* With a decimal, rounded down as in units_share(): only all is 100.0%, only
 * nothing 0.0%. */
static void draw_share(struct area a, int row, int end, double share)
{
	char text[16];
	double tenths = floor(share * 1000 + 1e-6);

	if (share > 0 && tenths < 1)
		snprintf(text, sizeof(text), "<0.1%%");
	else
		snprintf(text, sizeof(text), "%.1f%%", tenths / 10);
	area_text_right(a, row, end, ROLE_DEFAULT, text);
}

/* The bar takes the rest of the row from @col on, at most 40 cells. */
static void draw_share_bar(struct area a, int row, int col, double share)
{
	int width = a.cols - col;

	widget_hbar(a, row, col, width > 40 ? 40 : width, share, 1,
		    ROLE_SPARK);
}

static const uint64_t *types_of(const struct ring_row *r)
{
	const struct ring_reads *reads = r->reads;

	return r->overwrite && reads->overwrite.valid ?
		       reads->overwrite.types : reads->stats.types;
}

static int draw_type(struct area a, int row, const char *name, uint64_t count,
		     uint64_t all, bool bad)
{
	bool full = is_roomy(a);
	int width = full ? 19 : 14, end = width + 1 + count_width(full);
	double share = (double)count / (double)all;

	area_text(a, row, 0, width, bad ? ROLE_BAD : ROLE_LABEL, name);
	draw_count(a, row, end, full, ROLE_VALUE, count);
	draw_share(a, row, end + 1 + SHARE, share);
	draw_share_bar(a, row, end + SHARE + 3, share);
	return row + 1;
}

int ring_tables_types(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	uint64_t all = 0, min = UINT64_MAX;
	const uint64_t *types;

	if (!r->reads)
		return row;
	types = types_of(r);
	widget_heading(a, row++, types == r->reads->overwrite.types ?
					 "Records in it when last read" :
					 "Records by type");
	for (unsigned int i = 0; i < RECORD_TYPES; i++)
		all += types[i];
	if (!all) {
		area_text(a, row, 0, 0, ROLE_DIM, "none yet");
		return row + 1;
	}
	for (;;) { /* most first; equal counts in the order of types */
		uint64_t max = 0;

		for (unsigned int i = 0; i < RECORD_TYPES; i++) {
			if (types[i] < min && types[i] > max)
				max = types[i];
		}
		if (!max)
			return row;
		for (unsigned int i = 0; i < RECORD_TYPES; i++) {
			if (types[i] == max)
				row = draw_type(a, row, record_name(i), max,
						all, i == RECORD_LOST);
		}
		min = max;
	}
}

/* Columns of the table of events; some are only for rbtop's own rings, some
 * only for other programs'. */
enum {
	EVENT, STATE, WHERE, PERIOD, COUNTED, SAMPLES, LOST, LOST_RATE,
	SAMPLE_RATE, WRITES, ID, EVENT_COLUMNS
};

enum { OWN = 1, FOREIGN };

static const struct event_column {
	struct list_column column;
	int of;			/* OWN or FOREIGN rings only; 0: all */
	bool count;		/* wider if counts are in full */
} event_columns[EVENT_COLUMNS] = {
	{ .column = { .id = EVENT, .header = "EVENT", .min = 18, .ends = true,
		      .left = true, .rest = true } },
	{ .column = { .id = STATE, .header = "STATE", .width = 9, .rank = 1,
		      .left = true }, .of = FOREIGN },
	{ .column = { .id = WHERE, .header = "ON", .width = 10, .rank = 3,
		      .left = true }, .of = FOREIGN },
	{ .column = { .id = PERIOD, .header = "PERIOD", .width = 8,
		      .rank = 4 }, .of = FOREIGN },
	{ .column = { .id = COUNTED, .header = "COUNT", .width = SHORT,
		      .rank = 7, .spare = true }, .count = true },
	{ .column = { .id = SAMPLES, .header = "SAMPLES", .width = SHORT },
	  .of = OWN, .count = true },
	{ .column = { .id = LOST, .header = "LOST", .width = SHORT,
		      .rank = 2 }, .count = true },
	{ .column = { .id = LOST_RATE, .header = "LOST/S", .width = SHORT,
		      .rank = 6 }, .of = FOREIGN },
	{ .column = { .id = SAMPLE_RATE, .header = "/S", .width = SHORT,
		      .rank = 6, .spare = true }, .of = OWN },
	{ .column = { .id = WRITES, .header = "ITS RING", .width = 10,
		      .rank = 5, .left = true }, .of = FOREIGN },
	{ .column = { .id = ID, .header = "ID", .width = SHORT, .max = 10,
		      .rank = 8 }, .of = FOREIGN },
};

static void where_text(char *buf, size_t size, const struct ring_event *e)
{
	if (e->cpu >= 0 && e->tid >= 0)
		snprintf(buf, size, "%d, CPU %d", (int)e->tid, e->cpu);
	else if (e->cpu >= 0)
		snprintf(buf, size, "CPU %d", e->cpu);
	else if (e->tid >= 0)
		snprintf(buf, size, "tid %d", (int)e->tid);
	else
		snprintf(buf, size, "-");
}

/* "4kHz", "c1000": as -F and -c are given. */
static void period_text(char *buf, size_t size, const struct ring_event *e)
{
	char count[8];

	units_count(count, sizeof(count), (double)e->period);
	if (!e->period)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, e->freq ? "%sHz" : "c%s", count);
}

static void event_text(int column, const struct ring_event *e, bool full,
		       char *buf, size_t size)
{
	switch (column) {
	case EVENT:
		text_copy(buf, size, e->name);
		break;
	case STATE:
		snprintf(buf, size, "%s", e->throttled ? "throttled" :
			 ring_row_event_state_name(e->state));
		break;
	case WHERE:
		where_text(buf, size, e);
		break;
	case PERIOD:
		period_text(buf, size, e);
		break;
	case COUNTED:
		count_text(buf, size, e->count, full);
		break;
	case SAMPLES:
		count_text(buf, size, e->samples, full);
		break;
	case LOST:
		count_text(buf, size, e->lost, full);
		break;
	case LOST_RATE:
		units_count(buf, size, e->lost_per_s);
		break;
	case SAMPLE_RATE:
		units_count(buf, size, e->samples_per_s);
		break;
	case WRITES:
		snprintf(buf, size, "%s", e->maps ? "mapped" : "redirected");
		break;
	case ID:
		count_text(buf, size, e->id, true);
		break;
	}
}

static enum role event_role(int column, const struct ring_event *e)
{
	switch (column) {
	case EVENT:
		return e->side_band ? ROLE_DIM : ROLE_LABEL;
	case STATE:
		if (e->throttled)
			return ROLE_WARN;
		return e->state == RING_EVENT_ERROR ? ROLE_BAD : ROLE_DEFAULT;
	case LOST:
		return count_role(e->lost, ROLE_BAD);
	case LOST_RATE:
		return e->lost_per_s > 0 ? ROLE_BAD : ROLE_DIM;
	case COUNTED:
		return count_role(e->count, ROLE_DEFAULT);
	case SAMPLES:
		return count_role(e->samples, ROLE_VALUE);
	case SAMPLE_RATE:
		return e->samples_per_s > 0 ? ROLE_DEFAULT : ROLE_DIM;
	default:
		return column == PERIOD ? ROLE_DEFAULT : ROLE_DIM;
	}
}

/* Place the columns.  Counts are in full if names then still fit uncut; returns
 * whether they are. */
static bool fit_events(const struct ring_row *r, size_t shown, int cols,
		       struct list_column *columns)
{
	int scroll = 0, sum = -1, counts = 0;
	bool full;

	for (int i = 0; i < EVENT_COLUMNS; i++) {
		columns[i] = event_columns[i].column;
		columns[i].hidden = event_columns[i].of &&
				    event_columns[i].of != (r->reads ? OWN :
								FOREIGN);
		if (i)
			sum += columns[i].hidden ? 0 : columns[i].width + 1;
		counts += !columns[i].hidden && event_columns[i].count;
	}
	for (size_t i = 0; i < shown; i++) {
		int name = text_width(r->events[i].name);

		if (name > columns[EVENT].width)
			columns[EVENT].width = name;
	}
	if (columns[EVENT].min > columns[EVENT].width)
		columns[EVENT].min = columns[EVENT].width;
	sum += columns[EVENT].width + 1 + counts * (COUNT - SHORT);
	full = sum <= cols;
	for (int i = 0; full && i < EVENT_COLUMNS; i++) {
		if (event_columns[i].count)
			columns[i].width = COUNT;
	}
	list_columns_fit(columns, EVENT_COLUMNS, 0, cols, &scroll);
	return full;
}

static void draw_event(struct area line, const struct list_column *columns,
		       const struct ring_event *e, bool full)
{
	char text[EVENT_TEXT];

	for (int i = 0; i < EVENT_COLUMNS; i++) {
		event_text(i, e, full, text, sizeof(text));
		list_columns_cell(&columns[i], line, event_role(i, e), text, 0,
				  "");
	}
}

static void draw_events_heading(struct area a, int row,
				const struct ring_row *r)
{
	char title[64] = "Events", age[8];

	if (!r->reads)
		snprintf(title, sizeof(title), "%s", r->nr_events > 1 ?
			 "Events that write into it" :
			 "Event that writes into it");
	else if (r->reads->counts_age > 0)
		snprintf(title, sizeof(title),
			 "Events (kernel counts read %s ago)",
			 units_duration(age, sizeof(age),
					r->reads->counts_age));
	widget_heading(a, row, title);
}

int ring_tables_events(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	size_t shown = r->nr_events < MAX_EVENTS ? r->nr_events : MAX_EVENTS;
	struct list_column columns[EVENT_COLUMNS];
	bool full = fit_events(r, shown, a.cols, columns);

	if (!r->nr_events)
		return row;
	draw_events_heading(a, row++, r);
	list_columns_header(columns, EVENT_COLUMNS,
			    area_sub(a, row++, 0, 1, a.cols));
	for (size_t i = 0; i < shown; i++)
		draw_event(area_sub(a, row++, 0, 1, a.cols), columns,
			   &r->events[i], full);
	if (shown < r->nr_events)
		area_printf(a, row++, 0, ROLE_DIM, "and %zu more",
			    r->nr_events - shown);
	return row;
}

/* Where the columns of the table of processes begin or end. */
struct pid_columns {
	int comm, comm_width, samples, error, share;
};

static struct pid_columns pid_columns(struct area a)
{
	struct pid_columns c = { .comm = 9 };

	c.comm_width = is_roomy(a) ? 15 : 10;
	c.samples = c.comm + c.comm_width + 1 + count_width(is_roomy(a));
	c.error = is_roomy(a) ? c.samples + 2 + SHORT : c.samples;
	c.share = c.error + 1 + SHARE;
	return c;
}

static void draw_pid(struct area a, int row, const struct ring_pid *p)
{
	struct pid_columns c = pid_columns(a);
	char error[24] = "<=";

	area_printf(a, row, 0, ROLE_DEFAULT, "%7d", (int)p->pid);
	area_text(a, row, c.comm, c.comm_width, ROLE_LABEL, p->comm);
	draw_count(a, row, c.samples, is_roomy(a), ROLE_VALUE, p->samples);
	if (is_roomy(a)) { /* by how much it may be too high */
		units_count(error + 2, sizeof(error) - 2, (double)p->error);
		area_text_right(a, row, c.error, ROLE_DIM,
				p->error ? error : "0");
	}
	draw_share(a, row, c.share, p->share);
	draw_share_bar(a, row, c.share + 2, p->share);
}

static void draw_pids_header(struct area a, int row)
{
	struct pid_columns c = pid_columns(a);

	area_fill(a, row, 0, a.cols, ROLE_HEADER, ' ');
	area_text_right(a, row, 7, ROLE_HEADER, "PID");
	area_text(a, row, c.comm, 0, ROLE_HEADER, "COMM");
	area_text_right(a, row, c.samples, ROLE_HEADER,
			is_roomy(a) ? "SAMPLES" : "SAMPL");
	if (is_roomy(a))
		area_text_right(a, row, c.error, ROLE_HEADER, "ERROR");
	area_text_right(a, row, c.share, ROLE_HEADER, "SHARE");
}

int ring_tables_pids(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct ring_reads *reads = r->reads;
	bool exact = true;

	/* of a recording, Hot has them */
	if (!reads || r->used == UNKNOWN)
		return row;
	widget_heading(a, row++, "Samples by process");
	if (!reads->nr_pids) {
		area_text(a, row, 0, 0, ROLE_DIM, "none yet");
		return row + 1;
	}
	draw_pids_header(a, row++);
	for (unsigned int i = 0; i < reads->nr_pids; i++) {
		draw_pid(a, row++, &reads->pids[i]);
		exact &= !reads->pids[i].error;
	}
	if (!exact && is_roomy(a))
		area_text(a, row++, 0, 0, ROLE_DIM,
			  "ERROR: samples that may be of other processes");
	return row;
}
