/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the heads of AUX rings stand. */
#ifndef RBTOP_SOURCE_SESSION_SOURCE_AUX_H
#define RBTOP_SOURCE_SESSION_SOURCE_AUX_H

#include "source/session_source_state.h"

struct err;

/* Under the lock: rr->aux of ring @i, whose stats are there. */
void session_source_fill_aux(struct session_source *ss, size_t i, double now,
			     struct reading_ring *rr);
/* Under the lock: stop, read, start, on behalf of the one who waits. */
int session_source_read_aux(struct session_source *ss, size_t ring,
			    struct err *err);

#endif
