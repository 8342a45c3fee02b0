/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a ring's owner leaves data waiting, estimated from readings at
 * intervals: between two readings it may drain any number of times.
 */
#ifndef RBTOP_HOST_TABLE_HOST_GAPS_H
#define RBTOP_HOST_TABLE_HOST_GAPS_H

#include <stdbool.h>
#include <stdint.h>

/* Lost records that another size might have held. */
struct host_loss {
	uint64_t records;
	uint64_t bytes;		/* of those with a known size */
	bool unsized;		/* the size of some is unknown */
};

/* From one drain to the next, with the readings around: an upper bound. */
struct host_gap {
	double from, to;	/* times of these readings */
	unsigned int still;	/* readings that found the tail unmoved; 0: it
				 * moved between all of them */
	uint64_t bytes;		/* written in that time; lost ones excluded */
	double burst;		/* highest rate between two readings, bytes per
				 * second, including lost records of known
				 * size */
	struct host_loss lost;	/* between its readings: an upper bound */
	double in_one;		/* records of lost.records that were probably
				 * lost in one gap */
};

/* Sums over a few seconds of readings. */
struct host_span {
	double from, to;
	unsigned int looks;
	unsigned int losing;	/* readings with losses */
	unsigned int full;	/* readings with the ring nearly full */
	unsigned int moved;	/* readings with the tail moved */
	uint64_t came, taken;	/* bytes written, bytes drained */
	uint64_t room;		/* bytes that waited or were written, at most
				 * the ring's size, summed over readings with
				 * the tail moved */
	struct host_loss lost;
	double in_one;		/* records lost in one gap: the highest number
				 * seen, else the mean */
};

/* Zeroed: no reading yet. */
struct host_gaps {
	struct host_gap now;
	struct host_gap worst;	/* by records lost in one gap, then by bytes */
	bool waiting;
	double waiting_since;	/* first reading that found the waiting data */
	bool due;
	double due_since;	/* first reading that found it due */
	double longest;		/* seconds that data was seen to wait */
	struct host_span before, lately;	/* consecutive spans */
};

/* A reading, and the increments since the previous one. */
struct host_gap_look {
	double prev, mono;	/* times; equal at the first reading */
	bool moved;		/* the tail has moved */
	uint64_t used;		/* bytes waiting now, and the time before */
	uint64_t used_before;
	bool due;		/* the owner was woken and has not drained
				 * since */
	bool full;		/* nearly full */
	bool stopped;		/* the owner was stopped, or its tail invalid,
				 * now or at the previous reading: the time that
				 * data waits does not depend on the size
				 * then */
	uint64_t bytes;
	uint64_t size;		/* of the ring */
	struct host_loss lost;
	uint64_t told;		/* records lost in an earlier gap, from a LOST
				 * record; 0: unknown */
	uint64_t pending;	/* records of lost.records lost since the last
				 * move of the tail, if it moved */
};

void host_gaps_look(struct host_gaps *gaps, const struct host_gap_look *look);

/* Seconds that data was seen to wait; 0: none waits. */
double host_gaps_undrained(const struct host_gaps *gaps, double mono);

/* Seconds since the owner was seen woken, without a drain since. */
double host_gaps_overdue(const struct host_gaps *gaps, double mono);

/*
 * Whether the owner drains a ring of @size that was yet nearly full, and lost
 * records, at most readings of the last seconds; these are summed in @sum.
 * Also true if the gaps are long and the ring is much too small.
 */
bool host_gaps_behind(const struct host_gaps *gaps, uint64_t size,
		      struct host_span *sum);

/* Reset the longest and worst gap; waiting data keeps its start time. */
void host_gaps_reset(struct host_gaps *gaps);

#endif
