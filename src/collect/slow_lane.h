/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that reads the kernel's counts of events.  A read(2) of an event
 * that runs on another CPU interrupts that CPU (about 20 us), so neither drains
 * nor frames do it: frames get the latest values, and their age.
 */
#ifndef RBTOP_COLLECT_SLOW_LANE_H
#define RBTOP_COLLECT_SLOW_LANE_H

#include <stddef.h>

#include "perf/session/session.h"

struct err;
struct slow_lane;

/*
 * For every ring of @session (borrowed), to be read once per @interval seconds.
 * NULL with @err.
 */
struct slow_lane *slow_lane_new(struct session *session, double interval,
				struct err *err);
/* Start the thread.  0 or -errno with @err. */
int slow_lane_start(struct slow_lane *lane, struct err *err);

/* Read all rings now, on the calling thread. */
void slow_lane_refresh(struct slow_lane *lane);

/*
 * Copy the latest values of the first @nr events of @ring, UNKNOWN for those
 * not read yet; *@age: seconds since they were read.
 */
void slow_lane_read(struct slow_lane *lane, size_t ring,
		    struct session_count *counts, size_t nr, double *age);

/* Stop and join.  NULL is fine. */
void slow_lane_free(struct slow_lane *lane);

#endif
