/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings of the live source: what session and collector know of them. */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_RING_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_RING_H

#include "source/session/session_source_state.h"

struct err;

/* "CPU 3", "thread 12" */
char *session_source_ring_label(struct session_source *ss, size_t ring,
				char *buf, size_t size);

/* The rest is called under the lock.  0 or -errno with @err. */

/* Have the collector drain a ring; and another memory of it. */
int session_source_ring_add(struct session_source *ss, size_t ring,
			    struct err *err);
int session_source_ring_replace(struct session_source *ss, size_t ring,
				const struct ring *memory,
				const struct session_event *owner,
				struct err *err);
/* Put a ring of @bytes in the place of the present one. */
int session_source_ring_swap(struct session_source *ss, size_t ring,
			     uint64_t bytes, struct err *err);
/*
 * A ring tells of its losses with the next record that finds room.  What the
 * former ones of @ring did not tell (they lost @lost in all, and told of @told)
 * they never will.
 */
void session_source_ring_unreported(struct session_source *ss, size_t ring,
				    uint64_t lost, uint64_t told);

/* Where its AUX ring stands, into rr->aux, when rr->stats are there. */
void session_source_fill_aux(struct session_source *ss, size_t ring, double now,
			     struct reading_ring *rr);
/* Stop tracing, read the head, start, on behalf of the one who waits. */
int session_source_read_aux(struct session_source *ss, size_t ring,
			    struct err *err);

#endif
