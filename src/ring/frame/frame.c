/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/frame/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "ring/frame/ring_row_build.h"
#include "ring/log.h"
#include "ring/reading.h"
#include "samples/samples.h"

/* Far above those of host_notes.c. */
#define FOLD_THROTTLES (UINT64_C(1) << 63)

enum {
	MAX_LINES = 8,		/* per tick and kind */
};

/* A tick of this many seconds is not a moment: its length is said. */
static const double long_tick = 3;

/* Fill and gap of a loss: " (fill peak 100%, gap 210ms)". */
static void lost_detail(const struct ring_row_build *state, char *buf,
			size_t size)
{
	const struct ring_row_tick *tick = &state->tick;
	char gap[16], peak[16], over[16];

	units_duration(gap, sizeof(gap), (double)tick->gap_ns / 1e9);
	units_share(peak, sizeof(peak), tick->fill);
	if (tick->in_snapshot)
		snprintf(buf, size, " while a snapshot was taken");
	else if (tick->paused)
		snprintf(buf, size, " while paused");
	else if (tick->resized)
		snprintf(buf, size, "; the ring was resized in that time");
	else if (tick->stopped)
		snprintf(buf, size, " while rbtop was stopped");
	else if (tick->gap_ns && tick->seconds >= long_tick)
		snprintf(buf, size, " in %s (fill peak %s, worst gap %s)",
			 units_duration(over, sizeof(over), tick->seconds),
			 peak, gap);
	else if (tick->gap_ns)
		snprintf(buf, size, " (fill peak %s, gap %s)", peak, gap);
	else if (isnan(tick->fill))
		buf[0] = '\0';
	else
		snprintf(buf, size, " (fill peak %s)", peak);
}

/* After TRUNCATED: " (enabled again 2 times)". */
static void truncated_detail(const struct ring_row_build *state, char *buf,
			     size_t size)
{
	uint64_t times = state->aux.tick.reenabled;
	char number[UNITS_EXACT];

	buf[0] = '\0';
	if (times)
		snprintf(buf, size, " (enabled again %s %s)",
			 units_exact(number, times),
			 times == 1 ? "time" : "times");
}

static void samples_detail(const struct ring_row_build *state, char *buf,
			   size_t size)
{
	(void)state;
	snprintf(buf, size, " in the hardware");
}

#define COUNT(name, value)                                                   \
	static uint64_t count_##name(const struct ring_row_build *state)     \
	{                                                                    \
		return state->value;                                         \
	}

COUNT(lost, tick.lost)
COUNT(lost_samples, tick.lost_samples)
COUNT(broken, tick.broken)
COUNT(truncated, aux.tick.truncated)
COUNT(partial, aux.tick.partial)
COUNT(collision, aux.tick.collision)

/* What may happen to a ring: "CPU 3 lost 1,234 records" + detail. */
static const struct incident {
	enum log_kind kind;
	uint64_t (*count)(const struct ring_row_build *state);
	const char *verb, *one, *many;
	void (*detail)(const struct ring_row_build *state, char *buf,
		       size_t size);
} incidents[] = {
	{ LOG_LOST, count_lost, "lost", "record", "records", lost_detail },
	{ LOG_LOST, count_lost_samples, "lost", "sample",
	  "samples", samples_detail },
	{ LOG_ERROR, count_broken, "had", "record with an invalid size",
	  "records with an invalid size", NULL },
	{ LOG_AUX, count_truncated, "had", "AUX record flagged TRUNCATED",
	  "AUX records flagged TRUNCATED", truncated_detail },
	{ LOG_AUX, count_partial, "had", "AUX record flagged PARTIAL",
	  "AUX records flagged PARTIAL", NULL },
	{ LOG_AUX, count_collision, "had", "AUX record flagged COLLISION",
	  "AUX records flagged COLLISION", NULL },
};

/* At most MAX_LINES rings. */
static void log_each(struct log *log, const struct frame *frame,
		     const struct ring_row_build *states,
		     const struct incident *incident)
{
	char number[UNITS_EXACT], detail[64] = "";

	for (size_t i = 0; i < frame->nr_rings; i++) {
		uint64_t n = incident->count(&states[i]);

		if (!n)
			continue;
		if (incident->detail)
			incident->detail(&states[i], detail, sizeof(detail));
		log_add(log, frame->time, incident->kind, "%s %s %s %s%s",
			frame->rings[i].label, incident->verb,
			units_exact(number, n),
			n == 1 ? incident->one : incident->many, detail);
	}
}

