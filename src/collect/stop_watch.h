/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notices that this process stood stopped: by SIGSTOP or ^Z, in a debugger, in
 * a frozen cgroup.  None of those can be caught.  But a thread that a timer
 * wakes sleeps no longer than the timer's interval; it runs, or waits for a
 * CPU, and the scheduler counts both.  The time that is left over is a stop.
 */
#ifndef RBTOP_COLLECT_STOP_WATCH_H
#define RBTOP_COLLECT_STOP_WATCH_H

#include <stdint.h>

#include "base/sys.h"

struct stop_watch {
	int fd;			/* see sys_open_thread_times(); < 0: nothing is
				 * noticed */
	uint64_t sleep_ns;	/* the longest that the thread sleeps */
	struct sys_thread_times base;	/* at the last look */
	uint64_t total_ns;	/* stopped so far */
};

/*
 * For the calling thread, which a timer wakes every @interval seconds; of one
 * that has none (0) nothing is known.
 */
void stop_watch_begin(struct stop_watch *watch, double interval);
void stop_watch_end(struct stop_watch *watch);
/*
 * Have total_ns up to date.  Reads the clock, and asks the scheduler only when
 * the last time was longer ago than a timer's interval.
 */
void stop_watch_look(struct stop_watch *watch);
/* Ask in any case, at every expiration of the timer. */
void stop_watch_tick(struct stop_watch *watch);

/*
 * The rule: how long a thread was stopped between @from and @to that sleeps at
 * most @sleep_ns in between; 0 for less than could be anything else.
 */
uint64_t stop_watch_between(const struct sys_thread_times *from,
			    const struct sys_thread_times *to,
			    uint64_t sleep_ns);

#endif
