/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Begins a line with a command. */
#define RUN "  run: "

enum {
	CELL_BUF = 64,
	ADVICE_LISTED = 8,	/* per tick */
	HANGING = 4,		/* indentation of what continues a line */
};

/* Bytes of a line that fit into @width columns: complete words if possible. */
static size_t line_length(const char *text, int width)
{
	size_t len = text_prefix(text, width), words = len;
	size_t indent = strspn(text, " ");

	while (words && text[words] != ' ')
		words--;
	return words > indent ? words : len;
}

void text_put_wrapped(const char *text, FILE *out)
{
	while (*text) {
		size_t end = strcspn(text, "\n");
		int used = 0;

		/* a command is copied whole: the terminal wraps it */
		while (!text_begins(text, RUN) &&
		       text_prefix(text, TEXT_PUT_WIDTH - used) < end) {
			size_t len = line_length(text, TEXT_PUT_WIDTH - used);

			fprintf(out, "%.*s\n%*s", (int)len, text, HANGING, "");
			len += text[len] == ' ';
			text += len;
			end -= len;
			used = HANGING;
		}
		end += text[end] == '\n';
		fwrite(text, 1, end, out);
		text += end;
	}
}

/* With a date, or without; of a recording, the time since its start. */
static void time_text(const struct frame *frame, double time,
		      enum units_clock format, char *buf, size_t size)
{
	if (frame->playback)
		times_unix_text(&frame->times, TIMES_WALL, time, 3, buf, size);
	else
		units_clock(buf, size, time, format);
}

void text_put_title(const struct frame *frame, FILE *out)
{
	char when[32], tick[CELL_BUF], rss[CELL_BUF], title[256];

	time_text(frame, frame->time, UNITS_CLOCK_DATE, when, sizeof(when));
	units_duration(tick, sizeof(tick), frame->interval);
	units_bytes(rss, sizeof(rss), (double)frame->self.rss);
	fprintf(out, "%s  tick %s", when, tick);
	if (!isnan(frame->self.cpu))
		fprintf(out, "  rbtop %.1f%% CPU %s", frame->self.cpu * 100, rss);
	fprintf(out, "%s\n", frame->ended ? "  (ended)" : "");
	text_copy(title, sizeof(title), frame->title);
	fprintf(out, "%s\n", title);
}

static void put_entry(const struct frame *frame,
		      const struct log_entry *entry, FILE *out)
{
	char when[32], safe[sizeof(entry->text)];

	time_text(frame, entry->time, UNITS_CLOCK_TIME, when, sizeof(when));
	text_copy(safe, sizeof(safe), entry->text);
	fprintf(out, "%s %-8s %s\n", when, log_kind_name(entry->kind), safe);
}

void text_put_log(const struct frame *frame, FILE *out)
{
	size_t len = frame->log ? log_len(frame->log) : 0;

	for (size_t i = 0; i < len; i++) {
		const struct log_entry *entry = log_at(frame->log, i);

		if (entry->serial >= frame->log_first)
			put_entry(frame, entry, out);
	}
}

void text_put_padded(const char *text, int width, FILE *out)
{
	size_t len = text_prefix(text, width);
	char cut[4 * CELL_BUF];

	if (text[len])
		snprintf(cut, sizeof(cut), "%.*s+",
			 (int)text_prefix(text, width - 1), text);
	else
		snprintf(cut, sizeof(cut), "%s", text);
	fprintf(out, "%s%*s", cut, width - text_width(cut), "");
}

void text_put_figures(enum figure_list list, const struct ring_row *row,
		      FILE *out)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(list, all);
	char cell[4 * CELL_BUF];

	for (size_t i = 0; i < nr; i++) {
		int width = figure_width(all[i], list);

		if (row)
			figure_text(all[i], row, cell, sizeof(cell));
		else
			text_copy(cell, sizeof(cell),
				  figure_header(all[i], list));
		if (i > 0)
			fputc(' ', out);
		if (figure_info(all[i])->kind == FIGURE_IS_TEXT)
			text_put_padded(cell, width, out);
		else
			fprintf(out, "%*s", width, cell);
	}
	fputc('\n', out);
}

void text_put_advice(const char *subject, const struct advice *advice,
		     const char *how, unsigned int nr, FILE *out)
{
	char line[640], safe[640];

	if (nr > ADVICE_LISTED)
		return;
	snprintf(line, sizeof(line), "%s: %s%s%s%s%s", subject, advice->text,
		 how && advice->setting[0] ? how : "",
		 how ? advice->setting : "",
		 how && advice->perf_reason[0] ? ", " : "",
		 how ? advice->perf_reason : "");
	text_copy(safe, sizeof(safe), line);
	fprintf(out, "  %s\n", safe);
	if (advice->command)
		fprintf(out, "%s%s\n", RUN, advice->command);
}

void text_put_more_advice(unsigned int nr, FILE *out)
{
	unsigned int more = nr > ADVICE_LISTED ? nr - ADVICE_LISTED : 0;

	if (more)
		fprintf(out, "  and advice on %u more ring%s\n", more,
			more == 1 ? "" : "s");
}
