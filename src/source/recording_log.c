/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/recording_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ring/reading.h"
#include "trace/recorded/timeline.h"

enum {
	MAX_LINES = 2000,	/* of all of the recording */
	MAX_RINGS = 8,		/* more have one line together */
};

/* What a line is about. */
enum incident {
	LOST,
	LOST_SAMPLES,
	TRUNCATED,
	PARTIAL,
	COLLISION,
	INCIDENTS
};

static const struct {
	enum log_kind kind;
	const char *verb, *one, *many, *detail;
} incidents[INCIDENTS] = {
	[LOST] = { LOG_LOST, "lost", "record", "records", "" },
	/* perf also writes such records for losses that the kernel counted */
	[LOST_SAMPLES] = { LOG_LOST, "lost", "sample", "samples",
			   " (LOST_SAMPLES; may overlap with LOST)" },
	[TRUNCATED] = { LOG_AUX, "had", "AUX record flagged TRUNCATED",
			"AUX records flagged TRUNCATED", "" },
	[PARTIAL] = { LOG_AUX, "had", "AUX record flagged PARTIAL",
		      "AUX records flagged PARTIAL", "" },
	[COLLISION] = { LOG_AUX, "had", "AUX record flagged COLLISION",
			"AUX records flagged COLLISION", "" },
};

struct recording_log_ring {
	/* In the present span, by enum incident: */
	uint64_t nr[INCIDENTS];
	uint64_t first[INCIDENTS];	/* slot, if nr is not 0 */
	uint64_t chunks;		/* LOST records */
	bool losing;			/* it is listed */

	uint64_t throttles;		/* since the start */
};

static uint64_t span_start(const struct recording_log *log, uint64_t slot)
{
	/* what has no time is in slot 0 */
	if (slot < log->first + log->span)
		return 0;
	return slot - (slot - log->first) % log->span;
}

/* Seconds since the start, at the start of @slot. */
static double time_of(const struct recording_log *log, uint64_t slot)
{
	if (slot < log->origin)
		return 0;
	return (double)(slot - log->origin) *
	       ((double)timeline_width(log->timeline) / 1e9);
}

static void count(struct recording_log *log, const struct timeline_cell *cell)
{
	const uint64_t nr[INCIDENTS] = {
		[LOST] = cell->lost,
		[LOST_SAMPLES] = cell->lost_samples,
		[TRUNCATED] = cell->truncated,
		[PARTIAL] = cell->partial,
		[COLLISION] = cell->collision,
	};
	size_t at = timeline_cell_ring(cell);
	struct recording_log_ring *ring = &log->rings[at];

	for (int i = 0; i < INCIDENTS; i++) {
		if (!nr[i])
			continue;
		if (!ring->nr[i])
			ring->first[i] = timeline_cell_slot(cell);
		unknown_add(&ring->nr[i], nr[i]);
		if (!ring->losing)
			log->losing[log->nr_losing++] = (uint32_t)at;
		ring->losing = true;
	}
	ring->chunks += cell->types[PERF_RECORD_LOST];
}

static const char *label(const struct reading *r, size_t ring, char buf[24])
{
	const struct reading_ring *of = &r->rings[ring];

	if (of->row.cpu >= 0)
		snprintf(buf, 24, "CPU %d", of->row.cpu);
	else if (of->row.tid >= 0)
		snprintf(buf, 24, "tid %d", of->row.tid);
	else
		snprintf(buf, 24, "ring %zu", ring);
	return buf;
}

static void tell_ring(const struct recording_log *log, size_t at,
		      enum incident what, struct reading *r)
{
	const struct recording_log_ring *ring = &log->rings[at];
	char text[240], name[24], number[UNITS_EXACT];
	int len = snprintf(text, sizeof(text), "%s %s %s %s%s",
			   label(r, at, name), incidents[what].verb,
			   units_exact(number, ring->nr[what]),
			   ring->nr[what] == 1 ? incidents[what].one :
						 incidents[what].many,
			   incidents[what].detail);

	if (what == LOST && ring->chunks > 1)
		snprintf(text + len, sizeof(text) - (size_t)len,
			 " in %s chunks", units_exact(number, ring->chunks));
	reading_note(r, time_of(log, ring->first[what] + 1),
		     incidents[what].kind, text);
}

static void tell_together(const struct recording_log *log, size_t rings,
			  enum incident what, struct reading *r)
{
	char text[240], name[24], all[UNITS_EXACT], most[UNITS_EXACT];
	uint64_t sum = 0, first = UNKNOWN;
	size_t worst = log->losing[0];

	for (size_t i = 0; i < log->nr_losing; i++) {
		const struct recording_log_ring *ring =
			&log->rings[log->losing[i]];

		unknown_add(&sum, ring->nr[what]);
		if (ring->nr[what] && ring->first[what] < first)
			first = ring->first[what];
		if (ring->nr[what] > log->rings[worst].nr[what])
			worst = log->losing[i];
	}
	snprintf(text, sizeof(text), "%zu rings %s %s %s, %s the most (%s)%s",
		 rings, incidents[what].verb, units_exact(all, sum),
		 incidents[what].many, label(r, worst, name),
		 units_exact(most, log->rings[worst].nr[what]),
		 incidents[what].detail);
	reading_note(r, time_of(log, first + 1), incidents[what].kind, text);
}

