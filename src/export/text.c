/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"
#include "export/row.h"
#include "model/columns.h"

enum { WIDTH = 80, CELL_BUF = 64 };

/* Together with a blank between them no wider than WIDTH. */
static const enum column columns[] = {
	COLUMN_RING, COLUMN_SIZE, COLUMN_FILLPCT, COLUMN_PEAK, COLUMN_RATE,
	COLUMN_RECORDS, COLUMN_WAKE, COLUMN_P99, COLUMN_LOST,
	COLUMN_LOSTRATE, COLUMN_PENDING,
};
enum { NR_COLUMNS = sizeof(columns) / sizeof(*columns) };

/* The first column to the left, figures to the right. */
static void put_cell(size_t i, const char *text, FILE *out)
{
	int width = column_info(columns[i])->width;

	if (i == 0)
		fprintf(out, "%-*s", width, text);
	else
		fprintf(out, " %*s", width, text);
}

static void put_header(FILE *out)
{
	for (size_t i = 0; i < NR_COLUMNS; i++)
		put_cell(i, column_info(columns[i])->header, out);
	fputc('\n', out);
}

static void put_row(const struct frame_ring *ring, FILE *out)
{
	char cell[CELL_BUF];

	for (size_t i = 0; i < NR_COLUMNS; i++)
		put_cell(i, column_text(columns[i], ring, cell, sizeof(cell)),
			 out);
	fputc('\n', out);
}

static void format_time(double seconds, bool date, char *buf, size_t size)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    !strftime(buf, size, date ? "%F %T" : "%T", &tm))
		text_copy(buf, size, "-");
}

/* Text of any length: what does not fit goes on below, indented. */
static void put_wrapped(const char *text, int indent, FILE *out)
{
	for (;;) {
		size_t len = text_prefix(text, WIDTH - indent);

		fprintf(out, "%.*s\n", (int)len, text);
		text += len;
		if (!len || !*text)
			return;
		fprintf(out, "%*s", indent, "");
	}
}

/* When, how long, and what rbtop itself costs; then what is watched. */
static void put_title(const struct frame *frame, FILE *out)
{
	char when[32], tick[CELL_BUF], rss[CELL_BUF], title[256];

	format_time(frame->time, true, when, sizeof(when));
	units_duration(tick, sizeof(tick), frame->interval);
	units_bytes(rss, sizeof(rss), (double)frame->self.rss);
	fprintf(out, "%s  tick %s  rbtop %.1f%% CPU %s%s\n", when, tick,
		frame->self.cpu * 100, rss, frame->ended ? "  (ended)" : "");
	text_copy(title, sizeof(title), frame->title);
	put_wrapped(title, 0, out);
}

static void put_entry(const struct log_entry *entry, FILE *out)
{
	char when[32], safe[sizeof(entry->text)];

	format_time(entry->time, false, when, sizeof(when));
	text_copy(safe, sizeof(safe), entry->text);
	put_wrapped(safe, fprintf(out, "%s %-8s ", when,
				  log_kind_name(entry->kind)), out);
}

static void put_log(const struct frame *frame, FILE *out)
{
	size_t len = frame->log ? log_len(frame->log) : 0;

	for (size_t i = 0; i < len; i++) {
		const struct log_entry *entry = log_at(frame->log, i);

		if (entry->serial >= frame->log_first)
			put_entry(entry, out);
	}
}

static int put_frame(const struct frame *frame, FILE *out)
{
	struct frame_ring total;

	if (frame->tick > 1)
		fputc('\n', out);
	put_title(frame, out);
	put_header(out);
	for (size_t i = 0; i < frame->nr_rings; i++)
		put_row(&frame->rings[i], out);
	row_total(&frame->total, &total);
	put_row(&total, out);
	put_log(frame, out);
	return row_flush(out);
}

const struct export_format export_text = { "text", put_frame };
