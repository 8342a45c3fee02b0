/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of a pass sorted by ring, and the previous rows of these rings
 * and their events.
 */
#ifndef RBTOP_HOST_TABLE_HOST_MATCH_H
#define RBTOP_HOST_TABLE_HOST_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "host/table/host_pass.h"
#include "host/table/host_rows.h"

/* Zeroed: of no pass. */
struct host_match {
	const struct host_pass *pass;	/* belongs to the caller */
	uint64_t number;	/* of the pass; copied to the rows that it
				 * found */
	/*
	 * Events and holders of ring i of the pass, as indices into the pass:
	 * events[event_from[i]] up to events[event_from[i + 1] - 1].
	 */
	uint32_t *events, *event_from;
	uint32_t *holders, *holder_from;
	size_t room_from, room_events, room_holders;
	struct table rings;	/* by key: indices into the pass */

	struct host_row_state **rows;	/* of ring i; NULL: no row yet */
	size_t room_rows;
	struct table by_key;	/* rows */
	struct table by_event;	/* indices into known */
	struct host_match_known *known;
	size_t nr_known, room_known;
};

/*
 * Match @pass, which has @number, with @rows; rows that it found get the
 * number.  Valid until the pass changes.  0 or -ENOMEM.
 */
int host_match_make(struct host_match *match, const struct host_rows *rows,
		    const struct host_pass *pass, uint64_t number);
void host_match_free(struct host_match *match);

/*
 * The event's entry before the pass, with its row in *@state; NULL: the event
 * is new.  Valid until an event is added to the row.
 */
struct host_event_entry *host_match_event(const struct host_match *match,
					  uint64_t id,
					  struct host_row_state **state);

#endif
