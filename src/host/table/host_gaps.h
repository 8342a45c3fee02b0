/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a ring's owner leaves data waiting, as looks at intervals tell it:
 * between two looks it may have drained any number of times.
 */
#ifndef RBTOP_HOST_TABLE_HOST_GAPS_H
#define RBTOP_HOST_TABLE_HOST_GAPS_H

#include <stdbool.h>
#include <stdint.h>

/* Records that another size may have held. */
struct host_loss {
	uint64_t records;
	uint64_t bytes;		/* of those whose size can be told */
	bool unsized;		/* of some it cannot */
};

/* From one drain to the next, with the looks around it: at most so long. */
struct host_gap {
	double from, to;	/* when the looks were */
	unsigned int still;	/* looks that found the tail unmoved; 0: it
				 * moved between any two */
	uint64_t bytes;		/* that came, and were not lost */
	double burst;		/* bytes a second between two looks, highest;
				 * lost ones whose size can be told included */
	struct host_loss lost;	/* between its looks: in this gap at most */
	double in_one;		/* records of them, lost in one gap: likely */
};

/* What a few seconds of looks saw. */
struct host_span {
	double from, to;
	unsigned int looks;
	unsigned int losing;	/* of them that saw losses */
	unsigned int full;	/* of them that found the ring nearly full */
	unsigned int moved;	/* of them that found the tail moved */
	uint64_t came, taken;	/* bytes: written, drained */
	uint64_t room;		/* bytes that waited and came, of a ring at
				 * most, for each look that found it moved */
	struct host_loss lost;
	double in_one;		/* records of them, lost in one gap: the most
				 * that was seen, else the mean */
};

/* Zeroed: a ring that was looked at never. */
struct host_gaps {
	struct host_gap now;
	struct host_gap worst;	/* by what was lost in one, then by bytes */
	bool waiting;
	double waiting_since;	/* the first look that found what waits */
	bool due;
	double due_since;	/* the first look that found it due */
	double longest;		/* that data was seen to wait, seconds */
	struct host_span before, lately;	/* one after the other */
};

/* One look, and what came between the previous one and it. */
struct host_gap_look {
	double prev, mono;	/* when; the same at the first look */
	bool moved;		/* the tail has */
	uint64_t used;		/* bytes waiting now, and at the last look */
	uint64_t used_before;
	bool due;		/* the owner was woken, and not yet drained */
	bool full;		/* nearly */
	bool stopped;		/* the owner, now or at the last look: for how
				 * long data waits then is no matter of size */
	uint64_t bytes;
	uint64_t size;		/* of the ring */
	struct host_loss lost;
	uint64_t told;		/* records lost in one gap before, by a LOST
				 * record; 0: none is known */
	uint64_t pending;	/* records of them that were lost since the tail
				 * moved last, where it has */
};

void host_gaps_look(struct host_gaps *gaps, const struct host_gap_look *look);

/* Seconds for which data was seen to wait; 0: none waits. */
double host_gaps_undrained(const struct host_gaps *gaps, double mono);

/* Seconds since the owner was seen to be woken and not to have drained. */
double host_gaps_overdue(const struct host_gaps *gaps, double mono);

/*
 * Whether the owner drains a ring of @size, and yet it was nearly full, and
 * lost records, at most looks of the last seconds; which are summed up in @sum.
 * One whose gaps are long is so as well while its ring is by far too small.
 */
bool host_gaps_behind(const struct host_gaps *gaps, uint64_t size,
		      struct host_span *sum);

/* The longest and worst begin anew; what waits goes on waiting. */
void host_gaps_reset(struct host_gaps *gaps);

#endif
