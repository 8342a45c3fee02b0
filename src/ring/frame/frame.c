/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/frame/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ring/frame/frame_log.h"
#include "ring/frame/frame_ring.h"
#include "samples/samples.h"
#include "ring/snapshots.h"

enum {
	LOG_CAPACITY = 5000,
	PAGE_SIZE_DEFAULT = 4096,
	LOSSES_LATE = 2,	/* seconds */
};

struct frame_builder {
	struct frame frame;
	struct frame_ring_state *states;
	size_t nr_states;	/* also the room in frame.rings */
	struct ring_reads total_reads;
	struct log *log;
	bool seen, reset;
	double last_mono, last_cpu;
	char notice[240];	/* the last one that was logged */
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
		frame_ring_free(&b->states[i]);
	free(b->states);
	free(b->frame.rings);
	log_free(b->log);
	free(b);
}

/* At the next frame: the present one is immutable, its histories too. */
void frame_builder_reset(struct frame_builder *b)
{
	b->reset = true;
}

/* They are large, and all of them are known at once: no more room than that. */
static int reserve(struct frame_builder *b, size_t nr)
{
	size_t room = b->nr_states, room_states = b->nr_states;

	if (array_fit_most(b->frame.rings, room, nr, nr) != 0 ||
	    array_fit_most(b->states, room_states, nr, nr) != 0)
		return -1;
	for (; b->nr_states < nr; b->nr_states++)
		b->states[b->nr_states] = (struct frame_ring_state){ 0 };
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

/* What snapshots did to the rings. */
static void build_stops(struct frame_builder *b)
{
	const struct frame *frame = &b->frame;
	const struct snapshot_info *aux = latest_snapshot(frame, true);
	const struct snapshot_info *paused = latest_snapshot(frame, false);
	/* counts of losses are read more rarely than frames are made */
	bool lately = paused && frame->time - paused->time <
					frame->interval + LOSSES_LATE;

	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct ring_row *ring = &frame->rings[i];

		if (aux && ring->aux.overwrite)
			b->states[i].reads.aux.snapshot_stopped = aux->stopped;
		b->states[i].tick.in_snapshot = lately && ring->overwrite;
	}
}

static int build_rings(struct frame_builder *b, const struct reading *now)
{
	uint64_t page_size = now->page_size ? now->page_size
					    : PAGE_SIZE_DEFAULT;
	struct frame *frame = &b->frame;

	if (reserve(b, now->nr_rings) != 0)
		return -1;
	for (size_t i = 0; i < b->nr_states && b->reset; i++)
		frame_ring_reset(&b->states[i]);
	b->reset = false;
	frame->nr_rings = now->nr_rings;
	for (size_t i = 0; i < now->nr_rings; i++)
		if (frame_ring_build(&b->states[i], &now->rings[i],
				     (unsigned int)i, frame->interval,
				     page_size, &frame->rings[i]) != 0)
			return -1;
	return 0;
}

/* Unknown only while none of the rings is known. */
static void add_known(uint64_t *sum, uint64_t value)
{
	if (value != UNKNOWN)
		*sum = unknown_as_zero(*sum) + value;
}

