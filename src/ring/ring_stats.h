/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader counted of one ring since the start: the block that collector
 * threads write and frames are made of.  Plain data, copied whole.
 */
#ifndef RBTOP_RING_RING_STATS_H
#define RBTOP_RING_RING_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "ring/latency.h"
#include "ring/top_pids.h"
#include "perf/abi/record.h"

enum { FILL_BUCKETS = 20 };	/* of 5 % of the ring each */

/* What the records of a data ring tell of the AUX ring beside it. */
struct aux_stats {
	uint64_t records;	/* PERF_RECORD_AUX */
	uint64_t bytes;		/* sum of their sizes; of a ring in snapshot
				 * mode no measure of anything */
	uint64_t truncated, overwrite, partial, collision; /* their flags */
	uint64_t itrace_starts, hw_ids;	/* ITRACE_START, AUX_OUTPUT_HW_ID */
	uint64_t reenabled;	/* times an event was let go on that the
				 * kernel had stopped for lack of room */
	uint64_t wraps;		/* snapshot mode: heads that stood before the
				 * one in the record before; a lower bound */
	uint64_t last_end;	/* position that the last AUX record names as
				 * the end (its start, in full trace) */
	uint64_t last_time;	/* of that record, on the session's clock; 0 */
};

/* Count a PERF_RECORD_AUX, whose fields these are, written at @time. */
void ring_stats_aux_record(struct aux_stats *s, uint64_t offset, uint64_t size,
			   uint64_t flags, uint64_t time);

/* Why a ring was drained. */
enum drain_cause {
	DRAIN_WAKEUP,		/* POLLIN: the kernel woke the reader */
	DRAIN_TIMER,		/* what lies below the watermark */
	DRAIN_FINAL,		/* before the ring is unmapped or shown last */
};

/* What came between two drains. */
struct ring_interval {
	uint64_t bytes;		/* records that were lost in it included, at
				 * the mean size of a record */
	uint64_t used;		/* bytes waiting at its end */
	uint64_t ns;		/* its length; 0: there was no earlier drain */
	uint64_t lost;		/* records, as far as they were reported */
	bool stopped;		/* rbtop was, for a part of it: no measure of
				 * how late a reader comes */
};

struct ring_stats {
	uint64_t bytes;		/* consumed */
	uint64_t records;	/* of all types; == sum of types[] */
	uint64_t types[RECORD_TYPES];
	uint64_t lost;		/* sum of PERF_RECORD_LOST */
	uint64_t lost_samples;	/* sum of PERF_RECORD_LOST_SAMPLES */
	uint64_t own;		/* samples of rbtop's own pid */
	uint64_t unknown_ids;	/* samples of no event of the ring */
	uint64_t broken;	/* drains ended by a record of absurd size */
	uint64_t crossings;	/* of the watermark, see ring_crossings() */
	uint64_t wakeups;	/* POLLIN returns */
	uint64_t drains;	/* that found data, of any cause */
	uint64_t timer_drains;	/* those of the timer */
	uint64_t peak;		/* most bytes ever found waiting at a drain */
	uint64_t last_drain_ns;	/* on the session's clock */
	struct latency latency;	/* from the crossing record to the drain */
	struct ring_interval latest;	/* up to the last drain that found
					 * data, and so made room */
	uint64_t stopped_ns;	/* how long rbtop was, in all */
	/* Since the counters were last read, see ring_stats_begin(). */
	struct ring_interval worst;	/* with the most bytes; not stopped */
	struct ring_interval lossiest;	/* with the most records lost */
	uint64_t recent_used;	/* most bytes waiting at a drain; of one that
				 * was not stopped */
	uint32_t fill[FILL_BUCKETS];	/* drains by fill found */
	struct aux_stats aux;
	uint64_t aux_peak;	/* full trace: most bytes found waiting */
	struct top_pids pids;
};

/* One drain. */
struct ring_drain {
	enum drain_cause cause;
	uint64_t used;		/* bytes that waited; 0: a look in vain, which
				 * only ends the interval */
	uint64_t size;		/* of the ring */
	uint64_t lost;		/* records, by the LOST records among them */
	bool stopped;		/* rbtop was, since the drain before */
	uint64_t now_ns;
};

/* Begin anew what counts since the counters were last read. */
void ring_stats_begin(struct ring_stats *s);

/*
 * Count a drain; bytes and records of @s are up to date.  POLLIN returns are
 * counted where poll returns, not here.
 */
void ring_stats_drain(struct ring_stats *s, const struct ring_drain *drain);

#endif