/* The lines of the span that was counted; NULL: only their number. */
static size_t tell_span(struct recording_log *log, struct reading *r)
{
	size_t order[MAX_RINGS], lines = 0;

	for (enum incident what = 0; what < INCIDENTS; what++) {
		size_t nr = 0, at;

		for (size_t i = 0; i < log->nr_losing; i++) {
			size_t ring = log->losing[i];
			uint64_t first = log->rings[ring].first[what];

			if (!log->rings[ring].nr[what] || nr++ >= MAX_RINGS)
				continue;
			for (at = nr - 1; at > 0 && first <
			     log->rings[order[at - 1]].first[what]; at--)
				order[at] = order[at - 1];
			order[at] = ring;
		}
		lines += nr > MAX_RINGS ? 1 : nr;
		if (r && nr > MAX_RINGS)
			tell_together(log, nr, what, r);
		for (at = 0; r && nr <= MAX_RINGS && at < nr; at++)
			tell_ring(log, order[at], what, r);
	}
	while (log->nr_losing) {
		struct recording_log_ring *ring =
			&log->rings[log->losing[--log->nr_losing]];

		*ring = (struct recording_log_ring){
			.throttles = ring->throttles,
		};
	}
	return lines;
}

/*
 * Throttling tends to go on: a line for each ring, or for all if there are many,
 * which is replaced each time that their number has doubled.
 */
static void tell_throttles(struct recording_log *log,
			   const struct timeline_cell *cell, struct reading *r)
{
	size_t at = timeline_cell_ring(cell);
	bool together = log->ever_throttled > MAX_RINGS;
	uint64_t *all = together ? &log->throttles : &log->rings[at].throttles;
	uint64_t before = *all, nr = cell->types[RECORD_THROTTLE];
	char text[240], name[24], number[UNITS_EXACT];

	log->throttled += nr && !log->rings[at].throttles;
	log->rings[at].throttles += nr;
	log->throttles += nr;
	/* no more bits than before */
	if (!nr || (*all ^ before) <= before)
		return;
	if (together)
		snprintf(name, sizeof(name), "%zu ring%s", log->throttled,
			 log->throttled == 1 ? "" : "s");
	else
		label(r, at, name);
	snprintf(text, sizeof(text), "%s throttled %s time%s", name,
		 units_exact(number, *all), *all == 1 ? "" : "s");
	reading_fold(r, time_of(log, timeline_cell_slot(cell) + 1),
		     LOG_THROTTLE, together ? 1 : at + 1, text);
}

/* All lines of the recording, up to one more than the most. */
static size_t count_lines(struct recording_log *log)
{
	const struct timeline *t = log->timeline;
	uint64_t start = 0;
	size_t lines = 0;

	for (size_t i = 0; i < t->nr && lines <= MAX_LINES; i++) {
		uint64_t of = span_start(log, timeline_cell_slot(&t->cells[i]));

		if (of != start)
			lines += tell_span(log, NULL);
		start = of;
		count(log, &t->cells[i]);
	}
	return lines + tell_span(log, NULL);
}

int recording_log_init(struct recording_log *log, size_t nr)
{
	const struct timeline *t = log->timeline;
	bool fixed = log->span;

	log->rings = calloc(nr + 1, sizeof(*log->rings));
	log->losing = calloc(nr + 1, sizeof(*log->losing));
	log->nr = nr;
	if (!log->rings || !log->losing)
		return -ENOMEM;
	for (size_t i = 0; i < t->nr; i++) {
		size_t at = timeline_cell_ring(&t->cells[i]);

		if (!t->cells[i].types[RECORD_THROTTLE])
			continue;
		log->ever_throttled += !log->rings[at].throttles;
		log->rings[at].throttles = 1;
	}
	log->span += !fixed;
	while (!fixed && log->span < TIMELINE_SLOTS &&
	       count_lines(log) > MAX_LINES)
		log->span *= 2;
	memset(log->rings, 0, nr * sizeof(*log->rings));
	return 0;
}

void recording_log_free(struct recording_log *log)
{
	free(log->rings);
	free(log->losing);
}

void recording_log_tell(struct recording_log *log, uint64_t slot,
			struct reading *r)
{
	const struct timeline *t = log->timeline;
	uint64_t from, start, told;

	r->retold = 1u << LOG_LOST | 1u << LOG_AUX;
	if (slot < log->slot) {
		r->retold |= 1u << LOG_THROTTLE;
		log->slot = log->cell = log->throttles = log->throttled = 0;
		for (size_t i = 0; i < log->nr; i++)
			log->rings[i].throttles = 0;
	}
	told = log->slot;
	from = start = span_start(log, told);
	r->retold_from = from ? time_of(log, from) : -1;
	for (size_t i = log->cell; i < t->nr; i++) {
		uint64_t at = timeline_cell_slot(&t->cells[i]);

		if (at >= slot)
			break;
		if (at >= told)
			tell_throttles(log, &t->cells[i], r);
		if (at < from)
			continue;
		if (span_start(log, at) != start) {
			tell_span(log, r);
			start = span_start(log, at);
			log->cell = i;
		}
		count(log, &t->cells[i]);
	}
	tell_span(log, r);
	log->slot = slot;
}
