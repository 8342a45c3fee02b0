/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"
#include "export/row.h"
#include "model/columns.h"
#include "model/samples.h"

enum { WIDTH = 80, CELL_BUF = 64 };

/* Of the two tables; with a blank between them no wider than WIDTH. */
static const enum column columns[] = {
	COLUMN_RING, COLUMN_SIZE, COLUMN_FILLPCT, COLUMN_PEAK, COLUMN_RATE,
	COLUMN_RECORDS, COLUMN_WAKE, COLUMN_P99, COLUMN_LOST,
	COLUMN_LOSTRATE, COLUMN_PENDING, COLUMNS,
};
static const enum column aux_columns[] = {
	COLUMN_RING, COLUMN_AUX, COLUMN_AUXHEAD, COLUMN_AUXAGE,
	COLUMN_AUXFILL, COLUMN_AUXPEAK, COLUMN_AUXRATE, COLUMN_AUXWRAPS,
	COLUMN_TRUNCATED, COLUMN_PARTIAL, COLUMN_COLLISION, COLUMNS,
};

/* The first column to the left, figures to the right. */
static void put_cell(size_t i, enum column column, const char *text, FILE *out)
{
	int width = column_info(column)->width;

	if (i == 0)
		fprintf(out, "%-*s", width, text);
	else
		fprintf(out, " %*s", width, text);
}

static void put_header(const enum column *table, FILE *out)
{
	for (size_t i = 0; table[i] != COLUMNS; i++)
		put_cell(i, table[i], column_info(table[i])->header, out);
	fputc('\n', out);
}

static void put_row(const enum column *table, const struct frame_ring *ring,
		    FILE *out)
{
	char cell[CELL_BUF];

	for (size_t i = 0; table[i] != COLUMNS; i++)
		put_cell(i, table[i],
			 column_text(table[i], ring, cell, sizeof(cell)), out);
	fputc('\n', out);
}

static void put_rings(const struct frame *frame, FILE *out)
{
	struct frame_ring total;

	put_header(columns, out);
	for (size_t i = 0; i < frame->nr_rings; i++)
		put_row(columns, &frame->rings[i], out);
	row_total(&frame->total, &total);
	put_row(columns, &total, out);
}

static void put_aux_rings(const struct frame *frame, FILE *out)
{
	if (!frame->total.aux_rings)
		return;
	put_header(aux_columns, out);
	for (size_t i = 0; i < frame->nr_rings; i++)
		if (frame->rings[i].aux.size)
			put_row(aux_columns, &frame->rings[i], out);
}

static void format_time(double seconds, bool date, char *buf, size_t size)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    !strftime(buf, size, date ? "%F %T" : "%T", &tm))
		text_copy(buf, size, "-");
}

/* How much of @text a line of @width columns takes: whole words, if it can. */
static size_t line_length(const char *text, int width)
{
	size_t len = text_prefix(text, width), words = len;

	if (!text[len])
		return len;
	while (words && text[words] != ' ')
		words--;
	return words ? words : len;
}

/* Text of any length: what does not fit goes on below, indented. */
static void put_wrapped(const char *text, int indent, FILE *out)
{
	for (;;) {
		size_t len = line_length(text, WIDTH - indent);

		fprintf(out, "%.*s\n", (int)len, text);
		text += len;
		text += *text == ' ';
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

/* @text in exactly @width columns: cut, or blanks behind it. */
static void put_padded(const char *text, int width, FILE *out)
{
	size_t len = text_prefix(text, width);
	char cut[4 * CELL_BUF];

	snprintf(cut, sizeof(cut), "%.*s", (int)len, text);
	fprintf(out, "%s%*s", cut, width - text_width(cut), "");
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Shares have an error where not every sample was looked at. */
static void put_hot_row(const struct hot *hot, const struct hot_row *row,
			FILE *out)
{
	char share[CELL_BUF], error[CELL_BUF], samples[CELL_BUF], what[1024];
	int width = WIDTH - 6 - 8 - 16;

	units_share(share, sizeof(share), row->self);
	units_share(error, sizeof(error), row->error);
	units_count(samples, sizeof(samples), row->samples);
	fprintf(out, "%5s ", share);
	if (hot->thinned) {
		fprintf(out, "%5s ", error);
		width -= 6;
	}
	fprintf(out, "%7s ", samples);
	put_padded(row->value.comm, 15, out);
	snprintf(what, sizeof(what), "%s (%s)",
		 hot->symbols[row->value.symbol].name,
		 file_name(row->value.dso));
	fprintf(out, " %.*s\n", (int)text_prefix(what, width), what);
}

/* How many samples stand behind what is said of them, and what does not. */
static void put_samples(const struct samples_status *status, FILE *out)
{
	const struct {
		uint64_t count;
		const char *what;
		bool always;
	} counts[] = {
		{ status->seen, "seen", true },
		{ status->decoded, "decoded", true },
		{ status->dropped, "dropped", false },
		{ status->undecodable, "undecodable", false },
		{ status->side_band_lost, "side-band lost", false },
	};
	int indent = fprintf(out, "samples: "), len = 0;
	char line[512], number[CELL_BUF];

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (!counts[i].always && !counts[i].count)
			continue;
		units_count(number, sizeof(number), (double)counts[i].count);
		len += snprintf(line + len, sizeof(line) - (size_t)len,
				"%s %s, ", number, counts[i].what);
	}
	units_duration(number, sizeof(number), status->lag);
	snprintf(line + len, sizeof(line) - (size_t)len, "%s behind", number);
	put_wrapped(line, indent, out);
}

/* The first @nr of the hot functions, since the start. */
static int put_hot(const struct frame *frame, size_t nr, FILE *out)
{
	struct hot_rows rows;
	int ret = row_hot(frame, &rows);

	if (ret == -ENOENT)
		fprintf(out, "%s\n", row_no_samples(frame));
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	fprintf(out, "SELF%% %s%7s %-15s %s\n",
		frame->samples->hot->thinned ? "   +- " : "", "SAMPLES",
		"COMM", "SYMBOL (FILE)");
	for (size_t i = 0; i < rows.nr && i < nr; i++)
		put_hot_row(frame->samples->hot, &rows.rows[i], out);
	hot_rows_free(&rows);
	return 0;
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	int ret = 0;

	(void)state;
	if (frame->tick > 1)
		fputc('\n', out);
	put_title(frame, out);
	put_rings(frame, out);
	put_aux_rings(frame, out);
	if (frame->samples)
		put_samples(&frame->samples->status, out);
	if (opts->hot)
		ret = put_hot(frame, opts->hot, out);
	put_log(frame, out);
	return ret ? ret : row_flush(out);
}

const struct export_format export_text = {
	.name = "text",
	.frame = put_frame,
};
