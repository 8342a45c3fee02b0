/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that trace: their rings and their clock. */
#ifndef RBTOP_PERF_SESSION_SESSION_AUX_H
#define RBTOP_PERF_SESSION_SESSION_AUX_H

#include "perf/session/session_state.h"

struct err;

/*
 * Which event traces on @cpu (-1: on the CPUs that a thread comes to) and so
 * owns the ring there; SESSION_SIDE_BAND where none does.
 */
size_t session_aux_spec(const struct session *s, int cpu);
/* Map the AUX ring beside the slot's ring, where such an event owns it. */
int session_aux_map(const struct session *s, struct session_slot *slot,
		    struct err *err);
/* Find out how the clock is read that records have without a clockid. */
void session_aux_open_clock(struct session *s);

#endif
