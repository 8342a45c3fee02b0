/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The current time on the clock of the records.  If that clock cannot be read,
 * it is estimated from the times of records when they are seen.  The estimate
 * is some ms too early, never too late; use it only to order records.
 */
#ifndef RBTOP_COLLECT_RECORD_CLOCK_H
#define RBTOP_COLLECT_RECORD_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "perf/abi/perf_clock.h"

/* Any thread may use it. */
struct record_clock {
	struct perf_clock clock;
	_Atomic int64_t ahead;		/* of our clock, ns; if unknown */
	_Atomic uint64_t learnt;	/* when, ns of our clock; 0: not yet */
};

void record_clock_init(struct record_clock *c, const struct perf_clock *clock);
/* ns */
uint64_t record_clock_now(const struct record_clock *c);
/* Learn from a record just seen, of time @time (0: unknown, ignored). */
void record_clock_seen(struct record_clock *c, uint64_t time);

#endif
