/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that trace: their rings and their clock. */
#ifndef RBTOP_PERF_SESSION_SESSION_AUX_H
#define RBTOP_PERF_SESSION_SESSION_AUX_H

#include "perf/session/session_state.h"

struct err;

/*
 * The event that traces on @cpu (-1: for a thread, on any CPU) and so owns the
 * ring there; SESSION_SIDE_BAND if there is none.
 */
size_t session_aux_spec(const struct session *s, int cpu);
/*
 * Map the AUX ring of the slot's ring, if such an event owns it.  0 or -errno.
 */
int session_aux_map(const struct session *s, struct session_slot *slot,
		    struct err *err);
/* Find out how to read perf's clock, which records without a clockid have. */
void session_aux_open_clock(struct session *s);

#endif
