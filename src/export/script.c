/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a tick in the form of perf-script(1)'s default output, for
 * the tools that read that: a line each, or with callchains a line, a line for
 * each frame, and an empty one.
 *
 * Lines that begin with '#' are rbtop's own.
 */
#include "export/export.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "export/row.h"
#include "model/feed.h"
#include "model/samples.h"

enum { NSEC_PER_USEC = 1000, USEC_PER_SEC = 1000000 };

/* perf right-aligns the names of events to the longest of them. */
static int name_width(const struct frame *frame)
{
	size_t width = 0;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct frame_ring *ring = &frame->rings[i];

		for (size_t j = 0; j < ring->nr_events; j++) {
			size_t len = strlen(ring->events[j].name);

			if (!ring->events[j].side_band && len > width)
				width = len;
		}
	}
	return (int)width;
}

/* "sym+0x12 (dso)"; perf gives no offset where it knows no symbol. */
static void put_symbol(const struct feed_frame *frame, FILE *out)
{
	const struct symbol *symbol = &frame->symbol;

	fprintf(out, "%16" PRIx64 " %s", frame->ip, symbol->name);
	if (strcmp(symbol->name, "[unknown]"))
		fprintf(out, "+0x%" PRIx64, symbol->offset);
	fprintf(out, " (%s)\n", symbol->dso);
}

static void put_frames(const struct feed_sample *s, FILE *out)
{
	if (s->chain)
		fputc('\n', out);
	for (uint32_t i = 0; i < s->nr_frames; i++) {
		fputc(s->chain ? '\t' : ' ', out);
		put_symbol(&s->frames[i], out);
	}
	if (s->chain)
		fputc('\n', out);
}

static void put_sample(const struct feed_sample *s, int width, FILE *out)
{
	uint64_t usec = s->time / NSEC_PER_USEC;
	bool tracepoint = s->text[0] || (s->fields & PERF_SAMPLE_RAW);

	fprintf(out, s->chain ? "%s " : "%16s ", s->comm);
	fprintf(out, "%7d [%03d] %5" PRIu64 ".%06" PRIu64 ": ", (int)s->tid,
		s->cpu, usec / USEC_PER_SEC, usec % USEC_PER_SEC);
	if (!tracepoint)
		fprintf(out, "%10" PRIu64 " ", s->period);
	fprintf(out, "%*s: ", width, s->event);
	if (tracepoint)
		fputs(s->text, out);
	/* a tracepoint's own address is always that of its caller */
	if (!tracepoint || s->chain)
		put_frames(s, out);
	else
		fputc('\n', out);
}

/* Samples that came since the last tick and never reached the feed. */
static uint64_t skipped(const struct samples *samples,
			struct export_state *state)
{
	uint64_t last = state->skipped;

	state->skipped = feed_skipped(samples->feed) + samples->status.dropped;
	return state->skipped > last ? state->skipped - last : 0;
}

/* Those of @feed that are new; returns how many are lacking among them. */
static uint64_t put_new(const struct feed *feed, struct export_state *state,
			int width, FILE *out)
{
	uint64_t lacking = 0;

	for (size_t i = 0; i < feed_len(feed); i++) {
		const struct feed_entry *entry = feed_at(feed, i);
		const struct feed_sample *s = feed_entry_sample(entry);
		uint64_t serial = feed_entry_serial(entry);

		if (serial < state->next)
			continue;
		lacking += serial - state->next;
		if (s->weight)
			lacking += s->weight - 1;
		state->next = serial + 1;
		put_sample(s, width, out);
	}
	return lacking;
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	uint64_t lacking;

	(void)opts;
	if (!frame->samples) {
		if (frame->tick <= 1)
			fprintf(out, "# %s\n", row_no_samples(frame));
		return row_flush(out);
	}
	lacking = put_new(frame->samples->feed, state, name_width(frame), out) +
		  skipped(frame->samples, state);
	state->lacking += lacking;
	if (lacking)
		fprintf(out, "# %" PRIu64 " samples not shown\n", lacking);
	return row_flush(out);
}

const struct export_format export_script = {
	.name = "script",
	.every_sample = true,
	.frame = put_frame,
};
