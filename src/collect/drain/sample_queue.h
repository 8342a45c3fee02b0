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

/*
 * Choose which samples of a ring are decoded: all while their rate is within
 * the budget, else one picked at random from every block of k, which stands for
 * k.  (Every k-th would miss whatever alternates with period k.)
 *
 * k depends neither on what is in a block nor on which sample was picked from
 * it, so each sample has the same chance as its neighbours and sums of weights
 * are unbiased.  This also holds when a block is abandoned, which happens when
 * k falls below half of that block's.  Pure: time is an argument, and the
 * random generator is part of the sampler.
 */
enum { SAMPLER_MAX_K = 1 << 20 };

/* Plain data. */
struct sampler {
	uint64_t random;	/* the generator's state */
	double rate;		/* samples per second to decode; 0: none.  May
				 * be changed between passes */
	double share;		/* of the rate that fits into the queue, 0..1 */
	double arrived, window;	/* recent samples, in so many seconds */
	uint64_t last_ns;	/* when the last pass began */
	uint64_t halved_ns;	/* when the share was last halved */
	bool throttled;		/* since the last pass */
	uint32_t k;		/* of the current block */
	uint32_t next_k;	/* of the next block */
	uint32_t left;		/* samples left in the block */
	uint32_t pick;		/* samples before the picked one */
};

/* Start over with all samples (k is 1), for @rate samples per second. */
void sampler_init(struct sampler *s, uint64_t seed, double rate);

/*
 * Begin a pass over the ring at @now_ns, in which about @expected samples wait:
 * choose k for the blocks that begin in it.
 */
void sampler_pass(struct sampler *s, uint64_t now_ns, double expected);

/* Begin a block; called by sampler_pick() only. */
void sampler_block(struct sampler *s);

/*
 * Decide on the next sample: 0: leave it out, else how many it stands for.
 */
static inline uint32_t sampler_pick(struct sampler *s)
{
	if (s->left == 0)
		sampler_block(s);
	s->left--;
	return s->pick-- == 0 ? s->k : 0;
}

/* The queue was full: pick fewer from the next pass on, later more again. */
void sampler_throttle(struct sampler *s);

/* Recent samples per second. */
static inline double sampler_arrivals(const struct sampler *s)
{
	return s->arrived / s->window;
}

/*
 * Divide @budget among @nr rings with these @arrivals, all in samples per
 * second: rings below the returned level get what arrives, the others get the
 * level each.
 */
double sampler_level(double budget, const double *arrivals, size_t nr);

#endif
