/* SPDX-License-Identifier: GPL-2.0-or-later */
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
#ifndef RBTOP_COLLECT_DRAIN_SAMPLER_H
#define RBTOP_COLLECT_DRAIN_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
