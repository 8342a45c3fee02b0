/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts records of many rings by time: each is held until no ring can have an
 * earlier one.
 *
 * The records of one ring are nearly in order, so each slot of the collector
 * has its own list, and only the first records of lists are compared.
 */
#ifndef RBTOP_RESOLVE_RECORD_ORDER_H
#define RBTOP_RESOLVE_RECORD_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "collect/drain/sample_queue.h"

struct record_chunk;
struct record_list;

/* Copy of a record, with its head. */
struct held_record {
	uint64_t time;		/* ns; 0: unknown */
	struct held_record *before, *after;	/* of its slot */
	struct record_chunk *chunk;		/* memory that contains it */
	struct queued head;
	uint64_t record[];
};

/* Plain data; zeroed: empty. */
struct record_order {
	struct record_list *lists;	/* by slot */
	size_t lists_cap, heap_cap;
	uint32_t *heap;			/* heap of slots with records, the
					 * earliest on top */
	size_t nr;
	struct record_chunk *chunk;	/* memory for the next record */
	struct held_record *taken;	/* returned by the last
					 * record_order_take() */
	size_t bytes;			/* memory for records */
};

void record_order_free(struct record_order *o);

/*
 * Add a copy of @record, of @head->size bytes and with rbtop's own layout (see
 * record_time()), or of @time.  0 or -ENOMEM.
 */
int record_order_add(struct record_order *o, const struct queued *head,
		     const void *record);
int record_order_add_at(struct record_order *o, const struct queued *head,
			const void *record, uint64_t time);

/*
 * Remove the earliest record if its time is before @before; it is valid until
 * the next call.  With equal times in a slot, the first added comes first.
 * NULL if there is none.
 */
const struct held_record *record_order_take(struct record_order *o,
					    uint64_t before);

#endif
