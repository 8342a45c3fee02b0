/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps the ids in records to the session's events and their rings.  Ids of
 * events that were closed are kept, since records with them may still be
 * written.
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
	size_t spec;		/* SESSION_SIDE_BAND: the side-band event */
	uint32_t ring;
	int cpu, tid;		/* -1: all */
};

/* Zeroed: empty.  Entries are only added, and keep their order. */
struct event_ids {
	struct event_id *ids;
	size_t nr, room;
	struct table by_id;	/* indices of ids */
};

/* Add the session's present ids.  0 or -errno with @err. */
int event_ids_refresh(struct event_ids *ids, struct session *session,
		      struct err *err);
/* NULL if the session has no such id. */
const struct event_id *event_ids_find(const struct event_ids *ids,
				      uint64_t id);
void event_ids_free(struct event_ids *ids);

#endif
