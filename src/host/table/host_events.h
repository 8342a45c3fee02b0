/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that write to a row's ring. */
#ifndef RBTOP_HOST_TABLE_HOST_EVENTS_H
#define RBTOP_HOST_TABLE_HOST_EVENTS_H

#include "host/table/host_match.h"

/*
 * The events of ring @i of the pass are the row's.  Sets @came to what they did
 * since they were last seen.  0 or -ENOMEM.
 */
int host_events_take(const struct host_match *match,
		     struct host_row_state *state, size_t i,
		     struct host_came *came);

/* Once all rings were taken: the events of the pass that have no ring. */
void host_events_ringless(const struct host_match *match);
/* Then forget those that are no more, and those that went to other rows. */
void host_events_drop(const struct host_match *match,
		      const struct host_rows *rows);

/* Whether all events of the row were seen by the pass of that number. */
bool host_events_complete(const struct host_row_state *state, uint64_t pass);

/* The CPU, thread and name that the row gets of its events. */
void host_events_name(struct host_row_state *state);

#endif
