/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/text_host.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/units.h"
#include "export/row.h"
#include "export/text_put.h"
#include "ring/figures.h"

enum {
	CELL_BUF = 128,
	WARNINGS_LISTED = 16,	/* of one tick */
};

/* With a mark and a blank between them TEXT_PUT_WIDTH wide; texts stand to the
 * left, figures to the right. */
static const struct {
	enum figure column;
	int width;
	bool text;
} cells[] = {
	{ FIGURE_PID, 7, false },
	{ FIGURE_OWNER, 12, true },
	{ FIGURE_RING, 9, true },
	{ FIGURE_EVENT, 12, true },
	{ FIGURE_SIZE, 5, false },
	{ FIGURE_FILLPCT, 5, false },
	{ FIGURE_PEAK, 5, false },
	{ FIGURE_RATE, 5, false },
	{ FIGURE_LOST, 5, false },
	{ FIGURE_PENDING, 5, false },
};
enum { CELLS = sizeof(cells) / sizeof(*cells) };

/* The last one without blanks behind it. */
static void put_cell(size_t i, const char *text, FILE *out)
{
	char safe[CELL_BUF];

	text_copy(safe, sizeof(safe), text);
	if (i > 0)
		fputc(' ', out);
	if (cells[i].text)
		text_put_padded(safe, cells[i].width, out);
	else
		fprintf(out, "%*s", cells[i].width, safe);
}

static void put_header(FILE *out)
{
	fputc(' ', out);
	for (size_t i = 0; i < CELLS; i++)
		put_cell(i, figure_header(cells[i].column, IN_HOST), out);
	fputc('\n', out);
}

static void put_row(const struct ring_row *row, FILE *out)
{
	char cell[CELL_BUF];

	fputc(row->gone ? 'x' : row->warnings ? '!' : ' ', out);
	for (size_t i = 0; i < CELLS; i++)
		put_cell(i, figure_text(cells[i].column, row, cell,
					     sizeof(cell)), out);
	fputc('\n', out);
}

/* Where none was seen the line below says of how many it may be. */
static void put_totals(const struct host *host, FILE *out)
{
	const struct ring_total *total = &host->total;
	const struct ring_row *sum = &total->row;
	bool told = sum->lost != UNKNOWN;
	char size[CELL_BUF], locked[CELL_BUF], lost[CELL_BUF] = "-", line[512];

	if (!host_is_counted(host)) {
		fputs("no ring is seen of the processes that may be looked "
		      "into\n", out);
		return;
	}
	units_bytes(size, sizeof(size), (double)sum->size);
	units_bytes(locked, sizeof(locked), (double)sum->locked);
	if (told)
		units_count(lost, sizeof(lost), (double)sum->lost);
	snprintf(line, sizeof(line), "perf rings %u, BPF ring buffers %u, "
		 "processes %u, size %s, pinned %s, lost %s%s%s", total->rings,
		 total->ringbufs, total->owners, size, locked,
		 told && sum->lost && total->at_least ? ">" : "", lost,
		 told && total->uncounted ? "+?" : "");
	text_put_wrapped(line, 0, out);
}

/* How they are looked at; or why so little is known of them. */
static void put_status(const struct host_status *status, FILE *out)
{
	char interval[CELL_BUF], cost[CELL_BUF], line[1024], safe[1024];

	units_duration(interval, sizeof(interval), status->interval);
	units_duration(cost, sizeof(cost), status->cost);
	if (status->bpf)
		snprintf(line, sizeof(line), "looked at every %s, which takes "
			 "%s of CPU time", interval, cost);
	else
		snprintf(line, sizeof(line), "sizes and owners alone: %s",
			 status->reason);
	text_copy(safe, sizeof(safe), line);
	text_put_wrapped(safe, 0, out);
	if (!status->error[0])
		return;
	text_copy(safe, sizeof(safe), status->error);
	text_put_wrapped(safe, 0, out);
}

static void put_warning(const struct ring_row *row, enum ring_warning warning,
			FILE *out)
{
	char what[512], line[1024], safe[1024];

	ring_warning_text(warning, row, what, sizeof(what));
	/* One owner may have several rings of a CPU, and BPF ring buffers. */
	snprintf(line, sizeof(line), "! %s%s%s of %s (%d): %s", row->label,
		 row->event[0] ? " " : "", row->event, row->comm,
		 (int)row->pid, what);
	text_copy(safe, sizeof(safe), line);
	fputs("  ", out);
	text_put_wrapped(safe, 2, out);
}

/* But for those that are the user's: that is said once, for all its rings. */
static void put_warnings(const struct host *host, FILE *out)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		if (row->gone)
			continue;
		for (enum ring_warning w = 0; w < RING_WARNINGS; w++)
			if (w != RING_WARN_MLOCK &&
			    (row->warnings & 1u << w) &&
			    ++nr <= WARNINGS_LISTED)
				put_warning(row, w, out);
	}
	if (nr > WARNINGS_LISTED)
		fprintf(out, "  ! and %u more\n", nr - WARNINGS_LISTED);
}

static void put_users(const struct host *host, FILE *out)
{
	char locked[CELL_BUF], limit[CELL_BUF], name[CELL_BUF];

	for (size_t i = 0; i < host->nr_users; i++) {
		const struct host_user *user = &host->users[i];

		if (!user->at_limit)
			continue;
		units_bytes(locked, sizeof(locked), (double)user->locked);
		units_bytes(limit, sizeof(limit), (double)user->limit);
		text_copy(name, sizeof(name), user->name);
		fprintf(out, "  ! user %s is at the mlock limit: %s pinned of "
			"%s\n", name, locked, limit);
	}
}

/* The sizes that rings need which lost records, or why none is enough. */
static void put_advice(const struct host *host, FILE *out)
{
	unsigned int nr = 0;
	char who[CELL_BUF];

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		if (row->gone || row->lost == UNKNOWN || !row->lost ||
		    !row->advice.valid)
			continue;
		snprintf(who, sizeof(who), "%s of %s (%d)", row->label,
			 row->comm, (int)row->pid);
		text_put_advice(who, &row->advice, ++nr, out);
	}
	text_put_more_advice(nr, out);
}

void text_host_put(const struct host *host, FILE *out)
{
	if (!host->status.ready) {
		fputs("not looked at yet\n", out);
		return;
	}
	put_totals(host, out);
	put_status(&host->status, out);
	if (host->nr_rows)
		put_header(out);
	for (size_t i = 0; i < host->nr_rows; i++)
		put_row(&host->rows[i], out);
	put_warnings(host, out);
	put_users(host, out);
	put_advice(host, out);
}
