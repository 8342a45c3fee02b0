/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a tick in perf-script(1)'s default format, for tools that read
 * it: a line each; with callchains a line, a line per frame, and an empty line.
 *
 * Lines that begin with '#' are rbtop's own.
 */
#include "export/export.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/param.h>

#include "base/text.h"
#include "samples/feed.h"
#include "samples/samples.h"

enum { NSEC_PER_USEC = 1000, USEC_PER_SEC = 1000000, LINES_BYTES = 4096 };

/* Output buffer: printf(3) is too slow for millions of lines. */
struct lines {
	FILE *out;
	size_t len;
	char buf[LINES_BYTES];
};

static void flush(struct lines *to)
{
	fwrite(to->buf, 1, to->len, to->out);
	to->len = 0;
}

static void put_char(struct lines *to, char c)
{
	if (to->len == sizeof(to->buf))
		flush(to);
	to->buf[to->len++] = c;
}

static void put_bytes(struct lines *to, const char *text, size_t len)
{
	if (len > sizeof(to->buf) - to->len)
		flush(to);
	if (len > sizeof(to->buf)) {
		fwrite(text, 1, len, to->out);
		return;
	}
	memcpy(to->buf + to->len, text, len);
	to->len += len;
}

static void put_text(struct lines *to, const char *text)
{
	put_bytes(to, text, strlen(text));
}

/* Right-aligned to @width, padded with @pad. */
static void put_right(struct lines *to, const char *text, size_t width,
		      char pad)
{
	size_t len = strlen(text);

	for (size_t i = len; i < width; i++)
		put_char(to, pad);
	put_bytes(to, text, len);
}

static void put_number(struct lines *to, uint64_t number, size_t width,
		       char pad)
{
	char buf[TEXT_DIGITS];

	put_right(to, text_digits(buf, number, 10), width, pad);
}

static void put_hex(struct lines *to, uint64_t number, size_t width)
{
	char buf[TEXT_DIGITS];

	put_right(to, text_digits(buf, number, 16), width, ' ');
}

/* A task or CPU; -1 if unknown. */
static void put_id(struct lines *to, int id, size_t width, char pad)
{
	if (id >= 0)
		put_number(to, (uint64_t)id, width, pad);
	else
		put_right(to, "-1", width, ' ');
}

/* "sym+0x12 (dso)"; like perf, without an offset for unknown symbols. */
static void put_symbol(struct lines *to, const struct feed_frame *frame)
{
	const struct symbol *symbol = &frame->symbol;
	const char *name = symbol->placed ? "[unknown]" : symbol->name;

	put_hex(to, frame->ip, 16);
	put_char(to, ' ');
	put_text(to, name);
	if (strcmp(name, "[unknown]")) {
		put_text(to, "+0x");
		put_hex(to, symbol->offset, 0);
	}
	put_text(to, " (");
	put_text(to, symbol->dso);
	put_text(to, ")\n");
}

static void put_frames(struct lines *to, const struct feed_sample *s)
{
	if (s->chain)
		put_char(to, '\n');
	for (uint32_t i = 0; i < s->nr_frames; i++) {
		put_char(to, s->chain ? '\t' : ' ');
		put_symbol(to, &s->frames[i]);
	}
	if (s->chain)
		put_char(to, '\n');
}

static void put_time(struct lines *to, uint64_t time)
{
	uint64_t usec = time / NSEC_PER_USEC;

	put_number(to, usec / USEC_PER_SEC, 5, ' ');
	put_char(to, '.');
	put_number(to, usec % USEC_PER_SEC, 6, '0');
	put_text(to, ": ");
}

static void put_sample(struct lines *to, const struct feed_sample *s,
		       size_t width)
{
	bool tracepoint = s->text[0] || (s->fields & PERF_SAMPLE_RAW);

	put_right(to, s->comm, s->chain ? 0 : 16, ' ');
	put_char(to, ' ');
	put_id(to, s->tid, 7, ' ');
	if (s->cpu >= 0) {
		put_text(to, " [");
		put_id(to, s->cpu, 3, '0');
		put_char(to, ']');
	}
	put_char(to, ' ');
	put_time(to, s->time);
	if (!tracepoint) {
		put_number(to, s->period, 10, ' ');
		put_char(to, ' ');
	}
	put_right(to, s->event, width, ' ');
	put_text(to, ": ");
	if (tracepoint)
		put_text(to, s->text);
	/* a tracepoint's own address is always its caller's */
	if (!tracepoint || s->chain)
		put_frames(to, s);
	else
		put_char(to, '\n');
}

/* How far a count rose since the last tick. */
static uint64_t risen(uint64_t *last, uint64_t count)
{
	uint64_t by = count > *last ? count - *last : 0;

	*last = count;
	return by;
}

/*
 * Write the new samples of the feed, with event names right-aligned to the
 * longest as perf does; count those that are missing.
 */
static void put_new(const struct samples *samples, struct export_state *state,
		    uint64_t lacking[LACKS], FILE *out)
{
	const struct feed *feed = samples->feed;
	uint64_t end = feed_next_serial(feed);
	uint64_t first = MAX(state->next, end - feed_len(feed));
	struct lines to;

	to.out = out;
	to.len = 0;
	lacking[LACK_LAPPED] += first - state->next;
	for (uint64_t serial = first; serial < end; serial++) {
		const struct feed_sample *s =
			feed_entry_sample(feed_find(feed, serial));

		if (s->weight)
			lacking[LACK_THINNED] += s->weight - 1;
		put_sample(&to, s, samples->name_width);
	}
	state->next = end;
	flush(&to);
}

/* Add what is missing in this tick to the totals; returns its sum. */
static uint64_t count_lacking(const struct samples *samples,
			      struct export_state *state,
			      uint64_t lacking[LACKS])
{
	const struct samples_status *status = &samples->status;
	uint64_t all = 0;

	lacking[LACK_THINNED] += risen(&state->skipped,
				       feed_skipped(samples->feed));
	/* fewer are picked as long as the queue does not keep up */
	if (risen(&state->crowded, status->crowded)) {
		lacking[LACK_SLOW] += lacking[LACK_THINNED];
		lacking[LACK_THINNED] = 0;
	}
	lacking[LACK_SLOW] += risen(&state->dropped, status->dropped);
	lacking[LACK_LATE] += risen(&state->late, status->late);
	for (int i = 0; i < LACKS; i++) {
		state->lacking[i] += lacking[i];
		all += lacking[i];
	}
	return all;
}

static int put_frame(const struct frame *frame, const struct export_opts *opts,
		     struct export_state *state, FILE *out)
{
	uint64_t lacking[LACKS] = { 0 }, all;

	(void)opts;
	if (!frame->samples) {
		if (frame->tick <= 1)
			fprintf(out, "# %s\n", row_no_samples(frame));
		return row_flush(out);
	}
	put_new(frame->samples, state, lacking, out);
	all = count_lacking(frame->samples, state, lacking);
	if (all)
		fprintf(out, "# %" PRIu64 " samples not shown\n", all);
	return row_flush(out);
}

const struct export_format export_script = {
	.name = "script",
	.every_sample = true,
	.frame = put_frame,
};
