/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line for each ring and tick, after one with the names of columns: for
 * spreadsheets and data frames (RFC 4180, but with line feeds only).  Unknown
 * values are empty.
 */
#include "export/export.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "ring/figures.h"

enum { TEXT_BUF = 256 };

/*
 * Sanitized, and quoted if a reader would see several fields.  Any program
 * chooses its own comm: one that begins as a formula would be evaluated by a
 * spreadsheet, so an apostrophe is put before it, as OWASP advises ("CSV
 * Injection").
 */
static void put_text(const char *text, FILE *out)
{
	char safe[TEXT_BUF] = "'";
	size_t at = text[0] && strchr("=+-@\t\r", text[0]) ? 1 : 0;

	text_copy(safe + at, sizeof(safe) - at, text);
	if (!strpbrk(safe, ",\"")) {
		fputs(safe, out);
		return;
	}
	fputc('"', out);
	for (const char *c = safe; *c; c++) {
		if (*c == '"')
			fputc('"', out);
		fputc(*c, out);
	}
	fputc('"', out);
}

static void put_figure(enum figure figure, const struct ring_row *row,
		       FILE *out)
{
	if (!row_has(figure, row) || !figure_is_known(figure, row))
		return;
	switch (figure_info(figure)->kind) {
	case FIGURE_IS_COUNT:
	case FIGURE_IS_FLAG:
		fprintf(out, "%" PRIu64, figure_count(figure, row));
		break;
	case FIGURE_IS_NUMBER:
		fprintf(out, "%.10g", figure_number(figure, row));
		break;
	case FIGURE_IS_TEXT:
		put_text(figure_word(figure, row), out);
		break;
	}
}

static void put_names(FILE *out)
{
	fputs("time,ring,pid,comm", out);
	for (enum figure i = 0; i < FIGURES; i++) {
		const struct figure_info *info = figure_info(i);

		if (info->key)
			fprintf(out, ",%s%s", info->aux ? "aux_" : "",
				info->key);
	}
	fputc('\n', out);
}

static void put_row(const struct frame *frame, const struct ring_row *row,
		    FILE *out)
{
	fprintf(out, "%.3f,%" PRIu64 ",", frame->time, row->id);
	if (row->pid >= 0)
		fprintf(out, "%d", (int)row->pid);
	fputc(',', out);
	put_text(row->comm, out);
	for (enum figure i = 0; i < FIGURES; i++) {
		if (!figure_info(i)->key)
			continue;
		fputc(',', out);
		put_figure(i, row, out);
	}
	fputc('\n', out);
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	size_t nr;
	const struct ring_row *rows = row_rings(frame, &nr);

	if (!state->next || opts->alone)
		put_names(out);
	state->next = 1;
	for (size_t i = 0; i < nr; i++)
		put_row(frame, &rows[i], out);
	return row_flush(out);
}

const struct export_format export_csv = {
	.name = "csv",
	.frame = put_frame,
};