static void log_incident(struct log *log, const struct frame *frame,
			 const struct ring_row_build *states,
			 const struct incident *incident)
{
	char all[UNITS_EXACT], max[UNITS_EXACT];
	uint64_t sum = 0, worst = 0;
	size_t rings = 0, at = 0;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		uint64_t n = incident->count(&states[i]);

		sum += n;
		rings += n > 0;
		if (n > worst) {
			worst = n;
			at = i;
		}
	}
	if (rings <= MAX_LINES) {
		log_each(log, frame, states, incident);
		return;
	}
	log_add(log, frame->time, incident->kind,
		"%zu rings %s %s %s in one tick, %s the most (%s)", rings,
		incident->verb, units_exact(all, sum), incident->many,
		frame->rings[at].label, units_exact(max, worst));
}

/* Whether @total, with the last @nr of it, has reached a power of 2^@bits. */
static bool is_milestone(uint64_t total, uint64_t nr, unsigned int bits)
{
	uint64_t before = total - nr;

	while (total >> bits) {
		total >>= bits;
		before >>= bits;
	}
	return total && !before;
}

/*
 * The kernel counts samples by ticks of its timer, and throttles an event that
 * exceeds the limit in one.  The timer of an idle CPU is stopped, but a clock
 * event goes on sampling.  True if that is all it is.
 */
static bool explain_throttles(const struct frame *frame, char *buf,
			      size_t size)
{
	const struct event_rates *rates = &frame->rates;
	unsigned long long max = rates->max;
	bool harmless = rates->clock && rates->freq &&
			rates->freq < rates->max / 2;

	buf[0] = '\0';
	if (harmless)
		snprintf(buf, size, ": harmless: at %llu Hz it happens only on "
			 "idle CPUs, whose timer tick is stopped",
			 (unsigned long long)rates->freq);
	else if (max)
		snprintf(buf, size, ": %s, or raise "
			 "kernel.perf_event_max_sample_rate (%llu)",
			 rates->freq ? "lower -F" : "raise -c", max);
	return harmless;
}

/*
 * Throttling tends to go on: a line for each ring, or for all if there are many,
 * which is replaced each time that their number has doubled, or, if it is
 * harmless, is 16 times as large.
 */
static void log_throttles(struct log *log, const struct frame *frame,
			  const struct ring_row_build *states)
{
	char why[112], number[UNITS_EXACT], text[240];
	uint64_t sum = 0, all = 0;
	size_t rings = 0;
	unsigned int bits = explain_throttles(frame, why, sizeof(why)) ? 4 : 1;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		sum += states[i].tick.throttled;
		all += states[i].reads.stats.types[RECORD_THROTTLE];
		rings += states[i].reads.stats.types[RECORD_THROTTLE] > 0;
	}
	if (rings > MAX_LINES && is_milestone(all, sum, bits)) {
		snprintf(text, sizeof(text), "%zu rings throttled %s times%s",
			 rings, units_exact(number, all), why);
		log_fold(log, frame->time, LOG_THROTTLE, FOLD_THROTTLES, text);
	}
	for (size_t i = 0; rings <= MAX_LINES && i < frame->nr_rings; i++) {
		uint64_t nr = states[i].reads.stats.types[RECORD_THROTTLE];

		if (!is_milestone(nr, states[i].tick.throttled, bits))
			continue;
		snprintf(text, sizeof(text), "%s throttled %s time%s%s",
			 frame->rings[i].label, units_exact(number, nr),
			 nr == 1 ? "" : "s", why);
		log_fold(log, frame->time, LOG_THROTTLE,
			 FOLD_THROTTLES + 1 + i, text);
	}
}

/*
 * One line for all rings: the longest time that one was not drained because
 * rbtop was stopped.
 */
static void log_stop(struct log *log, const struct frame *frame,
		     const struct ring_row_build *states)
{
	uint64_t longest = 0;
	char time[16];

	for (size_t i = 0; i < frame->nr_rings; i++)
		if (states[i].tick.stopped_ns > longest)
			longest = states[i].tick.stopped_ns;
	if (longest)
		log_add(log, frame->time, LOG_INFO,
			"rbtop was stopped for %s; the advice ignores that "
			"time",
			units_duration(time, sizeof(time),
				       (double)longest / 1e9));
}

/* Whether a line of the log starts with @begin. */
static bool is_logged(const struct log *log, const char *begin)
{
	for (size_t i = log_len(log); i > 0; i--) {
		if (text_begins(log_at(log, i - 1)->text, begin))
			return true;
	}
	return false;
}

/* Why kernel functions have no names; repeated once the line was dropped. */
static void log_hidden(struct log *log, const struct frame *frame)
{
	static const char begin[] = "no kernel symbols: ";

	if (!frame->samples || !frame->samples->status.kernel_hidden ||
	    is_logged(log, begin))
		return;
	log_add(log, frame->time, LOG_INFO, "%s%s", begin,
		frame->samples->status.kernel_hidden);
}

