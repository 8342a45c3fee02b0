/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader counted of one ring since the start.  Written by collector
 * threads, read to make frames.  Plain data, copied as a whole.
 */
#ifndef RBTOP_RING_RING_STATS_H
#define RBTOP_RING_RING_STATS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/record.h"

/*
 * A histogram of times with bounded relative error: 8 buckets to each power of
 * two from 256 ns to 34 s, so a percentile is off by at most 1/8.
 */
enum { LATENCY_OCTAVES = 27, LATENCY_STEPS = 8,
       LATENCY_BUCKETS = LATENCY_OCTAVES * LATENCY_STEPS };

struct latency {
	/* a full bucket stays at UINT32_MAX */
	uint32_t buckets[LATENCY_BUCKETS];
	uint64_t count;
	uint64_t max_ns;
};

/* Count one time. */
void latency_add(struct latency *l, uint64_t ns);

/* Add all of @other. */
void latency_merge(struct latency *l, const struct latency *other);

/*
 * Store in @out what was added to @now after its copy @base was made.  The
 * maximum is exact if it is a new one, else the upper bound of the highest
 * bucket used.
 */
void latency_since(const struct latency *now, const struct latency *base,
		   struct latency *out);

/*
 * The bucket's range in ns, [*low, *high).  The first one begins at 0, the
 * last one ends at UINT64_MAX.
 */
void latency_bounds(unsigned int bucket, uint64_t *low, uint64_t *high);

/*
 * The time in seconds below which the share @q (0..1) of the entries lies, the
 * upper bound of its bucket but never above the maximum; NAN when empty.
 */
double latency_percentile(const struct latency *l, double q);

/*
 * The pids with the most samples in a ring, in bounded memory.  The algorithm
 * is the space-saving sketch: a count is never too low, and too high by at most
 * its @error; exact while at most TOP_PIDS different pids were seen.
 */
enum { TOP_PIDS = 16 };

struct top_pid {
	pid_t pid;
	uint64_t samples;	/* 0: the slot is free */
	uint64_t error;
};

struct top_pids {
	struct top_pid slots[TOP_PIDS];
};

/* Add @samples to the count of @pid. */
void top_pids_add(struct top_pids *top, pid_t pid, uint64_t samples);

/* Store a copy, most samples first, in @out.  Returns the slots in use. */
unsigned int top_pids_sorted(const struct top_pids *top,
			     struct top_pid out[TOP_PIDS]);

enum { FILL_BUCKETS = 20 };	/* of 5 % of the ring each */

/* What the records of a data ring say about its AUX ring. */
struct aux_stats {
	uint64_t records;	/* PERF_RECORD_AUX */
	uint64_t bytes;		/* sum of their sizes; meaningless in snapshot
				 * mode */
	uint64_t truncated, overwrite, partial, collision; /* by flag */
	uint64_t itrace_starts, hw_ids;	/* ITRACE_START, AUX_OUTPUT_HW_ID */
	uint64_t reenabled;	/* times an event was enabled again that the
				 * kernel had disabled when the AUX ring was
				 * full */
	uint64_t wraps;		/* snapshot mode: number of heads below the
				 * previous record's, a lower bound of the
				 * wraps */
	uint64_t last_end;	/* aux_offset of the last AUX record: snapshot
				 * mode: the head; full trace: the start of its
				 * data */
	uint64_t last_time;	/* of that record, on the session's clock; 0 */
};

/* Count a PERF_RECORD_AUX with these fields, written at @time. */
void ring_stats_aux_record(struct aux_stats *s, uint64_t offset, uint64_t size,
			   uint64_t flags, uint64_t time);

/* The cause of a drain. */
enum drain_cause {
	DRAIN_WAKEUP,		/* POLLIN: the kernel woke the reader */
	DRAIN_TIMER,		/* the timer, for data below the watermark */
	DRAIN_FINAL,		/* before unmapping, or the last display */
};

/* The interval between two drains. */
struct ring_interval {
	uint64_t bytes;		/* including records lost in it, at the mean
				 * size of a record */
	uint64_t used;		/* bytes waiting at its end */
	uint64_t ns;		/* length; 0: no earlier drain */
	uint64_t lost;		/* records lost in it, reported so far */
	bool stopped;		/* rbtop was stopped for part of it, so it does
				 * not show how late the reader is */
};

/*
 * The most bytes that came within RING_BURST_NS by the times of samples, however
 * late they were drained.  Time is divided into halves of that span, and two
 * adjacent ones are added: of a steady burst that begins in the middle of a
 * half, three quarters are counted.
 */
#define RING_BURST_NS 10000000
struct ring_burst {
	uint64_t end;		/* of the half of the latest sample, ns */
	uint64_t now, before;	/* bytes in that half and the one before */
	uint64_t max;		/* in the latest pass */
};

struct ring_stats {
	uint64_t bytes;		/* consumed */
	uint64_t records;	/* of all types; == sum of types[] */
	uint64_t types[RECORD_TYPES];
	uint64_t lost;		/* sum of PERF_RECORD_LOST */
	uint64_t lost_samples;	/* sum of PERF_RECORD_LOST_SAMPLES */
	uint64_t own;		/* samples of rbtop's own pid */
	uint64_t unknown_ids;	/* samples with an id of no event of the ring */
	uint64_t broken;	/* drains ended by a record with an invalid
				 * size */
	uint64_t crossings;	/* of the watermark, see ring_crossings() */
	uint64_t wakeups;	/* POLLIN returns */
	uint64_t drains;	/* that found data, of any cause */
	uint64_t timer_drains;	/* of cause DRAIN_TIMER */
	uint64_t peak;		/* most bytes waiting at a drain */
	uint64_t last_drain_ns;	/* on the session's clock */
	struct latency latency;	/* from the crossing record to the drain */
	struct ring_interval latest;	/* ended by the last drain that found
					 * data, and so made room */
	uint64_t stopped_ns;	/* total time that rbtop was stopped */
	/* Since ring_stats_begin(), called when the counters are read: */
	struct ring_interval worst;	/* most bytes; intervals that were
					 * stopped do not count */
	struct ring_interval lossiest;	/* most records lost */
	uint64_t burst;		/* most bytes, see struct ring_burst */
	uint64_t recent_used;	/* most bytes waiting at a drain, without
				 * intervals that were stopped */
	uint32_t fill[FILL_BUCKETS];	/* number of drains by fill found */
	struct aux_stats aux;
	uint64_t aux_peak;	/* full trace: most bytes waiting */
	struct top_pids pids;
};

/* One drain. */
struct ring_drain {
	enum drain_cause cause;
	uint64_t used;		/* bytes waiting; 0: no data, the drain only
				 * ends the interval */
	uint64_t size;		/* of the ring */
	uint64_t lost;		/* sum of the LOST records read */
	bool stopped;		/* rbtop was stopped since the previous drain */
	uint64_t now_ns;
};

/* Reset what counts since the counters were last read. */
void ring_stats_begin(struct ring_stats *s);

/*
 * Count a drain.  Bytes and records of @s must be up to date.  POLLIN returns
 * are counted elsewhere, when poll returns.
 */
void ring_stats_drain(struct ring_stats *s, const struct ring_drain *drain);

#endif
