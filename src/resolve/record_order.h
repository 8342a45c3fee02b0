/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of many rings put in the order of their times: held until no ring
 * can bring an earlier one.
 *
 * Those of one ring come nearly in order, so each slot of the collector has a
 * list of its own, and only the first of each list are compared.
 */
#ifndef RBTOP_RESOLVE_RECORD_ORDER_H
#define RBTOP_RESOLVE_RECORD_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "collect/drain/sample_queue.h"

struct record_chunk;
struct record_list;

/* A copy of a record, which follows. */
struct held_record {
	uint64_t time;		/* ns; 0: it does not say */
	struct held_record *before, *after;	/* of its slot */
	struct record_chunk *chunk;		/* the memory it stands in */
	struct queued head;
	uint64_t record[];
};

/* Plain data; zeroed it is empty. */
struct record_order {
	struct record_list *lists;	/* by slot */
	size_t room_lists, room_heap;
	uint32_t *heap;			/* slots that hold records, that of
					 * the earliest first */
	size_t nr;
	struct record_chunk *chunk;	/* where the next record goes */
	struct held_record *taken;	/* by the last record_order_take() */
	size_t bytes;			/* of memory for records */
};

void record_order_free(struct record_order *o);

/* Hold a copy of @record, of @head->size bytes.  0 or -ENOMEM. */
int record_order_add(struct record_order *o, const struct queued *head,
		     const void *record);

/*
 * Take the earliest record out if its time is before @before; it lives until
 * the next call.  Of equal times in a slot the first that was added.  NULL
 * where there is none.
 */
const struct held_record *record_order_take(struct record_order *o,
					    uint64_t before);

#endif
