/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of tasks and mappings from CPUs that are not watched: session.h. */
#ifndef RBTOP_PERF_SESSION_SESSION_ELSEWHERE_H
#define RBTOP_PERF_SESSION_SESSION_ELSEWHERE_H

#include "perf/session/session_state.h"

struct err;

/* Open and map @slot of such a CPU.  0, or -errno with @err. */
int session_elsewhere_open_slot(struct session *s, struct session_slot *slot,
				struct err *err);
/* Open all of them, up to the first failure, which is added to the notices. */
void session_elsewhere_open(struct session *s);

#endif
