/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/ring_row.h"

#include <math.h>

enum { SMALLEST_RECORD = 8 };	/* struct perf_event_header */

void ring_row_own(struct ring_row *row)
{
	row->known = row->mapped = true;
	row->uid = (uid_t)-1;
	row->user[0] = row->event[0] = row->map[0] = '\0';
	row->self = row->stopped = row->woken = false;
	row->nr_holders = row->map_id = row->warnings = 0;
	row->undrained = row->worst_gap = NAN;
	row->first_seen = row->last_seen = NAN;
	row->remapped = row->locked = UNKNOWN;
}

bool ring_row_wakes_always(const struct ring_row *row)
{
	return row->known && row->watermark &&
	       row->watermark <= SMALLEST_RECORD;
}

double ring_row_wakeup_fill(const struct ring_row *row)
{
	uint64_t next = row->next_crossing;

	if (row->overwrite || !row->size || !next || next == UNKNOWN ||
	    next < row->tail || ring_row_wakes_always(row))
		return NAN;
	return (double)(next - row->tail) / (double)row->size;
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
	return kind == RING_BPF ? "bpf" : "perf";
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
