/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/frame/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ring/frame/frame_log.h"
#include "ring/frame/ring_row_build.h"
#include "ring/frame/ring_total.h"
#include "ring/snapshots.h"
#include "samples/samples.h"

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

/* -m is for all rings: those that lost have the advice of all. */
static void advise_recorded(struct frame *frame, uint64_t pages)
{
	struct advice *all = &frame->total.row.advice;

	advice_of_recording(all, pages);
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
	frame_log_tick(b->log, frame, b->states);
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
	if (now->playback && now->playback->pages)
		advise_recorded(frame, now->playback->pages);
	build_self(b, now);
	build_log(b, now);
	b->seen = true;
	b->last_mono = now->mono;
	b->last_cpu = now->cpu;
	return frame;
}