/*
 * Losses, throttles, gaps in traces and broken rings of @frame's tick, a line
 * for each ring, or one for all where many rings have the same to say; and why
 * the kernel has no symbols, once.
 */
static void log_tick(struct log *log, const struct frame *frame,
		     const struct ring_row_build *states)
{
	size_t nr = sizeof(incidents) / sizeof(*incidents);

	/* a recording has its own lines, whatever its ticks are */
	if (!frame->playback) {
		log_stop(log, frame, states);
		for (size_t i = 0; i < nr; i++)
			log_incident(log, frame, states, &incidents[i]);
		log_throttles(log, frame, states);
	}
	log_hidden(log, frame);
}

enum {
	LOG_CAPACITY = 5000,
	PAGE_SIZE_DEFAULT = 4096,
	LOSSES_LATE = 2,	/* seconds */
};

struct frame_builder {
	struct frame frame;
	struct ring_row_build *states;
	size_t nr_states;	/* also the number of elements in frame.rings */
	struct ring_reads total_reads;
	struct log *log;
	bool seen, reset;
	double last_mono, last_cpu;
	char notice[240];	/* the last one logged */
};

struct frame_builder *frame_builder_new(void)
{
	struct frame_builder *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->log = log_new(LOG_CAPACITY);
	if (!b->log) {
		free(b);
		return NULL;
	}
	return b;
}

void frame_builder_free(struct frame_builder *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr_states; i++)
		ring_row_build_free(&b->states[i]);
	free(b->states);
	free(b->frame.rings);
	log_free(b->log);
	free(b);
}

/* Done at the next frame: the present one and its histories do not change. */
void frame_builder_reset(struct frame_builder *b)
{
	b->reset = true;
}

void frame_builder_rewind(struct frame_builder *b)
{
	for (size_t i = 0; i < b->nr_states; i++) {
		ring_row_build_free(&b->states[i]);
		b->states[i] = (struct ring_row_build){ 0 };
	}
	b->seen = b->reset = false;
	b->frame.reset = 0;
}

/* Rings are large and their number is known: allocate exactly @nr. */
static int reserve(struct frame_builder *b, size_t nr)
{
	size_t room = b->nr_states, states_cap = b->nr_states;

	if (array_fit_max(b->frame.rings, room, nr, nr) != 0 ||
	    array_fit_max(b->states, states_cap, nr, nr) != 0)
		return -1;
	for (; b->nr_states < nr; b->nr_states++)
		b->states[b->nr_states] = (struct ring_row_build){ 0 };
	return 0;
}

static const struct snapshot_info *latest_snapshot(const struct frame *frame,
						   bool aux)
{
	const struct snapshots *s = frame->snapshots;

	for (size_t i = s ? s->nr : 0; i > 0; i--) {
		if (s->list[i - 1].stopped > 0 &&
		    aux == (s->list[i - 1].aux_rings > 0))
			return &s->list[i - 1];
	}
	return NULL;
}

/* How long snapshots stopped the rings. */
static void build_stops(struct frame_builder *b)
{
	const struct frame *frame = &b->frame;
	const struct snapshot_info *aux = latest_snapshot(frame, true);
	const struct snapshot_info *paused = latest_snapshot(frame, false);
	/* losses are counted less often than frames are made */
	bool lately = paused && frame->time - paused->time <
					frame->interval + LOSSES_LATE;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct ring_row *ring = &frame->rings[i];

		if (aux && ring->aux.overwrite)
			b->states[i].reads.aux.snapshot_stopped = aux->stopped;
		b->states[i].tick.in_snapshot = lately && ring->overwrite;
	}
}

static uint64_t page_size_of(const struct reading *now)
{
	return now->page_size ? now->page_size : PAGE_SIZE_DEFAULT;
}

static int build_rings(struct frame_builder *b, const struct reading *now)
{
	uint64_t page_size = page_size_of(now);
	struct frame *frame = &b->frame;

	if (reserve(b, now->nr_rings) != 0)
		return -1;
	for (size_t i = 0; i < b->nr_states && b->reset; i++)
		ring_row_build_reset(&b->states[i]);
	if (b->reset)
		frame->reset = frame->time;
	b->reset = false;
	frame->nr_rings = now->nr_rings;
	for (size_t i = 0; i < now->nr_rings; i++)
		if (ring_row_build(&b->states[i], &now->rings[i],
				   (unsigned int)i, frame->interval, page_size,
				   &frame->rings[i]) != 0)
			return -1;
	return 0;
}

/*
 * -m is for all rings: those that lost have the advice of all.  If none lost,
 * each says how much waited in it.
 */
