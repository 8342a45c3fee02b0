/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session in plain memory: rings and AUX rings that a test fills.  The
 * program that it is linked into has these functions in place of those of
 * perf/session/session.h.  A call while the session is held fails the test; the
 * real session would never return.
 */
#ifndef RBTOP_TESTS_FAKE_SESSION_H
#define RBTOP_TESTS_FAKE_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "perf/session/session.h"

enum { RIG_RINGS = 3 };

struct session {
	struct session_ring rings[RIG_RINGS];
	struct session_event events[RIG_RINGS][2];
	size_t nr;
	struct perf_event_attr attr;
	struct target_map map;
	bool has_aux;
	bool held, stopped;
	bool skipped[RIG_RINGS];	/* at the last hold */
	unsigned int holds;		/* that stopped something */
	bool paused;			/* every ring, by a person */
	int output_off;			/* rings that were while it is held */
	int refuse;			/* what the next such one fails with */
	void (*on_hold)(struct session *s);	/* once stopped */
	void (*on_release)(struct session *s);	/* before it goes on */
};

#endif
