/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of one tick: what views draw and exports print.  Made from the
 * present and the previous reading; immutable until the next is made.
 *
 * Units: bytes, records, seconds, ratios 0..1; see ring_row.h for unknown
 * values.
 */
#ifndef RBTOP_RING_FRAME_FRAME_H
#define RBTOP_RING_FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/times.h"
#include "ring/log.h"
#include "ring/reading.h"
#include "ring/ring_row.h"

struct host;

struct frame_self {
	double cpu;		/* share of one core over the tick */
	uint64_t rss;
	unsigned int decode_every;	/* 1: every body is decoded; k: one in
					 * k */
	uint64_t own_records;
};

struct frame {
	const char *source;	/* "session", "sim" */
	const char *title;	/* what is monitored: "system-wide:
				 * cpu-clock" */
	const char *notice;	/* a message for the user; "" */
	uint64_t tick;		/* counts from 0 */
	double time;		/* unix seconds; of a recording, since its
				 * start */
	struct times times;	/* of records and the log, by either clock */
	double interval;	/* seconds since the previous one; first: 0 */
	bool ended;		/* the target is gone; figures are final */
	struct event_rates rates;
	double reset;		/* unix seconds of the last reset; 0: none */
	struct ring_row *rings;	/* rbtop's own */
	size_t nr_rings;
	struct ring_total total;	/* sum of rings */
	struct frame_self self;
	const struct samples *samples;	/* NULL: samples are not collected */
	const struct snapshots *snapshots; /* NULL: the source has none */
	const struct playback *playback; /* NULL: not of a recording */
	const struct host *host; /* all rings of the machine; NULL: not
				  * watched */
	const struct log *log;
	uint64_t log_first;	/* serial of this tick's first entry, if any;
				 * the first tick with rates includes entries
				 * logged before it */
};

struct frame_builder;

/* A builder without a reading.  NULL when out of memory. */
struct frame_builder *frame_builder_new(void);
void frame_builder_free(struct frame_builder *b);

/*
 * Make the next frame.  It belongs to @b and lives until the next call.
 * Losses, throttles, the reading's notes and a new @notice go to its log.
 * @source, @title and @notice must outlive the frame.  NULL when out of memory.
 */
const struct frame *frame_build(struct frame_builder *b,
				const struct reading *now, const char *source,
				const char *title, const char *notice);

/*
 * Reset peaks, histories, burst rates, latencies and fill histograms, and what
 * was lost since (key z), from the next frame on.  Totals are kept.
 */
void frame_builder_reset(struct frame_builder *b);

/* The next reading is of before the last one: start afresh, but keep the log. */
void frame_builder_rewind(struct frame_builder *b);

/* What rings sum up to: see struct ring_total. */

/*
 * The total of no rings: sums are 0; what only a single ring has is unknown, as
 * is what none of rbtop's own has.
 */
void ring_total_begin(struct ring_total *total);

/*
 * Count a ring of any owner, and add what it has now.  Counters since the start,
 * and its AUX ring, are not added.
 */
void ring_total_add(struct ring_total *total, const struct ring_row *row);

/*
 * The total of the @nr rings, rbtop's own, and of what was read of them, in
 * @reads, which the total points to.
 */
void ring_total_own(struct ring_total *total, struct ring_reads *reads,
		    const struct ring_row *rings, size_t nr);

/*
 * Advice on -m for all @nr rings, as the total's; what perf record needs is
 * copied from it to each ring.
 */
void ring_total_advise(struct ring_total *total, struct ring_row *rings,
		       size_t nr, uint64_t page_size);

#endif
