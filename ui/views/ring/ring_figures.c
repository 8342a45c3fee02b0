/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/ring/ring_detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "ring/figures.h"
#include "ui/kit/figures.h"
#include "ui/kit/widgets.h"

enum entry_kind {
	ENTRY_END,
	ENTRY_COLUMN,		/* as the table of rings writes it */
	ENTRY_EXACT,		/* the same, in full */
	ENTRY_LOSS,		/* in full, and bad if it is not 0 */
	ENTRY_LOSS_RATE,	/* as the table, and bad if it is not 0 */
	ENTRY_OWN,		/* a getter's text */
};

struct entry {
	const char *label;
	enum entry_kind kind;
	enum figure column;
	char *(*text)(const struct ring_row *r, char *buf, size_t size);
};

static char *exact(uint64_t value, char *buf, size_t size)
{
	if (value == UNKNOWN)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%" PRIu64, value);
	return buf;
}

static char *seconds(double value, char *buf, size_t size)
{
	if (isnan(value)) {
		snprintf(buf, size, "-");
		return buf;
	}
	return units_duration(buf, size, value);
}

static char *burst(double bytes_per_s, char *buf, size_t size)
{
	char bytes[8];

	if (!(bytes_per_s > 0))
		return exact(UNKNOWN, buf, size);
	snprintf(buf, size, "%s/s",
		 units_bytes(bytes, sizeof(bytes), bytes_per_s));
	return buf;
}

#define OWN(name, expression)                                         \
	static char *text_##name(const struct ring_row *r, char *buf, \
				 size_t size)                         \
	{                                                             \
		return expression;                                    \
	}

OWN(head, exact(r->head, buf, size))
OWN(tail, exact(r->overwrite ? UNKNOWN : r->tail, buf, size))
OWN(wakeup_events, exact(r->wakeup_events, buf, size))
OWN(reported, exact(r->lost_reported, buf, size))
OWN(lost_samples, exact(r->reads->stats.lost_samples, buf, size))
OWN(unknown_ids, exact(r->reads->stats.unknown_ids, buf, size))
OWN(broken, exact(r->reads->stats.broken, buf, size))
OWN(burst, burst(r->advice.burst_bytes_per_s, buf, size))
OWN(gap, seconds(r->advice.worst_gap > 0 ? r->advice.worst_gap : (double)NAN,
		 buf, size))
OWN(p100, seconds(r->reads->stats.latency.count ?
			  (double)r->reads->stats.latency.max_ns / 1e9 :
			  (double)NAN, buf, size))
OWN(age, seconds(r->reads->counts_age, buf, size))

static char *share(double value, char *buf, size_t size)
{
	if (isnan(value))
		return exact(UNKNOWN, buf, size);
	return units_share(buf, size, value);
}

/* Losses have a mark as well as a colour. */
static char *marked(uint64_t value, char *buf, size_t size)
{
	*buf = '!';
	exact(value, buf + (value != 0), size - (value != 0));
	return buf;
}

/* In snapshot mode a round may have gone by between two looks. */
static char *wraps(const struct ring_aux *x, char *buf, size_t size)
{
	snprintf(buf, size, "%s%" PRIu64, x->overwrite ? "at least " : "",
		 x->wraps);
	return buf;
}

static char *word(const char *text, char *buf, size_t size)
{
	snprintf(buf, size, "%s", text);
	return buf;
}

OWN(aux_size, units_bytes(buf, size, (double)r->aux.size))
OWN(aux_watermark, r->aux.watermark ?
	units_bytes(buf, size, (double)r->aux.watermark) :
	exact(UNKNOWN, buf, size))
OWN(aux_fill, share(r->aux.fill, buf, size))
OWN(aux_peak, share(r->reads->aux.peak, buf, size))
OWN(aux_rate, burst(r->aux.bytes_per_s, buf, size))
OWN(aux_head, exact(ring_row_has_aux_head(r) ? r->aux.head : UNKNOWN, buf,
		    size))
OWN(aux_tail, exact(r->aux.overwrite ? UNKNOWN : r->aux.tail, buf, size))
OWN(aux_wraps, wraps(&r->aux, buf, size))
OWN(aux_records, exact(r->reads->stats.aux.records, buf, size))
OWN(aux_truncated, marked(r->reads->stats.aux.truncated, buf, size))
OWN(aux_overwrite, exact(r->reads->stats.aux.overwrite, buf, size))
OWN(aux_partial, marked(r->reads->stats.aux.partial, buf, size))
OWN(aux_collision, marked(r->reads->stats.aux.collision, buf, size))
OWN(aux_itrace, exact(r->reads->stats.aux.itrace_starts, buf, size))
OWN(aux_hw_ids, exact(r->reads->stats.aux.hw_ids, buf, size))
OWN(aux_reenabled, exact(r->reads->stats.aux.reenabled, buf, size))
OWN(aux_state, word(r->reads->aux.stopped ? "stopped" : "on", buf, size))
OWN(aux_age, seconds(r->reads->aux.head_age, buf, size))
OWN(aux_snapshot, seconds(r->reads->aux.snapshot_stopped > 0 ?
			  r->reads->aux.snapshot_stopped : (double)NAN, buf, size))
