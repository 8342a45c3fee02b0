/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session's rings while nobody changes them: rings are replaced and reopened
 * by other threads, which have to wait as long as the view is locked.
 */
#ifndef RBTOP_TRACE_FILE_RING_VIEW_H
#define RBTOP_TRACE_FILE_RING_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/pmu/auxtrace.h"
#include "perf/session/session.h"

struct err;

/* Plain data. */
struct ring_view {
	struct session *session;
	const struct session_ring **rings;
	size_t nr;
	bool *all;		/* for session_aux_hold(): true throughout */
	size_t nr_all;		/* at least as many as there can be rings */
};

/* List the rings that there are.  0 or -ENOMEM with @err. */
int ring_view_open(struct ring_view *view, struct session *session,
		   struct err *err);
void ring_view_close(struct ring_view *view);

/*
 * Until ring_view_unlock() what view->rings[i] points to stays as it is, and
 * no other call into the session returns: this thread makes none.  Nothing is
 * stopped.  0 or -errno with @err.
 */
int ring_view_lock(struct ring_view *view, struct err *err);
void ring_view_unlock(struct ring_view *view);

/*
 * Under which CPU and thread the AUX trace of a ring goes into a file, as perf
 * has it (auxtrace_mmap_params__set_idx() of tools/perf/util/auxtrace.c); -1:
 * none.
 */
void ring_view_place(const struct ring_view *view, size_t ring, int *cpu,
		     int *tid);
/* The same without a view: the CPU and the thread of a ring never change. */
void ring_place(const struct session *session, const struct session_ring *ring,
		int *cpu, int *tid);
/* The number of rings if all possible CPUs were online; never more. */
size_t ring_view_most(struct session *session);

/* What is remembered of a ring's trace.  Zeroed: nothing yet. */
struct ring_track {
	uint64_t owner;		/* id of the event: another one, another ring */
	struct auxtrace_track track;
};

/*
 * What is remembered of the ring that stands there now; of one that came anew,
 * nothing.
 */
struct auxtrace_track *ring_track_of(struct ring_track *track,
				     const struct session_ring *ring);

#endif
