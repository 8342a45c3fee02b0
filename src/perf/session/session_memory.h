/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session whose rings this process writes itself: those of a simulated
 * kernel.  It can be copied and saved like any other; it has no file
 * descriptors, and calls operations in place of the ioctls that stop tracing or
 * pause a ring's output.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_MEMORY_H
#define RBTOP_PERF_SESSION_SESSION_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "perf/session/session.h"

/*
 * What the kernel does for other sessions.  Called with the session locked:
 * they must not call into it.
 */
struct session_memory_ops {
	/*
	 * Enable or disable the events that trace into @ring; when disabled,
	 * the head is published on return.
	 */
	void (*trace)(void *ctx, size_t ring, bool on);
	/* PERF_EVENT_IOC_PAUSE_OUTPUT. */
	void (*pause)(void *ctx, size_t ring, bool on);
};

/*
 * A session of @opts without rings.  Its events are opts->events, with attr and
 * name unchanged.  Returns 0 with *@out, which session_close() frees, or
 * -ENOMEM with @err.
 */
int session_memory_open(const struct session_opts *opts,
			const struct session_memory_ops *ops, void *ctx,
			struct session **out, struct err *err);

/*
 * Add a copy of @ring.  The caller keeps its memory until the session is closed
 * or the ring replaced; the list of events is copied.  0 or -ENOMEM.
 */
int session_memory_add(struct session *s, const struct session_ring *ring);

/*
 * Replace the data ring of @ring by @memory.  Waits for a thread that copies
 * the old one, which is not used any more on return.
 */
void session_memory_replace(struct session *s, size_t ring,
			    const struct ring *memory);

#endif
