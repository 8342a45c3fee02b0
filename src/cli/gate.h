/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --fail-on: conditions under which a batch run fails, for scripts and CI jobs
 * whose profile must not have holes.
 */
#ifndef RBTOP_CLI_GATE_H
#define RBTOP_CLI_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/ring_row.h"

struct err;
struct frame;
struct recorded;

/* Zeroed, it has no condition.  Plain data. */
struct gate {
	bool given;
	bool on_lost;		/* fails if more records than this were lost: */
	uint64_t lost_limit;
	double share_limit;	/* of all records, 0..1; negative: not given */
	unsigned int on;	/* bits of enum ring_warning */

	/* what was seen so far: */
	bool based;
	uint64_t lost_before;	/* when the first ring was seen */
	uint64_t lost;		/* since then; UNKNOWN */
	uint64_t records;	/* read; UNKNOWN */
	double worst;		/* lost by the ring that lost most; of other
				 * programs' rings a second */
	char where[64];		/* that ring, or "" */
	char remedy[256];	/* its advice; "" */
	unsigned int judged;	/* warnings that could have been seen */
	unsigned int seen;	/* of @on */
	char first[RING_WARNINGS][320]; /* where, and what it says */
};

/*
 * Add a condition: "lost", "lost>100", "lost>0.5%", or the name of a warning.
 * 0; or ERR_USAGE with @err.
 */
int gate_add(struct gate *gate, const char *text, struct err *err);
/*
 * Refuse conditions that cannot be evaluated: a share of the records of other
 * programs' rings (@host), and warnings that rbtop's own rings never have.  As
 * gate_add().
 */
int gate_check(const struct gate *gate, bool host, struct err *err);

/* Evaluate a tick; call it for every tick, including the last. */
void gate_see(struct gate *gate, const struct frame *frame);

/*
 * The same for the recording @path, which was read to its end: @counted, if
 * that could be done.  0; or -ENOTSUP with @err.
 */
int gate_see_recorded(struct gate *gate, const char *path,
		      const struct recorded *recorded, bool counted,
		      struct err *err);

/*
 * 1 if a condition is met: @err says which, where, and what would help, in one
 * line.  0 if none is.  -ENODATA with @err if losses are not known.
 */
int gate_judge(const struct gate *gate, struct err *err);

#endif
