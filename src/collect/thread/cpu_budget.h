/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much CPU time a realtime thread may use: 30 % of a CPU, over a sliding
 * second.  Beyond that, interactive threads are starved.  The thread counts its
 * own time: if realtime threads fill every CPU, no other thread runs.
 * Pure: time is an argument.
 */
#ifndef RBTOP_COLLECT_THREAD_CPU_BUDGET_H
#define RBTOP_COLLECT_THREAD_CPU_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
