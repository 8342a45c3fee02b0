/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass found, sorted by ring, and which rows those rings and their
 * events had before.
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
	const struct host_pass *pass;	/* of the caller */
	uint64_t number;	/* the pass': rows that it found have it */
	/*
	 * Of ring i of the pass the events and holders, as indices into the
	 * pass: events[event_from[i]] up to events[event_from[i + 1] - 1].
	 */
	uint32_t *events, *event_from;
	uint32_t *holders, *holder_from;
	size_t room_from, room_events, room_holders;
	struct table rings;	/* by key: indices into the pass */

	struct host_row_state **rows;	/* of ring i; NULL: it has none yet */
	size_t room_rows;
	struct table by_key;	/* rows */
	struct table by_event;	/* indices into known */
	struct host_match_known *known;
	size_t nr_known, room_known;
};

/*
 * The match of @pass, which has @number, with @rows; the rows that it found get
 * its number.  It is to be used before the pass changes.  0 or -ENOMEM.
 */
int host_match_make(struct host_match *match, const struct host_rows *rows,
		    const struct host_pass *pass, uint64_t number);
void host_match_free(struct host_match *match);

/*
 * The event as it was before the pass, and its row into *@state; NULL: it was
 * not.  Valid until the row gets another event.
 */
struct host_event_entry *host_match_event(const struct host_match *match,
					  uint64_t id,
					  struct host_row_state **state);

#endif
