/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stable view of a session's rings: other threads replace and reopen rings,
 * but wait while the view is locked; and which events their records are of.
 */
#ifndef RBTOP_TRACE_FILE_RING_VIEW_H
#define RBTOP_TRACE_FILE_RING_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "perf/session/session.h"
#include "trace/pmu/auxtrace.h"

struct err;

/* Plain data. */
struct ring_view {
	struct session *session;
	const struct session_ring **rings;
	size_t nr;
	bool *all;		/* argument of session_aux_hold(): all true */
	size_t nr_all;		/* at least the largest possible number of
				 * rings */
};

/* List the present rings.  0 or -ENOMEM with @err. */
int ring_view_open(struct ring_view *view, struct session *session,
		   struct err *err);
void ring_view_close(struct ring_view *view);

/*
 * Until ring_view_unlock(), what view->rings[i] points to does not change and
 * other calls into the session block, so this thread must make none.  Tracing
 * is not stopped.  0 or -errno with @err.
 */
int ring_view_lock(struct ring_view *view, struct err *err);
void ring_view_unlock(struct ring_view *view);

/*
 * The CPU and thread with which a ring's AUX trace is written to a file, as in
 * perf (auxtrace_mmap_params__set_idx() of tools/perf/util/auxtrace.c); -1:
 * none.  They never change.
 */
void ring_place(const struct session *session, const struct session_ring *ring,
		int *cpu, int *tid);
/* An upper bound of the number of rings: all possible CPUs are online. */
size_t ring_view_max(struct session *session);

/* State of a ring's trace, kept between snapshots.  Zeroed: none yet. */
struct ring_track {
	uint64_t owner;		/* id of the event: another id, another ring */
	struct auxtrace_track track;
};

/*
 * The state of @ring; it is reset if the ring is not the one @track was kept
 * for.
 */
struct auxtrace_track *ring_track_of(struct ring_track *track,
				     const struct session_ring *ring);

struct event_id {
	uint64_t id;
	size_t spec;		/* SESSION_SIDE_BAND: the side-band event */
	uint32_t ring;
	int cpu, tid;		/* -1: all */
};

/*
 * The ids in records.  Those of events that were closed are kept, since records
 * with them may still be written.  Zeroed: empty.  Entries are only added, and
 * keep their order.
 */
struct event_ids {
	struct event_id *ids;
	size_t nr, room;
	struct table by_id;	/* indices of ids */
};

/* Add the session's present ids.  0 or -errno with @err. */
int event_ids_refresh(struct event_ids *ids, struct session *session,
		      struct err *err);
/* NULL if the session has no such id. */
const struct event_id *event_ids_find(const struct event_ids *ids,
				      uint64_t id);
void event_ids_free(struct event_ids *ids);

#endif
