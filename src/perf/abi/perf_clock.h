/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the clock of the times in a session's records.
 *
 * This is CLOCK_MONOTONIC if the events ask for it (attr.clockid).  PMUs that
 * trace may forbid that (intel_pt, cs_etm); then records have perf's own clock,
 * which the user page of a hardware event converts from the CPU's counter
 * (perf_event_open(2), cap_user_time_zero).
 */
#ifndef RBTOP_PERF_ABI_PERF_CLOCK_H
#define RBTOP_PERF_ABI_PERF_CLOCK_H

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Plain data, copied; zeroed: CLOCK_MONOTONIC. */
struct perf_clock {
	const struct perf_event_mmap_page *page;	/* borrowed; NULL:
							 * CLOCK_MONOTONIC */
	bool unknown;	/* perf's clock, which cannot be read on this machine:
			 * perf_clock_now() is CLOCK_MONOTONIC, and differences
			 * to times of records have no meaning */
};

/* The clock of events without a clockid; @page, of one of them, is borrowed. */
struct perf_clock perf_clock_of(const struct perf_event_mmap_page *page);

/* Now, ns.  Any thread; takes tens of ns. */
uint64_t perf_clock_now(const struct perf_clock *clock);

/* The factors of struct perf_event_mmap_page, as PERF_RECORD_TIME_CONV and
 * AUXTRACE_INFO hold them. */
struct perf_time_conv {
	uint16_t time_shift;
	uint32_t time_mult;
	uint64_t time_zero;
	bool cap_user_time_zero;
	/* of 32-bit counters (cap_user_time_short), else 0 and all ones */
	uint64_t time_cycles, time_mask;
	bool cap_user_time_short;
};
/* A consistent copy (page->lock is a sequence count). */
struct perf_time_conv
perf_clock_conv(const struct perf_event_mmap_page *page);
/* The time in ns at which the value of the counter was @cycles. */
uint64_t perf_clock_at(const struct perf_time_conv *conv, uint64_t cycles);

/*
 * The current time on the clock of the records.  If that clock cannot be read,
 * it is estimated from the times of records when they are seen.  The estimate
 * is some ms too early, never too late; use it only to order records.
 * Any thread may use it.
 */
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
