/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of the simulated kernel as a session, for code that copies and
 * saves rings; and its PMU that traces.  Independent of this machine.
 */
#ifndef RBTOP_SIM_SIM_SESSION_H
#define RBTOP_SIM_SIM_SESSION_H

#include <stdbool.h>

#include "trace/pmu/auxtrace.h"
#include "perf/session/session.h"

struct err;
struct sim;

struct sim_session {
	struct event_spec *specs;	/* sampling events, then the one that
					 * traces */
	struct session_opts opts;
	struct auxtrace trace;
	bool traces;
	struct session *session;
};

/* With all CPUs of @sim.  0, or -ENOMEM with @err; close it in any case. */
int sim_session_open(struct sim_session *s, struct sim *sim, struct err *err);
void sim_session_close(struct sim_session *s);

#endif
