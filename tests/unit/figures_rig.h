/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of rings whose figures are tested. */
#ifndef RBTOP_TESTS_UNIT_FIGURES_RIG_H
#define RBTOP_TESTS_UNIT_FIGURES_RIG_H

#include "tests/group.h"

#include <math.h>

#include "ring/figures.h"

/* Of the row that own() made last. */
static struct ring_reads reads;

static inline struct ring_row own(void)
{
	reads = (struct ring_reads){
		.records_per_s = 12345,
		.latency_p50 = 12e-6,
		.latency_p99 = NAN,
	};
	return (struct ring_row){
		.id = 3,
		.label = "CPU 3",
		.cpu = 3,
		.tid = -1,
		.pid = -1,
		.known = true,
		.size = 512 << 10,
		.used = 210 << 10,
		.fill = 0.41,
		.peak = 0.999,
		.bytes_per_s = 1.5 * (1 << 20),
		.lost = 1234,
		.lost_reported = 1000,
		.lost_pending = 234,
		.reads = &reads,
	};
}

/* Another program's. */
static inline struct ring_row foreign(void)
{
	return (struct ring_row){
		.id = 5,
		.label = "CPU 3",
		.cpu = 3,
		.tid = -1,
		.pid = 1234,
		.comm = "perf",
		.cmdline = "perf record",
		.user = "alice",
		.event = "cycles +2",
		.known = true,
		.size = 512 << 10,
		.watermark = 256 << 10,
		.fill = 0.41,
		.peak = 0.58,
		.bytes_per_s = 1.5 * (1 << 20),
		.wakeups_per_s = 12,
		.drains_per_s = 9,
		.undrained = 0.25, .run_wait = 0.5, .run_share = 0.25,
		.output_wait = 0.75,
		.worst_gap = 1.5,
		.advice = { .verdict = VERDICT_OK },
		.lost = 1234,
		.lost_pending = 34,
		.lost_per_s = 0,
		.aux = { .size = 1 << 20, .head = (5 << 20) + 2048,
			 .position = 2048 },
		.locked = 516 << 10,
	};
}

/* Of which /proc alone tells, and that not all. */
static inline struct ring_row unknown(void)
{
	return (struct ring_row){
		.id = 6,
		.cpu = -1,
		.tid = -1,
		.pid = -1,
		.watermark = UNKNOWN,
		.bytes = UNKNOWN,
		.fill = NAN,
		.peak = NAN,
		.bytes_per_s = NAN,
		.wakeups_per_s = NAN,
		.drains_per_s = NAN,
		.undrained = NAN, .run_wait = NAN, .run_share = NAN,
		.output_wait = NAN,
		.worst_gap = NAN,
		.lost = UNKNOWN,
		.lost_pending = UNKNOWN,
		.lost_per_s = NAN,
		.locked = UNKNOWN,
		.size = UNKNOWN,
	};
}

#endif
