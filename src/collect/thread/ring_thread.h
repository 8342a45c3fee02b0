/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that serves rings.  It can be pinned to CPUs.  It inherits the
 * realtime priority of its creator, and gives it up once it uses more CPU time
 * than cpu_budget.h allows.
 */
#ifndef RBTOP_COLLECT_THREAD_RING_THREAD_H
#define RBTOP_COLLECT_THREAD_RING_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "collect/thread/cpu_budget.h"

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

#endif