static void add_number(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

static void add_counters(struct ring_row *sum, const struct ring_row *ring)
{
	sum->bytes += ring->bytes;
	sum->crossings += ring->crossings;
	sum->wakeups += ring->wakeups;
	sum->drains += ring->drains;
	sum->lost += ring->lost;
	sum->lost_reported += ring->lost_reported;
	add_known(&sum->lost_pending, ring->lost_pending);
}

static void add_gauges(struct ring_row *sum, const struct ring_row *ring)
{
	sum->size += ring->size;
	sum->used += ring->used;
	sum->bytes_per_s += ring->bytes_per_s;
	sum->wakeups_per_s += ring->wakeups_per_s;
	sum->drains_per_s += ring->drains_per_s;
	sum->lost_per_s += ring->lost_per_s;
	sum->peak = fmax(sum->peak, ring->peak);
	sum->peak_tick = fmax(sum->peak_tick, ring->peak_tick);
}

static void add_aux_stats(struct aux_stats *sum, const struct aux_stats *stats)
{
	sum->records += stats->records;
	sum->bytes += stats->bytes;
	sum->truncated += stats->truncated;
	sum->overwrite += stats->overwrite;
	sum->partial += stats->partial;
	sum->collision += stats->collision;
	sum->itrace_starts += stats->itrace_starts;
	sum->hw_ids += stats->hw_ids;
	sum->reenabled += stats->reenabled;
	if (stats->last_time > sum->last_time)
		sum->last_time = stats->last_time;
}

static void add_reads(struct ring_reads *sum, const struct ring_reads *reads)
{
	struct ring_stats *to = &sum->stats;
	const struct ring_stats *stats = &reads->stats;

	to->bytes += stats->bytes;
	to->records += stats->records;
	for (int type = 0; type < RECORD_TYPES; type++)
		to->types[type] += stats->types[type];
	to->lost_samples += stats->lost_samples;
	to->own += stats->own;
	to->unknown_ids += stats->unknown_ids;
	to->broken += stats->broken;
	to->timer_drains += stats->timer_drains;
	for (int i = 0; i < FILL_BUCKETS; i++)
		to->fill[i] += stats->fill[i];
	latency_merge(&to->latency, &stats->latency);
	add_aux_stats(&to->aux, &stats->aux);
	add_number(&sum->records_per_s, reads->records_per_s);
}

/* How often all were written around is unknown with one in snapshot mode. */
static void add_aux(struct ring_total *total, const struct ring_aux *aux)
{
	struct ring_aux *sum = &total->row.aux;

	if (!aux->size)
		return;
	total->aux_rings++;
	sum->size += aux->size;
	add_number(&sum->bytes_per_s, aux->bytes_per_s);
	if (aux->overwrite || sum->wraps == UNKNOWN)
		sum->wraps = UNKNOWN;
	else
		sum->wraps += aux->wraps;
}

static void begin_total(struct ring_row *sum, struct ring_reads *reads)
{
	*sum = (struct ring_row){
		.label = "total",
		.cpu = -1, .tid = -1, .pid = -1,
		.enabled = true,
		.watermark = UNKNOWN, .wakeup_events = UNKNOWN,
		.head = UNKNOWN, .tail = UNKNOWN, .next_crossing = UNKNOWN,
		.lost_pending = UNKNOWN,
		.aux = { .watermark = UNKNOWN, .head = UNKNOWN,
			 .tail = UNKNOWN, .position = UNKNOWN,
			 .used = UNKNOWN, .fill = NAN, .bytes_per_s = NAN },
		.reads = reads,
	};
	ring_row_own(sum);
	*reads = (struct ring_reads){
		.records_per_s = NAN,
		.counts_age = NAN,
		.aux = { .peak = NAN, .head_age = NAN, .read_cost = NAN },
	};
}

static void build_total(struct frame_builder *b)
{
	struct ring_total *total = &b->frame.total;
	struct ring_reads *reads = &b->total_reads;
	struct ring_row *sum = &total->row;

	*total = (struct ring_total){ 0 };
	begin_total(sum, reads);
	for (size_t i = 0; i < b->frame.nr_rings; i++) {
		const struct ring_row *ring = &b->frame.rings[i];

		total->rings += !ring->gone;
		add_counters(sum, ring);
		add_gauges(sum, ring);
		add_aux(total, &ring->aux);
		add_reads(reads, ring->reads);
	}
	if (sum->size)
		sum->fill = (double)sum->used / (double)sum->size;
	reads->latency_p50 = latency_percentile(&reads->stats.latency, 0.5);
	reads->latency_p99 = latency_percentile(&reads->stats.latency, 0.99);
}

static void build_self(struct frame_builder *b, const struct reading *now)
{
	struct frame_self *self = &b->frame.self;
	double cpu = fmax(now->cpu - b->last_cpu, 0);

	*self = (struct frame_self){ .rss = now->rss, .decode_every = 1 };
	if (b->frame.interval > 0)
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

/* The source's notes first: they tell what led to the losses. */
static void build_log(struct frame_builder *b, const struct reading *now)
{
	struct frame *frame = &b->frame;

	frame->log = b->log;
	frame->log_first = frame->tick > 1 ? log_next(b->log) : 0;
	if (frame->notice[0] &&
	    strncmp(b->notice, frame->notice, sizeof(b->notice) - 1) != 0) {
		log_add(b->log, frame->time, LOG_INFO, "%s", frame->notice);
		strncpy(b->notice, frame->notice, sizeof(b->notice) - 1);
	}
	for (size_t i = 0; i < now->nr_notes; i++)
		log_add(b->log, now->notes[i].time, now->notes[i].kind, "%s",
			now->notes[i].text);
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
	frame->interval = b->seen ? fmax(now->mono - b->last_mono, 0) : 0;
	frame->ended = now->ended;
	frame->most_samples = now->most_samples;
	frame->samples = now->samples;
	frame->snapshots = now->snapshots;
	frame->host = now->host;
	if (build_rings(b, now) != 0)
		return NULL;
	build_stops(b);
	build_total(b);
	build_self(b, now);
	build_log(b, now);
	b->seen = true;
	b->last_mono = now->mono;
	b->last_cpu = now->cpu;
	return frame;
}
