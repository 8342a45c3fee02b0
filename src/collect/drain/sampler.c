/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/drain/sampler.h"

#include <math.h>

#include "base/random.h"

/*
 * Seconds over which arrivals are averaged: short, so that a burst after a
 * silence is thinned at once and forgotten a second later.
 */
#define WINDOW		0.25
#define MIN_SHARE	(1.0 / 64)
#define HALVE_EVERY	100000000	/* ns: a change takes effect so late */

void sampler_init(struct sampler *s, uint64_t seed, double rate)
{
	*s = (struct sampler){
		.random = seed,
		.rate = rate,
		.share = 1,
		.window = WINDOW,
		.k = 1,
		.next_k = 1,
	};
}

/* Halve the share while the queue is full, else double it per second. */
static void adjust_share(struct sampler *s, uint64_t now_ns, double seconds)
{
	if (!s->throttled) {
		s->share = fmin(s->share * (1 + seconds), 1);
	} else if (now_ns - s->halved_ns >= HALVE_EVERY) {
		s->share = fmax(s->share / 2, MIN_SHARE);
		s->halved_ns = now_ns;
	}
	s->throttled = false;
}

static uint32_t choose_k(const struct sampler *s)
{
	double k;

	if (s->rate <= 0)
		return 1;
	k = ceil(sampler_arrivals(s) / (s->rate * s->share));
	return k < 1 ? 1 : k > SAMPLER_MAX_K ? SAMPLER_MAX_K : (uint32_t)k;
}

void sampler_pass(struct sampler *s, uint64_t now_ns, double expected)
{
	double seconds, since, keep;

	if (!s->last_ns || now_ns < s->last_ns)
		s->last_ns = now_ns;
	since = (double)(now_ns - s->last_ns) / 1e9;
	s->last_ns = now_ns;
	/* limited: a long silence does not allow for a longer burst */
	seconds = fmin(since, WINDOW);
	keep = WINDOW / (WINDOW + seconds);
	s->arrived = s->arrived * keep + expected;
	s->window = s->window * keep + seconds;
	adjust_share(s, now_ns, since);
	s->next_k = choose_k(s);
	if (s->next_k < s->k / 2)
		s->left = 0;
}

void sampler_block(struct sampler *s)
{
	s->k = s->next_k;
	s->left = s->k;
	/* uniform in 0..k-1, as far as 32 random bits allow */
	s->pick = (uint32_t)((random_next(&s->random) >> 32) * s->k >> 32);
	if (s->rate <= 0)
		s->left = s->pick = UINT32_MAX;	/* ends before the pick */
}

void sampler_throttle(struct sampler *s)
{
	s->throttled = true;
}

double sampler_level(double budget, const double *arrivals, size_t nr)
{
	double level = nr ? budget / (double)nr : budget, before = -1;

	/* it only rises, until no more rings are below it: at most nr rounds */
	while (level > before) {
		double left = budget;
		size_t over = 0;

		for (size_t i = 0; i < nr; i++) {
			if (arrivals[i] > level)
				over++;
			else
				left -= arrivals[i];
		}
		if (!over)
			return budget;
		before = level;
		level = left / (double)over;
	}
	return level;
}
