/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the events of a CPU or thread, and maps their ring.  0 or -errno with
 * @err.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_SLOT_OPEN_H
#define RBTOP_PERF_SESSION_SESSION_SLOT_OPEN_H

#include "perf/session/session_state.h"

struct err;

/* Open the owner and map its ring, and the AUX ring if it traces. */
int session_slot_open(struct session *s, struct session_slot *slot,
		      struct err *err);
/* Open the other events. */
int session_slot_fill(struct session *s, struct session_slot *slot,
		      struct err *err);

/* Open a dummy that can own a ring of @bytes; map the ring of an owner. */
int session_slot_open_side_band(struct session *s, struct session_place place,
				uint64_t bytes, struct session_event *event,
				struct err *err);
int session_slot_map(struct session *s, const struct session_event *owner,
		     int cpu, uint64_t bytes, struct ring *ring,
		     struct err *err);

#endif
