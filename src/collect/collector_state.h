/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of a collector, and what its files call of each other. */
#ifndef RBTOP_COLLECT_COLLECTOR_STATE_H
#define RBTOP_COLLECT_COLLECTOR_STATE_H

#include "collect/collector.h"
#include "collect/slot.h"
#include "perf/abi/perf_clock.h"

struct collector {
	struct collector_opts opts;
	struct record_clock clock;

	/* collector.c */
	struct reader **readers;
	size_t nr_readers;
	struct aux_lane **lanes;
	size_t nr_lanes;	/* 0: there is no full trace */

	_Atomic bool aux_held;	/* lanes empty the AUX rings into aux_sink;
				 * false: readers discard the contents */
	aux_sink_now aux_sink;	/* NULL: none */
	_Atomic bool aux_disabled;	/* no event is reenabled */
	int history_fd;		/* see record_history_watch() */

	pthread_mutex_t lock;	/* of what follows, and of slot->history */
	struct slot **slots;	/* their addresses and indices never change */
	size_t nr_slots, slots_cap;
	double *arrivals;	/* scratch, one per slot: collector.c */
	size_t arrivals_cap;
	size_t history_bytes;	/* of each slot; 0: none is kept */

	/* collector_records.c; used by the popping thread only */
	size_t popping;		/* reader whose turn it is */
	unsigned int turn;	/* records popped in this turn */
	uint64_t *popped;	/* time of each reader's last record, ns */
	uint64_t *marks;	/* by slot: the last mark that was popped */
	size_t marks_cap;
	size_t behind;		/* reader of the slot that is furthest behind */
};

/* NULL if @index is out of range. */
struct slot *collector_slot(struct collector *c, size_t index);

/*
 * Give a slot that no reader serves yet its history, if any are kept.  0 or
 * -ENOMEM.
 */
int collector_records_give(struct collector *c, struct slot *slot);

#endif
