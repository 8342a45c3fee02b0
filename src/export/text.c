/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/units.h"
#include "export/row.h"
#include "export/text_host.h"
#include "export/text_put.h"
#include "samples/samples.h"

enum { CELL_BUF = 64 };

static void put_rings(const struct frame *frame, FILE *out)
{
	text_put_figures(IN_TEXT, NULL, out);
	for (size_t i = 0; i < frame->nr_rings; i++)
		text_put_figures(IN_TEXT, &frame->rings[i], out);
	text_put_figures(IN_TEXT, &frame->total.row, out);
}

static void put_aux_rings(const struct frame *frame, FILE *out)
{
	if (!frame->total.aux_rings)
		return;
	text_put_figures(IN_TEXT_AUX, NULL, out);
	for (size_t i = 0; i < frame->nr_rings; i++)
		if (frame->rings[i].aux.size)
			text_put_figures(IN_TEXT_AUX, &frame->rings[i], out);
}

/* Shares have an error if not all samples were decoded. */
static void put_hot_row(const struct hot *hot, const struct hot_row *row,
			FILE *out)
{
	char share[CELL_BUF], error[CELL_BUF], samples[CELL_BUF], what[1024];
	int width = TEXT_PUT_WIDTH - 6 - 8 - 16;

	units_share(share, sizeof(share), row->self);
	units_share(error, sizeof(error), row->error);
	units_count(samples, sizeof(samples), row->samples);
	fprintf(out, "%5s ", share);
	if (hot->thinned) {
		fprintf(out, "%5s ", error);
		width -= 6;
	}
	fprintf(out, "%7s ", samples);
	text_put_padded(row->value.comm, 15, out);
	snprintf(what, sizeof(what), "%s (%s)",
		 hot->symbols[row->value.symbol].name,
		 symbol_file_name(row->value.dso));
	fprintf(out, " %.*s\n", (int)text_prefix(what, width), what);
}

/* Numbers of samples: seen, decoded, and dropped by cause. */
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
	char line[512] = "", number[CELL_BUF];

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (!counts[i].always && !counts[i].count)
			continue;
		units_count(number, sizeof(number), (double)counts[i].count);
		text_append(line, sizeof(line), "%s %s, ", number,
			    counts[i].what);
	}
	units_duration(number, sizeof(number), status->lag);
	text_append(line, sizeof(line), "%s behind", number);
	fprintf(out, "samples: %s\n", line);
}

/* The first @nr hot functions, since the start. */
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

/*
 * Recommended sizes of rings that lost records, or why none is enough; and that
 * of all rings.
 */
static void put_advice(const struct frame *frame, FILE *out)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct ring_row *r = &frame->rings[i];

		if (r->lost && r->advice.valid)
			text_put_advice(r->label, &r->advice, NULL, ++nr, out);
	}
	text_put_more_advice(nr, out);
	if (frame->total.row.advice.valid)
		text_put_advice("total", &frame->total.row.advice,
				frame->playback ? NULL :
				"; for the same events: ", 0, out);
}

/* A tick of rbtop's own rings. */
static int put_session(const struct frame *frame, size_t hot, FILE *out)
{
	put_rings(frame, out);
	put_aux_rings(frame, out);
	put_advice(frame, out);
	if (frame->samples)
		put_samples(&frame->samples->status, out);
	return hot ? put_hot(frame, hot, out) : 0;
}

static int put_tick(const struct frame *frame, const struct export_opts *opts,
		    FILE *out)
{
	const struct host *host = row_host(frame);
	int ret = 0;

	if (frame->tick > 1 && !opts->alone)
		fputc('\n', out);
	text_put_title(frame, out);
	if (host)
		text_host_put(host, out);
	else
		ret = put_session(frame, opts->hot, out);
	text_put_log(frame, out);
	return ret ? ret : row_flush(out);
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	char *text = NULL;
	size_t len;
	FILE *memory;
	int ret;

	(void)state;
	if (!opts->wrapped)
		return put_tick(frame, opts, out);
	memory = open_memstream(&text, &len);
	if (!memory)
		return -errno;
	ret = put_tick(frame, opts, memory);
	if (fclose(memory) != 0 && ret == 0)
		ret = -errno;
	if (ret == 0)
		text_put_wrapped(text, out);
	free(text);
	return ret ? ret : row_flush(out);
}

const struct export_format export_text = {
	.name = "text",
	.frame = put_frame,
};
