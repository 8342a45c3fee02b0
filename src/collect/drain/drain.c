/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/drain/drain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "collect/drain/record_history.h"
#include "collect/drain/sample_queue.h"
#include "collect/triggers/trigger.h"

/*
 * All of these are queued; see side_band_parse().  Not BPF_EVENT, since KSYMBOL
 * has the names of BPF programs, nor TEXT_POKE, whose code is not used.  LOST
 * is queued too: records of these types may have been lost.
 */
#define BIT(type) (1u << PERF_RECORD_##type)
#define SIDE_BAND (BIT(MMAP) | BIT(MMAP2) | BIT(COMM) | BIT(FORK) |       \
		   BIT(EXIT) | BIT(NAMESPACES) | BIT(KSYMBOL) |           \
		   BIT(CGROUP))
#define SWITCHES (BIT(SWITCH) | BIT(SWITCH_CPU_WIDE))

#define FEED_MEMORY 0.75	/* weight of a pass at the next one */

/*
 * The kernel assigns ids in sequence, so their low bits are a good hash.  Not a
 * table_index, which needs another load per sample to get from the slot to the
 * id: a walk then takes 10 % longer (tests/bench/drain).
 */
static uint32_t find_place(const uint64_t *ids, uint32_t mask, uint64_t id)
{
	uint32_t i = (uint32_t)id & mask;

	while (ids[i] && ids[i] != id)
		i = (i + 1) & mask;
	return i;
}

static void fill_places(uint64_t *places, uint32_t *events, uint32_t mask,
			const uint64_t *ids, uint32_t nr)
{
	for (uint32_t event = 0; event < nr; event++) {
		uint32_t i = find_place(places, mask, ids[event]);

		if (!ids[event] || places[i])
			continue;
		places[i] = ids[event];
		events[i] = event;
	}
}

/* Give @fresh tables of its own, of @nr events, with the counts of @drain. */
static int make_tables(struct drain *fresh, const struct drain *drain,
		       const uint64_t *ids, const uint32_t *tags, uint32_t nr)
{
	uint32_t places = 4;

	while (places < 2 * nr)
		places *= 2;
	*fresh = *drain;
	fresh->mask = places - 1;
	fresh->nr_events = MAX(nr, drain->nr_events);
	fresh->ids = calloc(places, sizeof(*fresh->ids));
	fresh->events = calloc(places, sizeof(*fresh->events));
	fresh->tags = calloc(MAX(fresh->nr_events, 1), sizeof(*fresh->tags));
	fresh->samples = calloc(MAX(fresh->nr_events, 1),
				sizeof(*fresh->samples));
	if (!fresh->ids || !fresh->events || !fresh->tags || !fresh->samples)
		return -ENOMEM;
	fill_places(fresh->ids, fresh->events, fresh->mask, ids, nr);
	for (uint32_t event = 0; event < nr; event++)
		fresh->tags[event] = tags ? tags[event] : event;
	if (drain->nr_events)
		memcpy(fresh->samples, drain->samples,
		       drain->nr_events * sizeof(*fresh->samples));
	return 0;
}

static void free_tables(struct drain *drain)
{
	free(drain->ids);
	free(drain->events);
	free(drain->tags);
	free(drain->samples);
}

int drain_renew(struct drain *fresh, const struct drain *drain,
		const uint64_t *ids, const uint32_t *tags, uint32_t nr)
{
	if (make_tables(fresh, drain, ids, tags, nr)) {
		drain_free(fresh);
		return -ENOMEM;
	}
	return 0;
}

int drain_init(struct drain *drain, const uint64_t *ids, const uint32_t *tags,
	       uint32_t nr, pid_t self)
{
	const struct drain none = { .self = self };

	return drain_renew(drain, &none, ids, tags, nr);
}

void drain_free(struct drain *drain)
{
	free_tables(drain);
	*drain = (struct drain){ 0 };
}

/*
 * The number of samples in @bytes, estimated from the latest passes: k must be
 * chosen before they are counted, or a burst would use the k of the quiet time
 * before it.
 */
static double expected_samples(const struct drain_feed *feed, uint64_t bytes)
{
	double each = feed->bytes > 0 ? feed->samples / feed->bytes
				      : 1.0 / RECORD_SAMPLE_FIXED;

	return each * (double)bytes;
}