OWN(aux_cost, seconds(r->reads->aux.read_cost, buf, size))

static const struct entry fill_figures[] = {
	{ "size", ENTRY_COLUMN, FIGURE_SIZE, NULL },
	{ "used", ENTRY_EXACT, FIGURE_USED, NULL },
	{ "fill", ENTRY_COLUMN, FIGURE_FILLPCT, NULL },
	{ "peak", ENTRY_COLUMN, FIGURE_PEAK, NULL },
	{ "bytes/s", ENTRY_COLUMN, FIGURE_RATE, NULL },
	{ "records/s", ENTRY_COLUMN, FIGURE_RECORDS, NULL },
	{ "head", ENTRY_OWN, FIGURES, text_head },
	{ "tail", ENTRY_OWN, FIGURES, text_tail },
	{ "watermark", ENTRY_COLUMN, FIGURE_WATERMARK, NULL },
	{ "wakeup_events", ENTRY_OWN, FIGURES, text_wakeup_events },
	{ NULL, ENTRY_END, FIGURES, NULL },
};

static const struct entry wakeup_figures[] = {
	{ "crossings", ENTRY_EXACT, FIGURE_CROSSINGS, NULL },
	{ "POLLIN returns", ENTRY_EXACT, FIGURE_WAKEUPS, NULL },
	{ "a second", ENTRY_COLUMN, FIGURE_WAKE, NULL },
	{ "drains", ENTRY_EXACT, FIGURE_DRAINS, NULL },
	{ "timer drains", ENTRY_EXACT, FIGURE_TIMER, NULL },
	{ "burst", ENTRY_OWN, FIGURES, text_burst },
	{ "gap", ENTRY_OWN, FIGURES, text_gap },
	{ "latency p50", ENTRY_COLUMN, FIGURE_P50, NULL },
	{ "latency p99", ENTRY_COLUMN, FIGURE_P99, NULL },
	{ "latency max", ENTRY_OWN, FIGURES, text_p100 },
	{ NULL, ENTRY_END, FIGURES, NULL },
};

static const struct entry loss_figures[] = {
	{ "lost", ENTRY_LOSS, FIGURE_LOST, NULL },
	{ "reported", ENTRY_OWN, FIGURES, text_reported },
	{ "pending", ENTRY_EXACT, FIGURE_PENDING, NULL },
	{ "a second", ENTRY_LOSS_RATE, FIGURE_LOSTRATE, NULL },
	{ "LOST_SAMPLES", ENTRY_OWN, FIGURES, text_lost_samples },
	{ "throttled", ENTRY_EXACT, FIGURE_THROTTLED, NULL },
	{ "rbtop's own", ENTRY_EXACT, FIGURE_OWN, NULL },
	{ "of unknown ids", ENTRY_OWN, FIGURES, text_unknown_ids },
	{ "broken records", ENTRY_OWN, FIGURES, text_broken },
	{ "counts read ago", ENTRY_OWN, FIGURES, text_age },
	{ NULL, ENTRY_END, FIGURES, NULL },
};

static const struct entry aux_figures[] = {
	{ "size", ENTRY_OWN, FIGURES, text_aux_size },
	{ "watermark", ENTRY_OWN, FIGURES, text_aux_watermark },
	{ "fill", ENTRY_OWN, FIGURES, text_aux_fill },
	{ "peak", ENTRY_OWN, FIGURES, text_aux_peak },
	{ "bytes/s", ENTRY_OWN, FIGURES, text_aux_rate },
	{ "head", ENTRY_OWN, FIGURES, text_aux_head },
	{ "tail", ENTRY_OWN, FIGURES, text_aux_tail },
	{ "wraps", ENTRY_OWN, FIGURES, text_aux_wraps },
	{ NULL, ENTRY_END, FIGURES, NULL },
};

