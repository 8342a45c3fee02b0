/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that reads what the kernel counted of each event.  A read(2) of
 * an event that runs on another CPU interrupts that CPU (about 20 us), so
 * neither the drain nor the frame does it: they get the latest values, and
 * how old these are.
 */
#ifndef RBTOP_COLLECT_SLOW_LANE_H
#define RBTOP_COLLECT_SLOW_LANE_H

#include <stddef.h>

#include "perf/session/session.h"

struct err;
struct slow_lane;

/* Read every ring of @session once per @interval seconds.  NULL with @err. */
struct slow_lane *slow_lane_new(struct session *session, double interval,
				struct err *err);
int slow_lane_start(struct slow_lane *lane, struct err *err);

/* Read all rings now, on the calling thread; back when it is done. */
void slow_lane_refresh(struct slow_lane *lane);

/*
 * The latest values of @ring's events, UNKNOWN for those not read
 * yet, and in *@age the seconds since.  At most @nr of them.
 */
void slow_lane_read(struct slow_lane *lane, size_t ring,
		    struct session_count *counts, size_t nr, double *age);

/* Stop and join.  NULL is fine. */
void slow_lane_free(struct slow_lane *lane);

#endif
