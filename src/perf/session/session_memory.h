/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session of rings that this process writes itself: a simulated kernel's.
 * What copies and saves rings takes it as it takes one of the kernel's; it has
 * no file descriptors, and where the kernel would be asked to stop tracing or
 * a ring's output, operations are called.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_MEMORY_H
#define RBTOP_PERF_SESSION_SESSION_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "perf/session/session.h"

/*
 * What the kernel does for a session of its own.  Called with the session
 * locked: they may not call into it.
 */
struct session_memory_ops {
	/* Let the events that trace into @ring go on, or stop them, with their
	 * head published on return. */
	void (*trace)(void *ctx, size_t ring, bool on);
	/* PERF_EVENT_IOC_PAUSE_OUTPUT. */
	void (*pause)(void *ctx, size_t ring, bool on);
};

/*
 * A session of @opts without a ring yet.  Its events are opts->events as they
 * stand there: attr and name.  Returns 0 with *@out, which session_close()
 * frees, or -ENOMEM with @err.
 */
int session_memory_open(const struct session_opts *opts,
			const struct session_memory_ops *ops, void *ctx,
			struct session **out, struct err *err);

/*
 * Add a ring, as @ring says: its memory stays the caller's, who keeps it until
 * the session is closed or the ring replaced; its list of events is copied.
 * 0 or -ENOMEM.
 */
int session_memory_add(struct session *s, const struct session_ring *ring);

/*
 * The data ring of @ring is @memory from now on.  Waits for who copies the old
 * one: on return nobody does any more.
 */
void session_memory_replace(struct session *s, size_t ring,
			    const struct ring *memory);

#endif
