/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a row: those that write to its ring. */
#ifndef RBTOP_HOST_TABLE_HOST_EVENTS_H
#define RBTOP_HOST_TABLE_HOST_EVENTS_H

#include "host/table/host_match.h"

/*
 * Make the events of ring @i of the pass those of the row.  Sets @came to their
 * increments since they were last seen.  0 or -ENOMEM.
 */
int host_events_take(const struct host_match *match,
		     struct host_row_state *state, size_t i,
		     struct host_came *came);

/* After all rings were taken: update events that have no ring. */
void host_events_ringless(const struct host_match *match);
/* After that, forget events that no longer exist or moved to other rows. */
void host_events_drop(const struct host_match *match,
		      const struct host_rows *rows);

/* Whether pass number @pass saw all events of the row. */
bool host_events_complete(const struct host_row_state *state, uint64_t pass);

/* Set the row's CPU, thread and name from its events. */
void host_events_name(struct host_row_state *state);

#endif
