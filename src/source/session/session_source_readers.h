/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The collector, its slots and threads; and the end of counting: all rings are
 * drained, and figures are final.
 */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_READERS_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_READERS_H

#include "source/session/session_source_state.h"

struct err;

int session_source_open_readers(struct session_source *ss, struct err *err);
/* Also drops capabilities that are no longer needed. */
int session_source_start_readers(struct session_source *ss, struct err *err);

/* Under the lock: disable the events, drain all rings, read all counts. */
void session_source_stop_locked(struct session_source *ss);
/* Not under the lock: the same, then decode the rest and finish files. */
void session_source_stop(struct session_source *ss);
/* The same after the target has ended; also wakes the front end. */
void session_source_stop_target(struct session_source *ss);

#endif
