/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detects that this process was stopped: by SIGSTOP or ^Z, in a debugger, in a
 * frozen cgroup.  These are not signals to handle.  But a thread that a timer
 * wakes sleeps no longer than the timer's interval, and the scheduler counts
 * how long it runs and waits for a CPU.  The rest of the time it was stopped.
 */
#ifndef RBTOP_COLLECT_THREAD_STOP_WATCH_H
#define RBTOP_COLLECT_THREAD_STOP_WATCH_H

#include <stdint.h>

#include "base/sys.h"

struct stop_watch {
	int fd;			/* see sys_open_thread_times(); < 0: stops are
				 * not detected */
	uint64_t sleep_ns;	/* the longest that the thread sleeps */
	struct sys_thread_times base;	/* at the last reading */
	uint64_t total_ns;	/* stopped so far */
};

/*
 * For the calling thread, which is woken by a timer every @interval seconds;
 * 0: it has no timer, and stops are not detected.
 */
void stop_watch_begin(struct stop_watch *watch, double interval);
void stop_watch_end(struct stop_watch *watch);
/*
 * Update total_ns.  Reads the clock; reads the scheduler's counts only if the
 * last reading is older than the interval of the timer plus 0.25 s.
 */
void stop_watch_check(struct stop_watch *watch);
/* The same, always reading the counts: for each expiration of the timer. */
void stop_watch_tick(struct stop_watch *watch);

/*
 * How many ns a thread that sleeps at most @sleep_ns was stopped between @from
 * and @to; 0 if below 0.25 s, which cannot be distinguished from noise.
 */
uint64_t stop_watch_between(const struct sys_thread_times *from,
			    const struct sys_thread_times *to,
			    uint64_t sleep_ns);

#endif
