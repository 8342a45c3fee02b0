/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of tracepoints and of addresses: see session_filter(). */
#ifndef RBTOP_PERF_SESSION_SESSION_FILTER_H
#define RBTOP_PERF_SESSION_SESSION_FILTER_H

#include "perf/session/session_state.h"

struct err;

/* Set the session's filters on the events of @slot.  0 or -errno with @err. */
int session_filter_slot(struct session *s, struct session_slot *slot,
			struct err *err);

#endif
