/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records on their way from a reader thread to the resolver thread: a ring of
 * bytes with one writer and one reader, neither of which waits for the other.
 *
 * A quarter is reserved for the side-band, so that samples cannot displace it.
 */
#ifndef RBTOP_COLLECT_DRAIN_SAMPLE_QUEUE_H
#define RBTOP_COLLECT_DRAIN_SAMPLE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring;
struct sample_queue;

#define SAMPLE_QUEUE_MARK UINT32_MAX	/* as a tag */

/* The header of each record in the queue. */
struct queued {
	uint32_t size;		/* of the record, bytes; a multiple of 8 */
	uint32_t weight;	/* samples that it stands for; 0: side-band */
	uint32_t tag;		/* of its event, see struct collector_ring */
	uint32_t slot;		/* of the collector */
};

/*
 * @bytes is rounded up to a power of two, at least 4 KiB.  NULL when out of
 * memory.
 */
struct sample_queue *sample_queue_new(size_t bytes);
void sample_queue_free(struct sample_queue *q);

/*
 * The writer: copy the record at @position of @ring, where it may wrap.  False,
 * and counted, if there is no room (a sample leaves a quarter free).
 */
bool sample_queue_push(struct sample_queue *q, const struct queued *head,
		       const struct ring *ring, uint64_t position);

/*
 * The writer: a ring of @slot has been drained, and all of its records up to
 * @time are queued or left out.  The reader gets it as a record of one word,
 * see sample_queue_is_mark(); without room it is left out, and not counted.
 */
void sample_queue_mark(struct sample_queue *q, uint32_t slot, uint64_t time);

static inline bool sample_queue_is_mark(const struct queued *head)
{
	return head->tag == SAMPLE_QUEUE_MARK;
}

/* The writer: whether more than half of the memory waits for the reader. */
bool sample_queue_crowded(struct sample_queue *q);

/*
 * The reader: take the next record, aligned to 8, valid until the next call;
 * *@head: its header.  NULL if there is none.
 */
const void *sample_queue_pop(struct sample_queue *q, struct queued *head);

/* The reader: whether there is a record. */
bool sample_queue_waits(struct sample_queue *q);

/* Any thread, since the start: weight of samples, and records, not queued. */
uint64_t sample_queue_dropped(const struct sample_queue *q);
uint64_t sample_queue_side_band_lost(const struct sample_queue *q);
/* Any thread: how often sample_queue_crowded() has been true. */
uint64_t sample_queue_times_crowded(const struct sample_queue *q);

#endif
