/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which samples of a ring are decoded: all while they come no faster than the
 * budget, else one picked at random from every block of k, which stands for k.
 * (Every k-th would be blind to whatever alternates with period k.)
 *
 * k never looks at what is in a block, nor at which sample was picked from it,
 * so each sample has the same chance as its neighbours and sums of weights are
 * unbiased; also where a block is broken off, which it is when k falls far
 * below that of a block begun in a storm.  Pure: time is an argument,
 * randomness is its own generator's.
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
	double share;		/* of the rate that the queue has room for */
	double arrived, window;	/* samples lately, in so many seconds */
	uint64_t last_ns;	/* when the last pass began */
	uint64_t halved_ns;	/* when the share last was */
	bool throttled;		/* since the last pass */
	uint32_t k;		/* of the block begun */
	uint32_t next_k;	/* of the next one */
	uint32_t left;		/* samples of the block still to come */
	uint32_t pick;		/* how many of them before the picked one */
};

void sampler_init(struct sampler *s, uint64_t seed, double rate);

/*
 * A pass over the ring begins at @now_ns, in which about @expected samples
 * wait: choose k for the blocks that begin in it.
 */
void sampler_pass(struct sampler *s, uint64_t now_ns, double expected);

/* Begin a block: for sampler_pick() alone. */
void sampler_block(struct sampler *s);

/*
 * The next sample: 0 to leave it out, else how many it stands for.
 */
static inline uint32_t sampler_pick(struct sampler *s)
{
	if (s->left == 0)
		sampler_block(s);
	s->left--;
	return s->pick-- == 0 ? s->k : 0;
}

/* The queue was full: fewer from the next pass on, and more again in time. */
void sampler_throttle(struct sampler *s);

/* Samples per second that came lately. */
static inline double sampler_arrivals(const struct sampler *s)
{
	return s->arrived / s->window;
}

/*
 * What each of @nr rings may have of @budget, when samples come at @arrivals:
 * those that bring less have what they bring, the others share the rest alike.
 */
double sampler_level(double budget, const double *arrivals, size_t nr);

#endif
