/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that serves rings.  It can be pinned to CPUs.  It inherits the
 * realtime priority of its creator, and gives it up once it uses more CPU time
 * than struct cpu_budget allows.
 */
#ifndef RBTOP_COLLECT_THREAD_RING_THREAD_H
#define RBTOP_COLLECT_THREAD_RING_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sys.h"

/*
 * How much CPU time a realtime thread may use: 30 % of a CPU, over a sliding
 * second.  Beyond that, interactive threads are starved.  The thread counts its
 * own time: if realtime threads fill every CPU, no other thread runs.
 * Pure: time is an argument.
 */
#define CPU_BUDGET_SHARE 0.3
#define CPU_BUDGET_WINDOW_NS UINT64_C(1000000000)

enum { CPU_BUDGET_MARKS = 16 };	/* twice as many as the window has steps */

/* Zeroed before use. */
struct cpu_budget {
	struct {
		uint64_t now_ns, ran_ns;
	} marks[CPU_BUDGET_MARKS];
	unsigned int nr;	/* noted so far; the latest are kept */
};

/* Whether cpu_budget_note() is due at @now_ns (CLOCK_MONOTONIC). */
bool cpu_budget_due(const struct cpu_budget *b, uint64_t now_ns);
/*
 * Note that the thread has run for @ran_ns by @now_ns.  True if it used more
 * than its share since the latest mark that is at least a second old.
 */
bool cpu_budget_note(struct cpu_budget *b, uint64_t now_ns, uint64_t ran_ns);

/* All members except roam are zeroed before use. */
struct ring_thread {
	bool roam;		/* pinned only while it is realtime */
	pthread_t id;
	bool started;
	_Atomic bool fell_back;	/* from realtime, for good */
	/* used by the thread only */
	struct cpu_budget budget;
	bool realtime;
	cpu_set_t home;		/* its CPUs when it is no longer pinned */
};

/* Start @main(@arg).  0 or the errno of pthread_create(3). */
int ring_thread_start(struct ring_thread *t, void *(*main)(void *), void *arg);
/* Wait for its end; does nothing if it was not started. */
void ring_thread_join(struct ring_thread *t);
/* Pin it to @cpus.  Best effort; does nothing before ring_thread_start(). */
void ring_thread_pin(struct ring_thread *t, const int *cpus, size_t nr);

/* To be called first on the thread; @name as in pthread_setname_np(3). */
void ring_thread_begin(struct ring_thread *t, const char *name);
/* To be called on the thread after each piece of work. */
void ring_thread_keep_budget(struct ring_thread *t);
/* The same if more work waits: lets threads of the same priority run first. */
void ring_thread_rest(struct ring_thread *t);

/*
 * Detects that this process was stopped: by SIGSTOP or ^Z, in a debugger, in a
 * frozen cgroup.  These are not signals to handle.  But a thread that a timer
 * wakes sleeps no longer than the timer's interval, and the scheduler counts
 * how long it runs and waits for a CPU.  The rest of the time it was stopped.
 */
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
