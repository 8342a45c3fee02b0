/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Now, on the clock of records, also where that cannot be read: then by what
 * records said of it when they were seen.  Too early by some ms then, so that
 * what is said to be over is; good for putting records in order, for no more.
 */
#ifndef RBTOP_COLLECT_RECORD_CLOCK_H
#define RBTOP_COLLECT_RECORD_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "perf/abi/perf_clock.h"

/* Any thread may use it. */
struct record_clock {
	struct perf_clock clock;
	_Atomic int64_t ahead;		/* of ours, ns; where it is unknown */
	_Atomic uint64_t learnt;	/* when, ns of ours; 0: not yet */
};

void record_clock_init(struct record_clock *c, const struct perf_clock *clock);
uint64_t record_clock_now(const struct record_clock *c);
/* A record has been seen that was written at @time (0: nobody knows). */
void record_clock_seen(struct record_clock *c, uint64_t time);

#endif
