/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/ring_row.h"

#include <math.h>
#include <stdio.h>

enum { SMALLEST_RECORD = 8 };	/* sizeof(struct perf_event_header) */

/* Of the room above the watermark. */
#define RAISED 0.5
#define HIGH 0.8
/* A watermark above that leaves too little room. */
#define MAX_MARK 0.8

bool ring_row_label(struct ring_row *row)
{
	bool of_cpu = row->cpu >= 0;

	if (!of_cpu && row->tid < 0)
		return false;
	snprintf(row->label, sizeof(row->label), of_cpu ? "CPU %d" : "tid %d",
		 of_cpu ? row->cpu : row->tid);
	return true;
}

void ring_row_own(struct ring_row *row)
{
	row->sum = false;
	row->known = row->mapped = true;
	row->uid = row->owner_uid = (uid_t)-1;
	row->user[0] = row->event[0] = row->map[0] = '\0';
	row->cmdline = NULL;
	row->self = row->stopped = row->woken = row->over = false;
	row->dummies = row->lost_final = false;
	row->programs_known = false;
	row->nr_holders = row->nr_programs = 0;
	row->often = 0;
	row->map_id = row->warnings = 0;
	row->undrained = row->worst_gap = row->run_wait = row->run_share = NAN;
	row->output_wait = NAN;
	row->first_seen = row->last_seen = row->lost_from = NAN;
	row->lost_bytes = UNKNOWN;
	row->remapped = row->locked = UNKNOWN;
}

void ring_row_of_records(struct ring_row *row, struct ring_reads *reads)
{
	struct ring_stats *stats = &reads->stats;

	row->size = row->used = row->head = row->tail = UNKNOWN;
	row->watermark = row->wakeup_events = row->next_crossing = 0;
	row->fill = row->peak = row->peak_tick = NAN;
	row->crossings = row->wakeups = row->drains = UNKNOWN;
	row->wakeups_per_s = row->drains_per_s = NAN;
	stats->own = stats->unknown_ids = stats->broken = UNKNOWN;
	stats->timer_drains = UNKNOWN;
	reads->counts_age = NAN;
}

bool ring_row_wakes_always(const struct ring_row *row)
{
	return row->known && row->watermark &&
	       (row->watermark <= SMALLEST_RECORD || row->wakeup_events == 1);
}

/* A watermark beyond the size is never reached. */
static double mark_of(uint64_t watermark, uint64_t size)
{
	if (!watermark || watermark == UNKNOWN || size == UNKNOWN ||
	    watermark > size)
		return NAN;
	return ring_share(watermark, size);
}

double ring_row_mark(const struct ring_row *row)
{
	if (!row->known || row->overwrite || ring_row_wakes_always(row))
		return NAN;
	return mark_of(row->watermark, row->size);
}

double ring_row_aux_mark(const struct ring_row *row)
{
	if (!row->known || row->aux.overwrite)
		return NAN;
	return mark_of(row->aux.watermark, row->aux.size);
}

enum ring_level ring_row_level(double fill, double mark)
{
	double from = isnan(mark) ? 0 : fmin(mark, MAX_MARK);
	double room = 1 - from;

	if (fill >= from + room * HIGH)
		return RING_LEVEL_HIGH;
	return fill >= from + room * RAISED ? RING_LEVEL_RAISED :
					      RING_LEVEL_LOW;
}

uint64_t ring_row_lost_since(const struct ring_row *row)
{
	return row->lost == UNKNOWN ? UNKNOWN :
				      ring_delta(row->lost, row->lost_before);
}

bool ring_row_has_aux_head(const struct ring_row *row)
{
	const struct ring_aux *aux = &row->aux;

	if (!aux->size || aux->head == UNKNOWN)
		return false;
	return !aux->overwrite || !row->reads ||
	       !isnan(row->reads->aux.head_age);
}

const char *ring_row_kind_name(enum ring_kind kind)
{
	static const char *const names[RING_KINDS] = {
		[RING_PERF] = "perf",
		[RING_BPF] = "bpf",
		[RING_FTRACE] = "ftrace",
		[RING_URING] = "io_uring",
	};

	return names[kind];
}

const char *ring_row_event_state_name(enum ring_event_state state)
{
	static const char *const names[] = {
		[RING_EVENT_UNKNOWN] = "unknown",
		[RING_EVENT_ACTIVE] = "active",
		[RING_EVENT_INACTIVE] = "inactive",
		[RING_EVENT_OFF] = "off",
		[RING_EVENT_ERROR] = "error",
		[RING_EVENT_GONE] = "gone",
	};

	return names[state];
}
