/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times of the kernel's clock as times of the wall clock, and back.
 *
 * Records have times of the kernel's clock: CLOCK_MONOTONIC, or perf's own
 * clock where a PMU forbids that.  It is never set, and stands still while the
 * machine is suspended.  Ticks and the log have Unix time.
 *
 * Both clocks are read at each tick.  While they advance alike, the latest
 * difference is used, which follows the drift of perf's own clock.  A larger
 * change means that the wall clock was set, or that the machine was suspended:
 * then the new difference is used for what came after the tick before, and the
 * old one for what is older.  So a time is shown as the wall clock showed it at
 * that moment, and does not change when the clock is set; times go back only
 * where the wall clock itself did.
 *
 * Pure.
 */
#ifndef RBTOP_BASE_TIMES_H
#define RBTOP_BASE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps that are remembered; of older ones the difference is that of the oldest
 * one known. */
enum { TIMES_SPANS = 16 };

/* Plain data; zeroed: nothing is known, and the clocks count alike. */
struct times {
	struct {
		uint64_t from;		/* kernel time of the first */
		int64_t ahead;		/* wall clock - kernel's clock, ns */
	} spans[TIMES_SPANS];
	unsigned int nr;
	uint64_t last;			/* kernel time of the last reading */
	bool elapsed;			/* see times_begin() */
};

/* Unix time in ns; 0 if it is none.  Exact to a fraction of a microsecond. */
uint64_t times_ns(double seconds);

/* Note that the clocks showed @kernel and @wall (ns since 1970) at once. */
void times_read(struct times *t, uint64_t kernel, uint64_t wall);

/*
 * Of a recording the date is not known: in place of Unix times it has those
 * since @start, a time of its clock, and they are shown as "00:01:02".
 */
void times_begin(struct times *t, uint64_t start);

/* The Unix time in ns at the kernel time @kernel. */
uint64_t times_wall(const struct times *t, uint64_t kernel);
/*
 * The kernel time at the Unix time @wall, ns: the later one if the wall clock
 * was set back and showed it twice, that of the step if it skipped it.
 */
uint64_t times_kernel(const struct times *t, uint64_t wall);

/* The clock that times are shown by. */
enum times_clock {
	TIMES_WALL,		/* local time of day, "22:13:20" */
	TIMES_KERNEL,		/* seconds, "5123.000" */
};

/*
 * Write a kernel time, or a Unix time, by @clock with that many decimals of
 * seconds, truncated (0 to 9); "-" if it has no time of day.  Returns @buf.
 */
char *times_text(const struct times *t, enum times_clock clock,
		 uint64_t kernel, unsigned int decimals, char *buf,
		 size_t size);
char *times_unix_text(const struct times *t, enum times_clock clock,
		      double seconds, unsigned int decimals, char *buf,
		      size_t size);

#endif
