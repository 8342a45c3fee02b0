/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "samples/samples.h"

enum { CELL_BUF = 64 };

/* Shares have an error if not all samples were decoded. */
static void put_hot_row(const struct samples *samples,
			const struct hot_row *row, FILE *out)
{
	const struct hot *hot = samples->hot;
	char share[CELL_BUF], error[CELL_BUF], count[CELL_BUF], what[1024];
	char event[256];
	int width = TEXT_PUT_WIDTH - 6 - 8 - 16;

	units_share(share, sizeof(share), row->self);
	units_share(error, sizeof(error), row->error);
	units_count(count, sizeof(count), row->samples);
	fprintf(out, "%5s ", share);
	if (hot->thinned) {
		fprintf(out, "%5s ", error);
		width -= 6;
	}
	fprintf(out, "%7s ", count);
	text_put_padded(row->value.comm, 15, out);
	if (!row_hot_by_field(samples))
		snprintf(what, sizeof(what), "%s (%s)",
			 hot->symbols[row->value.symbol].name,
			 symbol_file_name(row->value.dso));
	else if (samples->group & 1u << HOT_EVENT)
		snprintf(what, sizeof(what), "%s %s",
			 hot_key_text(hot, HOT_EVENT, &row->value, event,
				      sizeof(event)), row->value.field);
	else
		snprintf(what, sizeof(what), "%s", row->value.field);
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

/* Of the last column: "SYMBOL (FILE)", or the name of the field. */
static const char *hot_heading(const struct samples *samples, char *buf,
			       size_t size)
{
	const char *field = strrchr(samples->hot->field, '.');

	if (!row_hot_by_field(samples))
		return "SYMBOL (FILE)";
	snprintf(buf, size, "%s%s", samples->group & 1u << HOT_EVENT ?
		 "EVENT " : "", field && field[1] ? field + 1 : "FIELD");
	for (char *p = buf; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return buf;
}

/* The first @nr hot functions, since the start. */
static int put_hot(const struct frame *frame, size_t nr, FILE *out)
{
	struct hot_rows rows;
	char heading[HOT_FIELD_MAX];
	int ret = row_hot(frame, &rows);

	if (ret == -ENOENT)
		fprintf(out, "%s\n", row_no_samples(frame));
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	fprintf(out, "SELF%% %s%7s %-15s %s\n",
		frame->samples->hot->thinned ? "   +- " : "", "SAMPLES",
		"COMM", hot_heading(frame->samples, heading, sizeof(heading)));
	for (size_t i = 0; i < rows.nr && i < nr; i++)
		put_hot_row(frame->samples, &rows.rows[i], out);
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

	/* of a recording, it is the same for all */
	for (size_t i = 0; i < frame->nr_rings && !frame->playback; i++) {
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
	text_put_figures(IN_TEXT, NULL, out);
	for (size_t i = 0; i < frame->nr_rings; i++)
		text_put_figures(IN_TEXT, &frame->rings[i], out);
	text_put_figures(IN_TEXT, &frame->total.row, out);
	if (frame->total.aux_rings)
		text_put_figures(IN_TEXT_AUX, NULL, out);
	for (size_t i = 0; i < frame->nr_rings; i++)
		if (frame->rings[i].aux.size)
			text_put_figures(IN_TEXT_AUX, &frame->rings[i], out);
	put_advice(frame, out);
	if (frame->samples)
		put_samples(&frame->samples->status, out);
	return hot ? put_hot(frame, hot, out) : 0;
}

enum {
	HOST_BUF = 128,
	OWNER_TEXT = 48,
	WARNINGS_LISTED = 16,	/* per tick */
	OUTPUT_LISTED = 10,
};

/* See count_covered(). */
#define REPORTED UINT_MAX

/* Rings of packet captures have only the interface. */
static const char *name_of(const struct ring_row *row)
{
	return row->label[0] ? row->label : row->event;
}

/* Without any ring, the next line says which processes were not read. */
static void put_totals(const struct host *host, FILE *out)
{
	const struct ring_total *total = &host->total;
	const struct ring_row *sum = &total->row;
	bool known = sum->lost != UNKNOWN;
	char size[HOST_BUF], locked[HOST_BUF], lost[HOST_BUF] = "-", line[512];
	char rings[160] = "";

	if (!host_is_counted(host)) {
		fputs("no rings in the processes that rbtop may inspect\n",
		      out);
		return;
	}
	units_bytes(size, sizeof(size), (double)sum->size);
	units_bytes(locked, sizeof(locked), (double)sum->locked);
	if (known)
		units_count(lost, sizeof(lost), (double)sum->lost);
	/* the most common ones are always named */
	for (enum ring_kind kind = 0; kind < RING_KINDS; kind++)
		if (total->nr[kind] || kind <= RING_BPF)
			text_append(rings, sizeof(rings), ", %ss %u",
				    ring_kind_info(kind)->noun,
				    total->nr[kind]);
	if (total->gone)
		text_append(rings, sizeof(rings), ", gone %u", total->gone);
	snprintf(line, sizeof(line), "lost %s%s%s%s, owners %u, size %s, pinned %s",
		 known && sum->lost && total->at_least ? ">" : "", lost,
		 known && total->uncounted ? "+?" : "", rings, total->owners,
		 size, locked);
	fprintf(out, "%s\n", line);
	if (host->verdicts[0]) {
		text_copy(line, sizeof(line), host->verdicts);
		fprintf(out, "verdicts: %s\n", line);
	}
}

/* How rings are read; or why so little is known. */
static void put_status(const struct host_status *status, FILE *out)
{
	char interval[HOST_BUF], cost[HOST_BUF], line[1024], safe[1024];

	units_duration(interval, sizeof(interval), status->interval);
	units_duration(cost, sizeof(cost), status->cost);
	if (status->bpf)
		snprintf(line, sizeof(line), "polled every %s (%s of CPU)",
			 interval, cost);
	else
		snprintf(line, sizeof(line), "only sizes and owners: %s",
			 status->reason);
	text_copy(safe, sizeof(safe), line);
	fprintf(out, "%s\n", safe);
	if (status->uncounted[0])
		fprintf(out, "%s\n", status->uncounted);
	if (!status->error[0])
		return;
	text_copy(safe, sizeof(safe), status->error);
	fprintf(out, "%s\n", safe);
}

/* "of perf (4242)"; ftrace's buffers may have no reader. */
static const char *owner_text(const struct ring_row *row,
			      char buf[OWNER_TEXT])
{
	if (row->pid < 0)
		snprintf(buf, OWNER_TEXT, row->kind == RING_FTRACE ?
			 "that no process reads" : "without an owner");
	else
		snprintf(buf, OWNER_TEXT, "of %s (%d%s)", row->comm,
			 (int)row->pid, row->gone ? ", gone" : "");
	return buf;
}

static void put_warning(const struct ring_row *row, enum ring_warning warning,
			FILE *out)
{
	char what[512], line[1024], safe[1024], owner[OWNER_TEXT];

	ring_warning_text(warning, row, what, sizeof(what));
	/* An owner may have several rings per CPU, and BPF ring buffers. */
	snprintf(line, sizeof(line), "! %s%s%s %s: %s", row->label,
		 row->label[0] && row->event[0] ? " " : "", row->event,
		 owner_text(row, owner), what);
	text_copy(safe, sizeof(safe), line);
	fprintf(out, "  %s\n", safe);
}

/* Except mlock warnings of a user, which are written once for all its rings. */
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
	char locked[HOST_BUF], limit[HOST_BUF], name[HOST_BUF];

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

/* Whether it lost records, or may have done. */
static bool has_advice(const struct ring_row *row)
{
	return row->advice.valid &&
	       (row->lost == UNKNOWN ?
		row->advice.verdict >= VERDICT_CONCERN : row->lost != 0);
}

/* Whether the advice on @a covers @b, of the same owner. */
static bool covers(const struct ring_row *a, const struct ring_row *b)
{
	bool one_setting = a->kind == RING_PERF && b->kind == RING_PERF &&
			   a->advice.pages;

	return a->pid == b->pid && a->gone == b->gone &&
	       a->advice.pages == b->advice.pages &&
	       (one_setting || !strcmp(a->advice.text, b->advice.text));
}

/* Rings whose advice is that of row @i; REPORTED if already written. */
static unsigned int count_covered(const struct host *host, size_t i)
{
	const struct ring_row *row = &host->rows[i];
	unsigned int nr = 0;

	for (size_t k = 0; k < host->nr_rows; k++) {
		const struct ring_row *other = &host->rows[k];

		if (k == i || !has_advice(other) || !covers(row, other))
			continue;
		if (k < i && !other->advice.shared)
			return REPORTED;
		nr++;
	}
	return nr;
}

/*
 * Recommended sizes of rings that lost records, or why none is enough; once for
 * the rings of an owner that share one.
 */
static void put_host_advice(const struct host *host, FILE *out)
{
	unsigned int nr = 0, others;
	char subject[HOST_BUF], more[32], owner[OWNER_TEXT];

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		if (!has_advice(row) || row->advice.shared)
			continue;
		others = count_covered(host, i);
		if (others == REPORTED)
			continue;
		more[0] = '\0';
		if (others)
			snprintf(more, sizeof(more), " and %u other ring%s",
				 others, others == 1 ? "" : "s");
		snprintf(subject, sizeof(subject), "%s%s %s", name_of(row), more,
			 owner_text(row, owner));
		text_put_advice(subject, &row->advice, NULL, ++nr, out);
	}
	text_put_more_advice(nr, out);
}

/* As on the screen, rings with only dummy events are left out, unless they lost
 * records: of the totals, only the pinned memory includes them. */
static void put_host_rows(const struct host *host, FILE *out)
{
	unsigned int dummies = 0;

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		if (row->dummies &&
		    !unknown_as_zero(ring_row_lost_since(row))) {
			dummies++;
			continue;
		}
		/* headers are indented by the column of the mark */
		if (i == dummies) {
			fputs("  ", out);
			text_put_figures(IN_TEXT_HOST, NULL, out);
		}
		fputs(row->gone ? "x " : row->warnings ? "! " : "  ", out);
		text_put_figures(IN_TEXT_HOST, row, out);
	}
	if (dummies)
		fprintf(out, "  and %u with only dummy events, counted only "
			"as pinned\n", dummies);
}

/* Where nothing was lost: how near it came. */
static void put_fullest(const struct host *host, FILE *out)
{
	const struct ring_row *fullest = NULL;
	char owner[OWNER_TEXT], peak[HOST_BUF], size[HOST_BUF];
	char line[512], safe[512];

	for (size_t i = 0; i < host->nr_rows; i++) {
		const struct ring_row *row = &host->rows[i];

		if (row->self || row->dummies)
			continue;
		if (unknown_as_zero(ring_row_lost_since(row)) ||
		    unknown_as_zero(row->lost_pending))
			return;
		if (!row->overwrite &&
		    row->peak > (fullest ? fullest->peak : 0))
			fullest = row;
	}
	if (!fullest)
		return;
	figure_text(FIGURE_PEAK, fullest, peak, sizeof(peak));
	units_bytes(size, sizeof(size), (double)fullest->size);
	snprintf(line, sizeof(line), "fullest: %s %s, %s of %s at its peak",
		 name_of(fullest),
		 owner_text(fullest, owner), peak, size);
	text_copy(safe, sizeof(safe), line);
	fprintf(out, "%s\n", safe);
}

/* A command may have ended without any. */
static void put_none(const struct frame *frame, FILE *out)
{
	if (frame->ended && !frame->host->nr_rows)
		fputs("no ring was seen (perf stat, for one, uses none)\n", out);
}

/* What is monitored and how, a table of the rings, and warnings. */
static void put_host(const struct frame *frame, FILE *out)
{
	const struct host *host = frame->host;

	if (!host->status.ready) {
		fputs("not polled yet\n", out);
		return;
	}
	put_totals(host, out);
	put_none(frame, out);
	if (frame->ended)
		put_fullest(host, out);
	put_status(&host->status, out);
	put_host_rows(host, out);
	put_warnings(host, out);
	put_users(host, out);
	put_host_advice(host, out);
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
		put_host(frame, out);
	else
		ret = put_session(frame, opts->hot, out);
	text_put_log(frame, out);
	return ret ? ret : row_flush(out);
}

/* The last lines that a command printed, and how it ended. */
static void put_command(const struct log *log, FILE *out)
{
	size_t len = log ? log_len(log) : 0, first = len, lines = 0;
	char safe[sizeof(((struct log_entry *)NULL)->text)];

	while (first > 0 && lines < OUTPUT_LISTED)
		lines += log_at(log, --first)->kind == LOG_OUTPUT;
	for (; first < len; first++) {
		const struct log_entry *entry = log_at(log, first);

		if (entry->kind != LOG_OUTPUT && entry->kind != LOG_EXIT)
			continue;
		text_copy(safe, sizeof(safe), entry->text);
		fprintf(out, "%s\n", safe);
	}
}

static int put_end(const struct frame *frame, const struct export_opts *opts,
		   FILE *out)
{
	const struct host *host = row_host(frame);

	(void)opts;
	put_command(frame->log, out);
	if (!host) {
		text_put_figures(IN_TEXT, NULL, out);
		text_put_figures(IN_TEXT, &frame->total.row, out);
		put_advice(frame, out);
	} else if (host->status.ready) {
		put_totals(host, out);
		if (host->total.at_least && host->total.row.lost)
			fputs("> at least: losses between the last poll and the "
			      "end of a ring are not counted (see bpf in "
			      "rbtop --doctor)\n", out);
		put_none(frame, out);
		put_fullest(host, out);
		put_host_advice(host, out);
	}
	return row_flush(out);
}

/* What @put writes, for a terminal if opts->wrapped. */
static int put_text(int (*put)(const struct frame *frame,
			       const struct export_opts *opts, FILE *out),
		    const struct frame *frame, const struct export_opts *opts,
		    FILE *out)
{
	char *text = NULL;
	size_t len;
	FILE *memory;
	int ret;

	if (!opts->wrapped)
		return put(frame, opts, out);
	memory = open_memstream(&text, &len);
	if (!memory)
		return -errno;
	ret = put(frame, opts, memory);
	if (fclose(memory) != 0 && ret == 0)
		ret = -errno;
	if (ret == 0)
		text_put_wrapped(text, out);
	free(text);
	return ret ? ret : row_flush(out);
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	(void)state;
	return put_text(put_tick, frame, opts, out);
}

int export_text_end(const struct frame *frame, bool wrapped, FILE *out)
{
	const struct export_opts opts = { .wrapped = wrapped };

	return put_text(put_end, frame, &opts, out);
}

const struct export_format export_text = {
	.name = "text",
	.frame = put_frame,
};
