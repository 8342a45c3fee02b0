/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detects that this process was stopped: by SIGSTOP or ^Z, in a debugger, in a
 * frozen cgroup.  None of these can be caught.  But a thread that is woken by a
 * timer sleeps no longer than the interval of the timer, and the scheduler
 * counts how long it runs and waits for a CPU.  The rest of the time it was
 * stopped.
 */
#ifndef RBTOP_COLLECT_THREAD_STOP_WATCH_H
#define RBTOP_COLLECT_THREAD_STOP_WATCH_H

#include <stdint.h>

#include "base/sys.h"

struct stop_watch {
	int fd;			/* see sys_open_thread_times(); < 0: stops are
				 * not detected */
	uint64_t sleep_ns;	/* the longest that the thread sleeps */
	struct sys_thread_times base;	/* at the last look */
	uint64_t total_ns;	/* stopped so far */
};

/*
 * For the calling thread, which is woken by a timer every @interval seconds;
 * 0: it has no timer, and stops are not detected.
 */
void stop_watch_begin(struct stop_watch *watch, double interval);
void stop_watch_end(struct stop_watch *watch);
/*
 * Bring total_ns up to date.  Reads the clock, and the scheduler's counts only
 * if the last look was longer ago than the interval of the timer.
 */
void stop_watch_look(struct stop_watch *watch);
/* Reads the counts in any case: at every expiration of the timer. */
void stop_watch_tick(struct stop_watch *watch);

/*
 * The rule: how long a thread that sleeps at most @sleep_ns was stopped between
 * @from and @to; 0 if that is too short to be told from noise.
 */
uint64_t stop_watch_between(const struct sys_thread_times *from,
			    const struct sys_thread_times *to,
			    uint64_t sleep_ns);

#endif