static void advise_recorded(struct frame *frame, const struct reading *now)
{
	const struct playback *playback = now->playback;
	struct advice *all = &frame->total.row.advice;
	uint64_t most = 0;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		uint64_t waited = now->rings[i].most_waited;

		if (waited)
			advice_of_lossless(&frame->rings[i].advice,
					   playback->ring_size, waited);
		most = MAX(most, waited);
	}
	if (most)
		advice_of_lossless(all, playback->ring_size, most);
	if (!playback->pages)
		return;
	advice_of_recording(all, playback->pages);
	for (size_t i = 0; i < frame->nr_rings; i++) {
		struct advice *one = &frame->rings[i].advice;
		struct advice own = *one;

		if (own.verdict != VERDICT_TOO_SMALL)
			continue;
		*one = *all;
		one->verdict = own.verdict;
		memcpy(one->reason, own.reason, sizeof(one->reason));
	}
}

/* Several rings in one row are not distinguished. */
static void set_recorded_sizes(struct frame *frame, uint64_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		struct ring_row *ring = &frame->rings[i];

		if (ring->cpu >= 0 || ring->tid >= 0)
			ring->size = size;
		sum = sum == UNKNOWN || ring->size == UNKNOWN ?
			      UNKNOWN : sum + ring->size;
	}
	frame->total.row.size = sum;
}

static void build_self(struct frame_builder *b, const struct reading *now)
{
	struct frame_self *self = &b->frame.self;
	double cpu = fmax(now->cpu - b->last_cpu, 0);

	*self = (struct frame_self){ .rss = now->rss, .decode_every = 1 };
	if (now->playback)	/* its seconds are not rbtop's */
		self->cpu = NAN;
	else if (b->frame.interval > 0)
		self->cpu = cpu / b->frame.interval;
	if (now->samples && now->samples->status.decode_every > 1)
		self->decode_every = now->samples->status.decode_every;
	self->own_records = b->total_reads.stats.own;
}

static uint64_t log_next(const struct log *log)
{
	size_t len = log_len(log);

	return len ? log_at(log, len - 1)->serial + 1 : 0;
}

static bool has_note(const struct reading *now, const char *text)
{
	for (size_t i = 0; i < now->nr_notes; i++) {
		if (!strcmp(now->notes[i].text, text))
			return true;
	}
	return false;
}

/*
 * Notes of the source first: they may explain the losses.  A notice may be
 * replaced before it was in any frame, so a source may have noted it as well.
 */
static void build_log(struct frame_builder *b, const struct reading *now)
{
	struct frame *frame = &b->frame;

	frame->log = b->log;
	frame->log_first = frame->tick > 1 ? log_next(b->log) : 0;
	if (frame->notice[0] &&
	    strncmp(b->notice, frame->notice, sizeof(b->notice) - 1) != 0) {
		if (!has_note(now, frame->notice))
			log_add(b->log, frame->time, LOG_INFO, "%s",
				frame->notice);
		strncpy(b->notice, frame->notice, sizeof(b->notice) - 1);
	}
	log_cut(b->log, now->retold_from, now->retold);
	for (size_t i = 0; i < now->nr_notes; i++)
		log_fold(b->log, now->notes[i].time, now->notes[i].kind,
			 now->notes[i].fold, now->notes[i].text);
	log_tick(b->log, frame, b->states);
}

const struct frame *frame_build(struct frame_builder *b,
				const struct reading *now, const char *source,
				const char *title, const char *notice)
{
	struct frame *frame = &b->frame;

	frame->source = source;
	frame->title = title;
	frame->notice = notice ? notice : "";
	frame->tick += b->seen;
	frame->time = now->wall;
	if (now->start)
		times_begin(&frame->times, now->start);
	else if (now->kernel)
		times_read(&frame->times, now->kernel, times_ns(now->wall));
	frame->interval = b->seen ? fmax(now->mono - b->last_mono, 0) : 0;
	frame->ended = now->ended;
	frame->rates = now->rates;
	frame->samples = now->samples;
	frame->snapshots = now->snapshots;
	frame->host = now->host;
	frame->playback = now->playback;
	if (build_rings(b, now) != 0)
		return NULL;
	build_stops(b);
	ring_total_own(&frame->total, &b->total_reads, frame->rings,
		       frame->nr_rings);
	ring_total_advise(&frame->total, frame->rings, frame->nr_rings,
			  page_size_of(now));
	if (now->playback && now->playback->ring_size)
		set_recorded_sizes(frame, now->playback->ring_size);
	if (now->playback)
		advise_recorded(frame, now);
	build_self(b, now);
	build_log(b, now);
	b->seen = true;
	b->last_mono = now->mono;
	b->last_cpu = now->cpu;
	return frame;
}
