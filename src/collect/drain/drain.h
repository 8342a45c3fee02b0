/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over what waits in a ring: every header counted, no body decoded;
 * what is to be is copied to a queue.  It reads memory and nothing else; time
 * is an argument.
 */
#ifndef RBTOP_COLLECT_DRAIN_DRAIN_H
#define RBTOP_COLLECT_DRAIN_DRAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/drain/sampler.h"
#include "ring/ring_stats.h"
#include "perf/abi/ring.h"

struct record_history;
struct sample_queue;
struct trigger;

/*
 * Where a drain leaves copies of records for the resolver thread.  Nowhere
 * until its user sets the first three.
 */
struct drain_feed {
	struct sample_queue *queue;	/* borrowed; NULL: nowhere */
	struct sampler sampler;		/* which samples */
	uint32_t slot;			/* what the copies are marked with */
	bool switches;			/* copy context switches too */
	double samples, bytes;		/* of the latest passes: how many of
					 * the former wait in the latter */
};

/*
 * What a reader keeps of a ring between passes: which event an id names (open
 * addressing, id 0 is a free place), and the counts that grow in the walk
 * itself rather than per pass.
 */
struct drain {
	uint64_t *ids;
	uint32_t *events;
	uint32_t *tags;		/* per event: what its samples are queued as */
	uint32_t mask;		/* places - 1 */
	uint32_t nr_events;
	uint64_t *samples;	/* per event, since the start */
	struct top_pids pids;	/* since the start */
	pid_t self;		/* whose samples are rbtop's own; 0: none */
	struct drain_feed feed;
	struct record_history *history;	/* borrowed; NULL: none is kept */
	struct trigger *trigger;	/* the same */
	bool apart;		/* see struct collector_ring */
	uint32_t slot;		/* what the trigger is told */
	int cpu;		/* of the ring; -1: a sample says at @cpu_at */
	uint32_t cpu_at;	/* bytes from its start */
	struct aux_stats aux;	/* since the start */
};

/*
 * For @nr events with these @ids, in order (0: an event without samples),
 * whose samples are queued with these @tags (NULL: their index).
 * 0 or -ENOMEM.
 */
int drain_init(struct drain *drain, const uint64_t *ids, const uint32_t *tags,
	       uint32_t nr, pid_t self);
/*
 * Make @fresh what can take the place of @drain: other ids for the same events
 * (reopened, say), or more events; the counts go on.  Each has its own memory,
 * and the one that is not wanted is freed.  0, or -ENOMEM with nothing to free
 * in @fresh.
 */
int drain_renew(struct drain *fresh, const struct drain *drain,
		const uint64_t *ids, const uint32_t *tags, uint32_t nr);
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
	uint64_t last_time;	/* of the last record; 0: it does not say */
	uint64_t stopped_ns;	/* how long rbtop was stopped, in all, ... */
	bool stopped;		/* ... and that this grew since the ring was
				 * last drained; both are for who calls to set */
	bool broken;		/* a record's size was absurd, or the head was
				 * farther than the ring is long; the rest of
				 * what waited was skipped */
};

/*
 * Walk from the ring's tail to its head and give the records back to the
 * kernel, once.  @tally is filled anew.  The side-band, LOST records and the
 * samples that the sampler picks are copied to the queue of drain->feed, as far
 * as there is room; all records to drain->history.
 */
void drain_walk(struct ring *ring, struct drain *drain, uint64_t now_ns,
		struct drain_tally *tally);

/* Add a pass over @ring, made at @now_ns, to the ring's counters. */
void drain_apply(const struct ring *ring, const struct drain *drain,
		 const struct drain_tally *tally, enum drain_cause cause,
		 uint64_t now_ns, struct ring_stats *stats);

#endif
