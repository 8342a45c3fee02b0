/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which event of a session an id in a record names, and where that is counted.
 * Ids of events that were closed meanwhile stay known: records of theirs may
 * be kept still.
 */
#ifndef RBTOP_TRACE_FILE_EVENT_IDS_H
#define RBTOP_TRACE_FILE_EVENT_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

struct err;
struct session;

struct event_id {
	uint64_t id;
	size_t spec;		/* SESSION_SIDE_BAND: a dummy */
	uint32_t ring;
	int cpu, tid;		/* -1: all of them */
};

/* Zeroed: empty.  Only ever added to, in this order. */
struct event_ids {
	struct event_id *ids;
	size_t nr, room;
	struct table by_id;	/* indices of ids */
};

/* Add the ids that the session has now.  0 or -errno with @err. */
int event_ids_refresh(struct event_ids *ids, struct session *session,
		      struct err *err);
/* NULL where it is none of the session's. */
const struct event_id *event_ids_find(const struct event_ids *ids,
				      uint64_t id);
void event_ids_free(struct event_ids *ids);

#endif
