/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshots that are taken without a request: at intervals
 * (--snapshot-every), and when a condition holds (--snapshot-on).
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
	 * Called before the snapshot of a condition is taken: that may have
	 * held before the thread was told that the events are enabled.
	 */
	void (*enable)(void *ctx);
	void *ctx;

	struct loop_source *every, *rearm;	/* timers */
	_Atomic double rearm_at;	/* CLOCK_MONOTONIC seconds; 0: the
					 * trigger is armed, or there is none */
};

/* Have @loop take them.  0 or -errno. */
int snapshot_schedule_add_sources(struct snapshot_schedule *s,
				  struct loop *loop);
/*
 * Arm the trigger, if there is one.  Do so before the events are enabled: what
 * the first records tell counts too.
 */
void snapshot_schedule_arm(struct snapshot_schedule *s);
/* The first interval begins. */
void snapshot_schedule_start(struct snapshot_schedule *s);
/* No more intervals, and the trigger stays as it is. */
void snapshot_schedule_stop(struct snapshot_schedule *s);
/* Seconds until the trigger is armed again; 0: it is.  Any thread. */
double snapshot_schedule_cooldown(const struct snapshot_schedule *s);

#endif