static const struct entry aux_record_figures[] = {
	{ "AUX records", ENTRY_OWN, FIGURES, text_aux_records },
	{ "TRUNCATED", ENTRY_OWN, FIGURES, text_aux_truncated },
	{ "OVERWRITE", ENTRY_OWN, FIGURES, text_aux_overwrite },
	{ "PARTIAL", ENTRY_OWN, FIGURES, text_aux_partial },
	{ "COLLISION", ENTRY_OWN, FIGURES, text_aux_collision },
	{ "ITRACE_START", ENTRY_OWN, FIGURES, text_aux_itrace },
	{ "hardware ids", ENTRY_OWN, FIGURES, text_aux_hw_ids },
	{ "let go on again", ENTRY_OWN, FIGURES, text_aux_reenabled },
	{ NULL, ENTRY_END, FIGURES, NULL },
};

static const struct entry aux_stop_figures[] = {
	{ "tracing", ENTRY_OWN, FIGURES, text_aux_state },
	{ "last stop, ago", ENTRY_OWN, FIGURES, text_aux_age },
	{ "r stopped it for", ENTRY_OWN, FIGURES, text_aux_cost },
	{ "last snapshot", ENTRY_OWN, FIGURES, text_aux_snapshot },
	{ NULL, ENTRY_END, FIGURES, NULL },
};

static void entry_text(const struct entry *f, const struct ring_row *r,
			char *buf, size_t size)
{
	bool loss = f->kind == ENTRY_LOSS || f->kind == ENTRY_LOSS_RATE;
	bool full = f->kind == ENTRY_EXACT || f->kind == ENTRY_LOSS;
	double value;

	if (f->kind == ENTRY_OWN) {
		f->text(r, buf, size);
		return;
	}
	value = figure_number(f->column, r);
	if (loss && value > 0) {
		*buf++ = '!';
		size--;
	}
	if (full && !isnan(value))
		snprintf(buf, size, "%.0f", value);
	else
		figure_text(f->column, r, buf, size);
}

static const char *figure_at(const void *table, size_t i, const void *ring,
			     char text[FIGURES_TEXT])
{
	const struct entry *f = (const struct entry *)table + i;

	if (f->kind != ENTRY_END)
		entry_text(f, ring, text, FIGURES_TEXT);
	return f->label;
}

int ring_figures_draw(struct area a, int row, const void *ring)
{
	static const struct figures_block blocks[] = {
		{ "Fill", fill_figures },
		{ "Wakeups", wakeup_figures },
		{ "Losses", loss_figures },
	};

	return figures_draw(a, row, blocks, 3, figure_at, ring);
}

int ring_figures_aux(struct area a, int row, const void *ring)
{
	static const struct figures_block blocks[] = {
		{ "AUX ring", aux_figures },
		{ "What AUX records say", aux_record_figures },
		{ "Stops", aux_stop_figures },
	};
	const struct ring_row *r = ring;

	return r->aux.size ? figures_draw(a, row, blocks, 3, figure_at, r) :
			     row;
}

int ring_figures_overwrite(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct ring_overwrite *o;
	char oldest[8], newest[8], paused[8], text[256];

	if (!r->overwrite || !r->reads)
		return row;
	o = &r->reads->overwrite;
	widget_heading(a, row++, "Overwrite");
	snprintf(text, sizeof(text),
		 "went round %" PRIu64 " times; the newest records replace "
		 "the oldest", r->size ? r->head / r->size : 0);
	row = area_wrapped(a, row, ROLE_DEFAULT, text);
	if (!o->valid)
		return area_wrapped(a, row, ROLE_DIM,
				    "not read yet: r reads it, pausing its "
				    "output for that long");
	snprintf(text, sizeof(text),
		 "last read: %" PRIu64 " records, the oldest %s old, the "
		 "newest %s", o->records,
		 seconds(o->oldest, oldest, sizeof(oldest)),
		 seconds(o->newest, newest, sizeof(newest)));
	row = area_wrapped(a, row, ROLE_VALUE, text);
	snprintf(text, sizeof(text),
		 "output paused for %s; lost in all reads so far: %" PRIu64,
		 seconds(o->paused, paused, sizeof(paused)), o->lost);
	return area_wrapped(a, row, o->lost ? ROLE_WARN : ROLE_DEFAULT, text);
}

int ring_figures_advice(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	const struct advice *advice = &r->advice;
	char text[sizeof(r->reads->aux.advice) + 16];

	if (!r->known)
		return row;
	widget_heading(a, row++, "Sizing");
	if (r->reads && *r->reads->aux.advice) {
		snprintf(text, sizeof(text), "AUX ring: %s",
			 r->reads->aux.advice);
		row = area_wrapped(a, row, ROLE_BAD, text);
	}
	if (!advice->valid)
		return area_wrapped(a, row, ROLE_DIM,
				    *advice->reason ? advice->reason :
						      "nothing to say yet");
	row = area_wrapped(a, row, ROLE_VALUE, advice->text);
	return area_wrapped(a, row, ROLE_DIM, advice->reason);
}