static void begin_feed(struct drain_feed *feed, uint64_t now_ns,
		       uint64_t bytes)
{
	if (sample_queue_crowded(feed->queue))
		sampler_throttle(&feed->sampler);
	sampler_pass(&feed->sampler, now_ns, expected_samples(feed, bytes));
}

static void end_feed(struct drain_feed *feed, const struct drain_tally *tally)
{
	/* else both would decay to denormal numbers in a long silence */
	if (tally->end == tally->start)
		return;
	feed->samples = feed->samples * FEED_MEMORY +
			(double)tally->types[RECORD_SAMPLE];
	feed->bytes = feed->bytes * FEED_MEMORY +
		      (double)(tally->end - tally->start);
}

static void feed_record(struct drain_feed *feed, const struct ring *ring,
			uint64_t position, uint32_t size, uint32_t weight,
			uint32_t tag)
{
	struct queued head = {
		.size = size,
		.weight = weight,
		.tag = tag,
		.slot = feed->slot,
	};

	if (!sample_queue_push(feed->queue, &head, ring, position))
		sampler_throttle(&feed->sampler);
}

/* Queue a record that is not a sample. */
static void feed_other(struct drain *drain, const struct ring *ring,
		       uint64_t position, struct perf_event_header header)
{
	if (drain->feed.queue)
		feed_record(&drain->feed, ring, position, header.size, 0, 0);
}

static void feed_sample(struct drain_feed *feed, const struct ring *ring,
			uint64_t position, uint32_t size, uint32_t tag)
{
	uint32_t weight = sampler_pick(&feed->sampler);

	if (weight)
		feed_record(feed, ring, position, size, weight, tag);
}

/* The state of a walk. */
struct pass {
	/* a run of samples of one pid; top_pids gets whole runs */
	pid_t pid;
	uint64_t samples;
	bool ask;		/* check the trigger for each sample */
};

static void end_run(struct drain *drain, struct pass *pass)
{
	if (!pass->samples)
		return;
	top_pids_add(&drain->pids, pass->pid, pass->samples);
	pass->samples = 0;
}

/* Layout of PERF_SAMPLE_TID: u32 pid, tid. */
struct task {
	pid_t pid, tid;
};

static struct task sample_task(const struct ring *ring, uint64_t position)
{
	uint64_t word = ring_word(ring, position + RECORD_SAMPLE_TID);
	struct task task;

	memcpy(&task, &word, sizeof(task));
	return task;
}

static void ask_trigger(const struct drain *drain, const struct ring *ring,
			uint64_t position, uint32_t size, uint32_t tag)
{
	struct task task = sample_task(ring, position);
	uint32_t cpu = (uint32_t)drain->cpu;

	if (drain->cpu < 0 && drain->cpu_at + sizeof(uint64_t) <= size)
		cpu = (uint32_t)ring_word(ring, position + drain->cpu_at);
	trigger_sample(drain->trigger, drain->slot, tag, cpu, task.pid,
		       task.tid,
		       ring_word(ring, position + RECORD_SAMPLE_TIME));
}

static uint64_t max_in_burst(const struct ring_burst *burst)
{
	return MAX(burst->max, burst->now + burst->before);
}

/* What an earlier pass counted is not this one's. */
static void begin_half(struct ring_burst *burst, uint64_t time, bool counted)
{
	const uint64_t half = RING_BURST_NS / 2;

	if (counted)
		burst->max = max_in_burst(burst);
	burst->before = time < burst->end + half ? burst->now : 0;
	burst->now = 0;
	burst->end = (time / half + 1) * half;
}

/* Records without a time, or that are out of order, are in the latest half. */
static void add_to_burst(struct ring_burst *burst, uint64_t time, uint32_t size,
			 const struct drain_tally *tally)
{
	if (time >= burst->end)
		begin_half(burst, time, tally->records > 1);
	burst->now += size;
}

static void tally_sample(const struct ring *ring, uint64_t position,
			 uint32_t size, struct drain *drain,
			 struct pass *pass, struct drain_tally *tally)
{
	uint64_t id = ring_word(ring, position + RECORD_SAMPLE_ID);
	uint32_t place = find_place(drain->ids, drain->mask, id);
	pid_t pid = sample_task(ring, position).pid;

