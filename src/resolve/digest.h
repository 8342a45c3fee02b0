/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes records: side-band updates the process table; a sample is decoded,
 * named, counted in the hot table and listed in the feed; context switches are
 * listed but not counted.
 *
 * Called by the resolver thread; functions marked "any thread" may be called
 * concurrently by another thread.
 */
#ifndef RBTOP_RESOLVE_DIGEST_H
#define RBTOP_RESOLVE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "resolve/resolver_thread.h"
#include "collect/drain/sample_queue.h"

struct digest;
struct sample_filter;

/* Takes ownership of what @opts says, unless it fails: NULL, out of memory. */
struct digest *digest_new(const struct resolver_thread_opts *opts);
void digest_free(struct digest *d);

/* Process a record; those of a session must come in the order of time. */
void digest_record(struct digest *d, const struct queued *head,
		   const void *record);

/*
 * The thread itself: take over what was requested; what was listed and counted
 * so far is dropped, and figures start again.
 */
void digest_clear(struct digest *d);
/* The same, and what records said of tasks: they start again. */
void digest_restart(struct digest *d);

/* Any thread: names are not waited for any more. */
void digest_stop(struct digest *d);

/* Side-band records before the next record were lost. */
void digest_resync(struct digest *d);

/*
 * Call between records: all records up to @seen_ns were processed, and @seconds
 * passed since the last call.  True if there is more background work to do.
 */
bool digest_pause(struct digest *d, uint64_t seen_ns, double seconds);

/* Any thread: replace the filter of the feed and own it; NULL: no filter. */
void digest_set_filter(struct digest *d, struct sample_filter *filter,
		       const char *text);
/* Any thread: a field to group by, "sys:name.field", "field" or "". */
void digest_set_field(struct digest *d, const char *field);
/* Any thread: reset the counts of the hot table. */
void digest_reset(struct digest *d);
/*
 * Any thread, one at a time: update @out, except for the figures of the queues;
 * what it points to is valid until the next call.  Recent weights decay by
 * @seconds.
 */
void digest_read(struct digest *d, double seconds, struct samples *out);

/*
 * Sorts records of many rings by time: each is held until no ring can have an
 * earlier one.
 *
 * The records of one ring are nearly in order, so each slot of the collector
 * has its own list, and only the first records of lists are compared.
 */

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
