/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots taken without a request: at intervals (--snapshot-every), and when
 * a condition is met (--snapshot-on).
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_SCHEDULE_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_SCHEDULE_H

#include "trace/snapshot/snapshot_taker.h"

struct loop;
struct loop_source;

struct snapshot_schedule {
	/* set by the owner; borrowed */
	const struct snapshot_opts *opts;
	struct snapshot_taker *taker;
	/*
	 * Called before the snapshot for a condition: the condition may be met
	 * before the thread is told that the events are enabled.
	 */
	void (*enable)(void *ctx);
	void *ctx;

	struct loop_source *every, *rearm;	/* timers */
	_Atomic double rearm_at;	/* CLOCK_MONOTONIC seconds; 0: armed, or
					 * no trigger */
};

/* Add timers and the trigger to @loop.  0 or -errno. */
int snapshot_schedule_add_sources(struct snapshot_schedule *s,
				  struct loop *loop);
/*
 * Arm the trigger, if any.  Call before the events are enabled, so that the
 * first records are checked as well.
 */
void snapshot_schedule_arm(struct snapshot_schedule *s);
/* Start the first interval. */
void snapshot_schedule_start(struct snapshot_schedule *s);
/* Stop the intervals; the trigger is not armed again. */
void snapshot_schedule_stop(struct snapshot_schedule *s);
/* Seconds until the trigger is armed again; 0: armed.  Any thread. */
double snapshot_schedule_cooldown(const struct snapshot_schedule *s);

#endif