	if (id && drain->ids[place]) {
		uint32_t event = drain->events[place];

		drain->samples[event]++;
		if (drain->feed.queue)
			feed_sample(&drain->feed, ring, position, size,
				    drain->tags[event]);
		if (pass->ask)
			ask_trigger(drain, ring, position, size,
				    drain->tags[event]);
	} else {
		tally->unknown_ids++;
	}
	add_to_burst(&drain->burst,
		     ring_word(ring, position + RECORD_SAMPLE_TIME), size, tally);
	tally->own += drain->self && pid == drain->self;
	if (pid != pass->pid) {
		end_run(drain, pass);
		pass->pid = pid;
	}
	pass->samples++;
}

static void tally_aux(const struct ring *ring, uint64_t position,
		      struct perf_event_header header, struct drain *drain)
{
	if (header.size < RECORD_AUX_FIXED)
		return;
	ring_stats_aux_record(&drain->aux,
			      ring_word(ring, position + RECORD_AUX_OFFSET),
			      ring_word(ring, position + RECORD_AUX_SIZE),
			      ring_word(ring, position + RECORD_AUX_FLAGS),
			      ring_record_time(ring, position, header));
}

/* Of side-band only, the records that name tasks: the CPU is not watched. */
static void notify_trigger(const struct drain *drain, const struct ring *ring,
			   uint64_t position, uint32_t type)
{
	bool names = type == PERF_RECORD_COMM || type == PERF_RECORD_FORK;

	if (drain->trigger && (names || !drain->side_band_only))
		trigger_record(drain->trigger, drain->slot, ring, position);
}

/* A record that is not a sample. */
static void tally_other(const struct ring *ring, uint64_t position,
			struct perf_event_header header, struct drain *drain,
			struct drain_tally *tally)
{
	uint32_t wanted = SIDE_BAND | (drain->feed.switches ? SWITCHES : 0);

	add_to_burst(&drain->burst, 0, header.size, tally);

	switch (header.type) {
	case RECORD_LOST:
		if (header.size < RECORD_LOST_COUNT + sizeof(uint64_t))
			break;
		tally->lost += ring_word(ring, position + RECORD_LOST_COUNT);
		feed_other(drain, ring, position, header);
		break;
	case RECORD_LOST_SAMPLES:
		if (header.size >= sizeof(header) + sizeof(uint64_t))
			tally->lost_samples += ring_word(ring, position +
							 sizeof(header));
		break;
	case RECORD_AUX:
		tally_aux(ring, position, header, drain);
		break;
	case RECORD_ITRACE_START:
		drain->aux.itrace_starts++;
		break;
	case RECORD_AUX_OUTPUT_HW_ID:
		drain->aux.hw_ids++;
		feed_other(drain, ring, position, header);
		break;
	default:
		if (header.type < RECORD_TYPES && wanted >> header.type & 1)
			feed_other(drain, ring, position, header);
		break;
	}
	notify_trigger(drain, ring, position, header.type);
}

static void tally_record(const struct ring *ring, uint64_t position,
			 struct perf_event_header header, struct drain *drain,
			 struct pass *pass, struct drain_tally *tally)
{
	tally->records++;
	tally->types[record_index(header.type)]++;
	if (header.type != PERF_RECORD_SAMPLE)
		tally_other(ring, position, header, drain, tally);
	else if (header.size >= RECORD_SAMPLE_FIXED)
		tally_sample(ring, position, header.size, drain, pass, tally);
	else
		tally->unknown_ids++;
}

/* The next watermark: a record that ends beyond this position crosses it. */
static uint64_t next_crossing(const struct ring *ring, uint64_t at)
{
	if (!ring->watermark)
		return UINT64_MAX;
	return (ring_crossings(at, ring->watermark) + 1) * ring->watermark;
}

/*
 * Count the records from @at to @head.  Returns where the last valid one ends;
 * *@last: where it starts.
 */
static uint64_t walk(const struct ring *ring, struct drain *drain, uint64_t at,
		     uint64_t head, uint64_t *last, struct drain_tally *tally)
{
	uint64_t crossing = next_crossing(ring, at);
	struct pass pass = {
		.ask = drain->trigger && trigger_on_samples(drain->trigger),
	};

	while (at != head) {
		struct perf_event_header header = ring_header(ring, at);

		if (head - at > ring->size || !record_sane(header, head - at)) {
			tally->broken = true;
			break;
		}
		tally_record(ring, at, header, drain, &pass, tally);
		if (at + header.size > crossing) {
			tally->crossing_time = ring_record_time(ring, at,
								header);
			crossing = UINT64_MAX;
		}
		*last = at;
		at += header.size;
	}
	end_run(drain, &pass);
	return at;
}

