/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picture of one tick: what views draw and exports print.  Made from the
 * present reading and the previous one; immutable until the next is made.
 *
 * Units: bytes, records, seconds, ratios 0..1; see ring_row.h for what is
 * unknown.
 */
#ifndef RBTOP_RING_FRAME_FRAME_H
#define RBTOP_RING_FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/log.h"
#include "ring/reading.h"
#include "ring/ring_row.h"

struct host;

struct frame_self {
	double cpu;		/* share of one core over the tick */
	uint64_t rss;
	unsigned int decode_every;	/* k; 1 while every body is decoded */
	uint64_t own_records;
};

struct frame {
	const char *source;	/* "session", "sim" */
	const char *title;	/* what is watched: "system-wide: cpu-clock" */
	const char *notice;	/* what a person should know; "" */
	uint64_t tick;		/* counts from 0 */
	double time;		/* unix seconds */
	double interval;	/* seconds since the previous one, 0 at first */
	bool ended;		/* the target is gone; figures are final */
	uint64_t most_samples;	/* see struct reading */
	struct ring_row *rings;	/* rbtop's own */
	size_t nr_rings;
	struct ring_total total;	/* of them */
	struct frame_self self;
	const struct samples *samples;	/* NULL: none are looked at */
	const struct snapshots *snapshots; /* NULL: none can be taken */
	const struct host *host; /* all rings of the machine; NULL: they are
				 * not looked at */
	const struct log *log;
	uint64_t log_first;	/* serial of this tick's first entry, if any;
				 * the first tick with rates takes what was
				 * logged before it along */
};

struct frame_builder;

/* A builder that has seen no reading yet.  NULL when out of memory. */
struct frame_builder *frame_builder_new(void);
void frame_builder_free(struct frame_builder *b);

/*
 * The next frame.  It belongs to @b and lives until the next call.  Losses,
 * throttles, the reading's notes and a new @notice go to its log.  @source,
 * @title and @notice must outlive the frame.  NULL when out of memory.
 */
const struct frame *frame_build(struct frame_builder *b,
				const struct reading *now, const char *source,
				const char *title, const char *notice);

/*
 * Start peaks, histories, burst rates, latencies and fill histograms afresh
 * (key z): later frames count them from here.  Totals go on.
 */
void frame_builder_reset(struct frame_builder *b);

#endif
