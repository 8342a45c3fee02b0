/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The collector, its slots, and its threads; and the end of counting: all is
 * drained, the figures are final.
 */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_READERS_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_READERS_H

#include "source/session/session_source_state.h"

struct err;

int session_source_open_readers(struct session_source *ss, struct err *err);
/* Drops the capabilities that are not needed any more, too. */
int session_source_start_readers(struct session_source *ss, struct err *err);

/* Under the lock: disable, drain all, read all counts. */
void session_source_stop_locked(struct session_source *ss);
/* Not under the lock: the same, and decode the rest, finish what is written. */
void session_source_stop(struct session_source *ss);
/* The same because the target has ended: the front end should look. */
void session_source_stop_target(struct session_source *ss);

#endif
