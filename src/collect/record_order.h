/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of many rings put in the order of their times: held until no ring
 * can bring an earlier one.
 */
#ifndef RBTOP_COLLECT_RECORD_ORDER_H
#define RBTOP_COLLECT_RECORD_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "collect/sample_queue.h"

/* A copy of a record, which follows. */
struct held_record {
	uint64_t time;		/* ns; 0: it does not say */
	uint64_t serial;	/* equal times: the first that came */
	struct queued head;
	uint64_t record[];
};

/* A binary heap.  Plain data; zeroed it is empty. */
struct record_order {
	struct held_record **heap;
	size_t nr, room;
	uint64_t serial;
	size_t bytes;		/* of the records held */
};

void record_order_free(struct record_order *o);

/* Hold a copy of @record, of @head->size bytes.  0 or -ENOMEM. */
int record_order_add(struct record_order *o, const struct queued *head,
		     const void *record);

/*
 * Take the earliest record out if its time is before @before; the caller frees
 * it.  NULL where there is none.
 */
struct held_record *record_order_take(struct record_order *o,
				      uint64_t before);

#endif
