/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/drain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Kernel ids are handed out in sequence, so their low bits spread them. */
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

int drain_set_ids(struct drain *drain, const uint64_t *ids, uint32_t nr)
{
	uint32_t nr_events = nr > drain->nr_events ? nr : drain->nr_events;
	uint32_t places = 4;
	uint64_t *table, *samples;
	uint32_t *events;

	while (places < 2 * nr)
		places *= 2;
	table = calloc(places, sizeof(*table));
	events = calloc(places, sizeof(*events));
	samples = calloc(nr_events ? nr_events : 1, sizeof(*samples));
	if (!table || !events || !samples) {
		free(table);
		free(events);
		free(samples);
		return -ENOMEM;
	}
	fill_places(table, events, places - 1, ids, nr);
	if (drain->nr_events)
		memcpy(samples, drain->samples,
		       drain->nr_events * sizeof(*samples));
	free(drain->ids);
	free(drain->events);
	free(drain->samples);
	drain->ids = table;
	drain->events = events;
	drain->mask = places - 1;
	drain->samples = samples;
	drain->nr_events = nr_events;
	return 0;
}

int drain_init(struct drain *drain, const uint64_t *ids, uint32_t nr,
	       pid_t self)
{
	*drain = (struct drain){ .self = self };
	return drain_set_ids(drain, ids, nr);
}

void drain_free(struct drain *drain)
{
	free(drain->ids);
	free(drain->events);
	free(drain->samples);
	*drain = (struct drain){ 0 };
}

/* A run of samples of one pid: the sketch sees whole runs, not samples. */
struct pid_run {
	pid_t pid;
	uint64_t samples;
};

static void end_run(struct drain *drain, struct pid_run *run)
{
	if (!run->samples)
		return;
	top_pids_add(&drain->pids, run->pid, run->samples);
	run->samples = 0;
}

static pid_t record_pid(const struct ring *ring, uint64_t position)
{
	uint64_t word = ring_word(ring, position + RECORD_SAMPLE_TID);
	pid_t pid;

	memcpy(&pid, &word, sizeof(pid));
	return pid;
}

static void tally_sample(const struct ring *ring, uint64_t position,
			 struct drain *drain, struct pid_run *run,
			 struct drain_tally *tally)
{
	uint64_t id = ring_word(ring, position + RECORD_SAMPLE_ID);
	uint32_t place = find_place(drain->ids, drain->mask, id);
	pid_t pid = record_pid(ring, position);

	if (id && drain->ids[place])
		drain->samples[drain->events[place]]++;
	else
		tally->unknown_ids++;
	tally->own += drain->self && pid == drain->self;
	if (pid != run->pid) {
		end_run(drain, run);
		run->pid = pid;
	}
	run->samples++;
}

/* When the record was written, CLOCK_MONOTONIC ns; 0 if it does not say. */
static uint64_t record_time(const struct ring *ring, uint64_t position,
			    struct perf_event_header header)
{
	if (header.type == PERF_RECORD_SAMPLE)
		return header.size < RECORD_SAMPLE_FIXED ? 0 :
			ring_word(ring, position + RECORD_SAMPLE_TIME);
	if (header.size < sizeof(header) + RECORD_TRAILER)
		return 0;
	return ring_word(ring, position + header.size - RECORD_TRAILER_TIME);
}

static void tally_record(const struct ring *ring, uint64_t position,
			 struct perf_event_header header, struct drain *drain,
			 struct pid_run *run, struct drain_tally *tally)
{
	tally->records++;
	tally->types[record_index(header.type)]++;
	switch (header.type) {
	case PERF_RECORD_SAMPLE:
		if (header.size >= RECORD_SAMPLE_FIXED)
			tally_sample(ring, position, drain, run, tally);
		else
			tally->unknown_ids++;
		break;
	case PERF_RECORD_LOST:
		if (header.size >= RECORD_LOST_COUNT + sizeof(uint64_t))
			tally->lost += ring_word(ring, position +
						 RECORD_LOST_COUNT);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		if (header.size >= sizeof(header) + sizeof(uint64_t))
			tally->lost_samples += ring_word(ring, position +
							 sizeof(header));
		break;
	}
}

/* The end of the first record that crosses the watermark lies beyond this. */
static uint64_t next_crossing(const struct ring *ring, uint64_t at)
{
	if (!ring->watermark)
		return UINT64_MAX;
	return (ring_crossings(at, ring->watermark) + 1) * ring->watermark;
}

void drain_walk(struct ring *ring, struct drain *drain,
		struct drain_tally *tally)
{
	uint64_t at = ring_tail(ring), head = ring_head(ring);
	uint64_t crossing = next_crossing(ring, at);
	struct pid_run run = { 0 };

	*tally = (struct drain_tally){ .start = at };
	while (at != head) {
		struct perf_event_header header = ring_header(ring, at);

		if (head - at > ring->size || !record_sane(header, head - at)) {
			tally->broken = true;
			at = head;
			break;
		}
		tally_record(ring, at, header, drain, &run, tally);
		if (at + header.size > crossing) {
			tally->crossing_time = record_time(ring, at, header);
			crossing = UINT64_MAX;
		}
		at += header.size;
	}
	end_run(drain, &run);
	tally->end = at;
	tally->used = ring_head(ring) - tally->start;
	if (tally->used > ring->size)
		tally->used = ring->size;
	ring_consume(ring, at);
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
	if (cause == DRAIN_WAKEUP && tally->crossing_time &&
	    tally->crossing_time <= now_ns)
		latency_add(&stats->latency, now_ns - tally->crossing_time);
	ring_stats_drain(stats, &(struct ring_drain){
		.cause = cause,
		.used = tally->end == tally->start ? 0 : tally->used,
		.size = ring->size,
		.lost = tally->lost,
		.now_ns = now_ns,
	});
}
