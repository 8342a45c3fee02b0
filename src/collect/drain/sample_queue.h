/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records on their way from a reader thread to the resolver thread: copied
 * into a ring of bytes with one writer and one reader, neither of which ever
 * waits for the other.
 *
 * A part is kept free of samples, for the side-band must not be crowded out.
 */
#ifndef RBTOP_COLLECT_DRAIN_SAMPLE_QUEUE_H
#define RBTOP_COLLECT_DRAIN_SAMPLE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring;
struct sample_queue;

/* Before each record, in the queue. */
struct queued {
	uint32_t size;		/* of the record, bytes; a multiple of 8 */
	uint32_t weight;	/* samples that it stands for; 0: side-band */
	uint32_t tag;		/* of its event, see collector_ring */
	uint32_t slot;		/* of the collector */
};

/* @bytes is rounded up to a power of two.  NULL when out of memory. */
struct sample_queue *sample_queue_new(size_t bytes);
void sample_queue_free(struct sample_queue *q);

/*
 * The writer: copy the record at @position of @ring, which may wrap.  False
 * where there is no room (a sample leaves a quarter free).
 */
bool sample_queue_push(struct sample_queue *q, const struct queued *head,
		       const struct ring *ring, uint64_t position);

/* The writer: more than half of the memory waits for the reader. */
bool sample_queue_crowded(struct sample_queue *q);

/*
 * The reader: the next record, aligned to 8, which lives until the next call;
 * NULL where there is none.
 */
const void *sample_queue_pop(struct sample_queue *q, struct queued *head);

/* The reader: whether there is one. */
bool sample_queue_waits(struct sample_queue *q);

/* Any thread, since the start: what found no room. */
uint64_t sample_queue_dropped(const struct sample_queue *q); /* sample weight */
uint64_t sample_queue_side_band_lost(const struct sample_queue *q);

#endif
