/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a ring's owner leaves data waiting, as looks at intervals tell it:
 * between two looks it may have drained any number of times.
 */
#ifndef RBTOP_MODEL_HOST_GAPS_H
#define RBTOP_MODEL_HOST_GAPS_H

#include <stdbool.h>
#include <stdint.h>

/* From one drain to the next, with the looks around it: at most so long. */
struct host_gap {
	double from, to;	/* when the looks were */
	unsigned int still;	/* looks that found the tail unmoved; 0: it
				 * moved between any two */
	uint64_t bytes;		/* that came */
	double burst;		/* bytes a second between two looks, highest */
	/* Since the owner had cause to drain: */
	bool due;
	double due_from;	/* the look before */
	uint64_t backlog;	/* bytes that waited then */
	uint64_t lost;		/* records */
};

/* Zeroed: a ring that was looked at never. */
struct host_gaps {
	struct host_gap now;
	struct host_gap worst;	/* by the bytes a ring would have to hold */
	bool waiting;
	double waiting_since;	/* the first look that found what waits */
	bool due;
	double due_since;	/* the first look that found it due */
	double longest;		/* that data was seen to wait, seconds */
};

/* One look, and what came between the previous one and it. */
struct host_gap_look {
	double prev, mono;	/* when; the same at the first look */
	bool moved;		/* the tail has */
	uint64_t used;		/* bytes waiting now, and at the last look */
	uint64_t used_before;
	bool due;		/* the owner was woken, and not yet drained */
	uint64_t bytes;
	uint64_t lost;		/* records that another size may have held */
};

void host_gaps_look(struct host_gaps *gaps, const struct host_gap_look *look);

/* Seconds for which data was seen to wait; 0: none waits. */
double host_gaps_undrained(const struct host_gaps *gaps, double mono);

/* Seconds since the owner was seen to be woken and not to have drained. */
double host_gaps_overdue(const struct host_gaps *gaps, double mono);

/* Bytes that a ring would have to hold to get over it: at most. */
double host_gap_need(const struct host_gap *gap);

/* The longest and worst begin anew; what waits goes on waiting. */
void host_gaps_reset(struct host_gaps *gaps);

#endif
