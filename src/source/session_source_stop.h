/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of counting: all is drained, the figures are final. */
#ifndef RBTOP_SOURCE_SESSION_SOURCE_STOP_H
#define RBTOP_SOURCE_SESSION_SOURCE_STOP_H

#include "source/session_source_state.h"

/* Under the lock: disable, drain all, read all counts. */
void session_source_stop_locked(struct session_source *ss);
/* Not under the lock: the same, and decode the rest, finish what is written. */
void session_source_stop(struct session_source *ss);
/* The same because the target has ended: the front end should look. */
void session_source_stop_target(struct session_source *ss);

#endif
