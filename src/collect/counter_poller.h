/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that reads the kernel's counts of events.  A read(2) of an event
 * that runs on another CPU interrupts that CPU (about 20 us), so neither drains
 * nor frames do it: frames get the latest values, and their age.
 */
#ifndef RBTOP_COLLECT_COUNTER_POLLER_H
#define RBTOP_COLLECT_COUNTER_POLLER_H

#include <stddef.h>

#include "perf/session/session.h"

struct err;
struct counter_poller;

/*
 * For every ring of @session (borrowed), to be read once per @interval seconds.
 * NULL with @err.
 */
struct counter_poller *counter_poller_new(struct session *session,
					  double interval, struct err *err);
/* Start the thread.  0 or -errno with @err. */
int counter_poller_start(struct counter_poller *p, struct err *err);

/* Read all rings now, on the calling thread. */
void counter_poller_refresh(struct counter_poller *p);

/*
 * Copy the latest values of the first @nr events of @ring, UNKNOWN for those
 * not read yet; *@age: seconds since they were read.
 */
void counter_poller_read(struct counter_poller *p, size_t ring,
			 struct session_count *counts, size_t nr, double *age);

/* Stop and join.  NULL is fine. */
void counter_poller_free(struct counter_poller *p);

#endif