void drain_walk(struct ring *ring, struct drain *drain, uint64_t now_ns,
		struct drain_tally *tally)
{
	uint64_t tail = ring_tail(ring), head = ring_head(ring);
	uint64_t last = tail, end;

	*tally = (struct drain_tally){ .start = tail, .end = head };
	drain->burst.max = 0;
	if (drain->feed.queue)
		begin_feed(&drain->feed, now_ns, MIN(head - tail, ring->size));
	end = walk(ring, drain, tail, head, &last, tally);
	drain->burst.max = tally->records ? max_in_burst(&drain->burst) : 0;
	if (tally->records)
		tally->last_time = ring_record_time(ring, last,
						    ring_header(ring, last));
	if (drain->feed.queue)
		end_feed(&drain->feed, tally);
	if (drain->history && end != tail)
		record_history_append(drain->history, ring, tail, end);
	tally->used = ring_head(ring) - tail;
	if (tally->used > ring->size)
		tally->used = ring->size;
	if (drain->trigger && !drain->side_band_only)
		trigger_fill(drain->trigger, drain->slot,
			     (double)tally->used / (double)ring->size);
	ring_consume(ring, head);
}

void drain_apply(const struct ring *ring, const struct drain *drain,
		 const struct drain_tally *tally, enum drain_cause cause,
		 uint64_t now_ns, struct ring_stats *stats)
{
	stats->bytes += tally->end - tally->start;
	stats->records += tally->records;
	for (int type = 0; type < RECORD_TYPES; type++)
		stats->types[type] += tally->types[type];
	stats->lost += tally->lost;
	stats->lost_samples += tally->lost_samples;
	stats->own += tally->own;
	stats->unknown_ids += tally->unknown_ids;
	stats->broken += tally->broken;
	stats->crossings += ring_crossings(tally->end, ring->watermark) -
			    ring_crossings(tally->start, ring->watermark);
	stats->pids = drain->pids;
	stats->aux = drain->aux;
	stats->burst = MAX(stats->burst, drain->burst.max);
	stats->stopped_ns = tally->stopped_ns;
	if (cause == DRAIN_WAKEUP && tally->crossing_time &&
	    tally->crossing_time <= now_ns)
		latency_add(&stats->latency, now_ns - tally->crossing_time);
	ring_stats_drain(stats, &(struct ring_drain){
		.cause = cause,
		.used = tally->end == tally->start ? 0 : tally->used,
		.size = ring->size,
		.lost = tally->lost,
		.stopped = tally->stopped,
		.now_ns = now_ns,
	});
}

static uint64_t sample_time(const struct ring *ring, uint64_t position,
			    struct perf_event_header header)
{
	if (header.type != PERF_RECORD_SAMPLE ||
	    header.size < RECORD_SAMPLE_FIXED)
		return 0;
	return ring_word(ring, position + RECORD_SAMPLE_TIME);
}

static double age(uint64_t now_ns, uint64_t time)
{
	return time && time < now_ns ? (double)(now_ns - time) / 1e9 : 0;
}

void overwrite_walk(const struct ring *ring, uint64_t now_ns,
		    struct ring_overwrite *out)
{
	/* The newest record is at data_head itself, which decreases from 0. */
	uint64_t start = -ring_head(ring);
	uint64_t newest = 0, oldest = 0, walked = 0;

	out->records = 0;
	memset(out->types, 0, sizeof(out->types));
	while (walked < ring->size) {
		struct perf_event_header header = ring_header(ring,
							      start + walked);
		uint64_t time;

		if (!record_sane(header, ring->size - walked))
			break;
		time = sample_time(ring, start + walked, header);
		newest = newest ? newest : time;
		oldest = time ? time : oldest;
		out->records++;
		out->types[record_index(header.type)]++;
		walked += header.size;
	}
	out->newest = age(now_ns, newest);
	out->oldest = age(now_ns, oldest);
	out->at = (double)now_ns / 1e9;
	out->valid = true;
}
