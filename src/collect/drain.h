/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over what waits in a ring: every header counted, no body decoded.
 * It reads memory and nothing else; time is an argument.
 */
#ifndef RBTOP_COLLECT_DRAIN_H
#define RBTOP_COLLECT_DRAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/ring_stats.h"
#include "perf/ring.h"

/*
 * What a reader keeps of a ring between passes: which event an id names (open
 * addressing, id 0 is a free place), and the counts that grow in the walk
 * itself rather than per pass.
 */
struct drain {
	uint64_t *ids;
	uint32_t *events;
	uint32_t mask;		/* places - 1 */
	uint32_t nr_events;
	uint64_t *samples;	/* per event, since the start */
	struct top_pids pids;	/* since the start */
	pid_t self;		/* whose samples are rbtop's own; 0: none */
};

/*
 * For @nr events with these @ids, in order (0: an event without samples).
 * 0 or -ENOMEM.
 */
int drain_init(struct drain *drain, const uint64_t *ids, uint32_t nr,
	       pid_t self);
/*
 * Other ids for the same events (reopened, say), or more events.  Counts go
 * on.  0 or -ENOMEM, with nothing changed.
 */
int drain_set_ids(struct drain *drain, const uint64_t *ids, uint32_t nr);
void drain_free(struct drain *drain);

/* What one pass found. */
struct drain_tally {
	uint64_t start, end;	/* positions walked */
	uint64_t used;		/* bytes waiting when the walk ended */
	uint64_t records;
	uint64_t types[RECORD_TYPES];
	uint64_t lost, lost_samples, own, unknown_ids;
	uint64_t crossing_time;	/* ns, of the record that made the first
				 * crossing of this pass; 0: none */
	bool broken;		/* a record's size was absurd, or the head was
				 * farther than the ring is long; the rest of
				 * what waited was skipped */
};

/*
 * Walk from the ring's tail to its head and give the records back to the
 * kernel, once.  @tally is filled anew.
 */
void drain_walk(struct ring *ring, struct drain *drain,
		struct drain_tally *tally);

/* Add a pass over @ring, made at @now_ns, to the ring's counters. */
void drain_apply(const struct ring *ring, const struct drain *drain,
		 const struct drain_tally *tally, enum drain_cause cause,
		 uint64_t now_ns, struct ring_stats *stats);

#endif
