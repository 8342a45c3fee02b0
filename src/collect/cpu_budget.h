/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much CPU time a realtime thread may take: 30 % of a CPU, over a sliding
 * second.  Beyond that the threads that a person sees and types to do not get
 * their turn.  The thread itself keeps count, for where realtime threads fill
 * every CPU nobody else would get to do it.  Pure: time is an argument.
 */
#ifndef RBTOP_COLLECT_CPU_BUDGET_H
#define RBTOP_COLLECT_CPU_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#define CPU_BUDGET_SHARE 0.3
#define CPU_BUDGET_WINDOW_NS UINT64_C(1000000000)

enum { CPU_BUDGET_MARKS = 16 };	/* twice as many as the window has steps */

/* Zeroed: nothing was noted yet. */
struct cpu_budget {
	struct {
		uint64_t now_ns, ran_ns;
	} marks[CPU_BUDGET_MARKS];
	unsigned int nr;	/* noted so far; the latest are kept */
};

/* Whether it is time to note again, at @now_ns (CLOCK_MONOTONIC). */
bool cpu_budget_due(const struct cpu_budget *b, uint64_t now_ns);
/*
 * Note that the thread has run for @ran_ns by @now_ns.  True if it took more
 * than its share of the time since some moment at least a second ago, the
 * latest such that was noted.
 */
bool cpu_budget_note(struct cpu_budget *b, uint64_t now_ns, uint64_t ran_ns);

#endif
