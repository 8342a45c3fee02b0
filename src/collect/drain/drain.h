/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over the records that wait in a ring: every header is counted, no
 * body is decoded; records to decode are copied to a queue.  No system calls;
 * time is an argument.
 */
#ifndef RBTOP_COLLECT_DRAIN_DRAIN_H
#define RBTOP_COLLECT_DRAIN_DRAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/drain/sample_queue.h"
#include "ring/reading.h"
#include "ring/ring_stats.h"
#include "perf/abi/ring.h"

struct record_history;
struct sample_queue;
struct trigger;

/*
 * Where a drain copies records for the resolver thread: nowhere until the
 * caller sets the first three members.
 */
struct drain_feed {
	struct sample_queue *queue;	/* borrowed; NULL: nowhere */
	struct sampler sampler;		/* picks the samples to copy */
	uint32_t slot;			/* the copies are marked with it */
	bool switches;			/* copy context switches too */
	double samples, bytes;		/* of the latest passes, decaying: how
					 * many samples are in so many bytes */
};

/*
 * The state of a ring between passes: which event an id stands for (open
 * addressing, id 0 is a free place), and the counts that are incremented in the
 * walk itself rather than once per pass.
 */
struct drain {
	uint64_t *ids;
	uint32_t *events;
	uint32_t *tags;		/* by event: the tag of its samples */
	uint32_t mask;		/* places - 1 */
	uint32_t nr_events;
	uint64_t *samples;	/* per event, since the start */
	struct top_pids pids;	/* since the start */
	pid_t self;		/* its samples count as own; 0: none */
	struct drain_feed feed;
	struct record_history *history;	/* borrowed; NULL: none is kept */
	struct trigger *trigger;	/* borrowed; NULL: none */
	bool side_band_only;	/* see struct collector_ring */
	uint32_t slot;		/* passed to the trigger */
	int cpu;		/* of the ring; -1: samples have it, @cpu_at */
	uint32_t cpu_at;	/* bytes from the start of a sample */
	struct aux_stats aux;	/* since the start */
	struct ring_burst burst;
};

/*
 * Initialize for @nr events with these @ids, in order (0: an event without
 * samples), whose samples are queued with these @tags (NULL: the index).
 * Samples of @self count as own.  0 or -ENOMEM.
 */
int drain_init(struct drain *drain, const uint64_t *ids, const uint32_t *tags,
	       uint32_t nr, pid_t self);
/*
 * Make @fresh a replacement for @drain with other ids for the same events
 * (reopened, for example) or with more events, and with its counts.  Each has
 * memory of its own: the caller frees the one that it does not keep.  0, or
 * -ENOMEM with nothing to free in @fresh.
 */
int drain_renew(struct drain *fresh, const struct drain *drain,
		const uint64_t *ids, const uint32_t *tags, uint32_t nr);
void drain_free(struct drain *drain);

/* The counts of one pass. */
struct drain_tally {
	uint64_t start, end;	/* positions walked */
	uint64_t used;		/* bytes waiting when the walk ended */
	uint64_t records;
	uint64_t types[RECORD_TYPES];
	uint64_t lost, lost_samples, own, unknown_ids;
	uint64_t crossing_time;	/* ns, of the record that made the first
				 * crossing of this pass; 0: none */
	uint64_t last_time;	/* of the last record; 0: it has none */
	uint64_t stopped_ns;	/* total time that rbtop was stopped */
	bool stopped;		/* it grew since the last drain of the ring;
				 * both are set by the caller */
	bool broken;		/* a record's size was invalid, or more waited
				 * than the ring holds; the rest was skipped */
};

/*
 * Walk from the ring's tail to its head, fill @tally, and give the space back
 * to the kernel, once.  The side-band, LOST records and the samples that the
 * sampler picks are copied to the queue of drain->feed, unless it is full; all
 * records are copied to drain->history.
 */
void drain_walk(struct ring *ring, struct drain *drain, uint64_t now_ns,
		struct drain_tally *tally);

/* Add the pass @tally over @ring, made at @now_ns, to @stats. */
void drain_apply(const struct ring *ring, const struct drain *drain,
		 const struct drain_tally *tally, enum drain_cause cause,
		 uint64_t now_ns, struct ring_stats *stats);

/*
 * Read an overwrite ring: it is written backward, is mapped PROT_READ, and
 * changes unless its output is paused.
 *
 * Walk the records of the paused ring, newest first, and set records, types, at
 * and valid of @out, and oldest and newest (seconds before @now_ns,
 * CLOCK_MONOTONIC).  A partly overwritten last record is dropped.
 */
void overwrite_walk(const struct ring *ring, uint64_t now_ns,
		    struct ring_overwrite *out);

#endif
