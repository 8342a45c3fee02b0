/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings of the live source, in session and collector. */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_RING_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_RING_H

#include "source/session/session_source_state.h"

struct err;

/* "CPU 3", "thread 12" */
char *session_source_ring_label(struct session_source *ss, size_t ring,
				char *buf, size_t size);

/* The following are called under the lock.  0 or -errno with @err. */

/* Have the collector drain a ring; or drain new memory in its place. */
int session_source_ring_add(struct session_source *ss, size_t ring,
			    struct err *err);
int session_source_ring_replace(struct session_source *ss, size_t ring,
				const struct ring *memory,
				const struct session_event *owner,
				struct err *err);
/* Replace a ring by one of @bytes. */
int session_source_ring_swap(struct session_source *ss, size_t ring,
			     uint64_t bytes, struct err *err);
/*
 * A ring reports its losses with the next record that fits.  Losses that the
 * former memories of @ring did not report (they lost @lost in all, and reported
 * @told) will never be; they are added.
 */
void session_source_ring_unreported(struct session_source *ss, size_t ring,
				    uint64_t lost, uint64_t told);

/* Set rr->aux to the state of the AUX ring; rr->stats must be set. */
void session_source_fill_aux(struct session_source *ss, size_t ring, double now,
			     struct reading_ring *rr);
/* Stop tracing, read the head, and resume, while the caller waits. */
int session_source_read_aux(struct session_source *ss, size_t ring,
			    struct err *err);

#endif
