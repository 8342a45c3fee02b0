/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdlib.h>

#include "collect/drain/sample_queue.h"

#define PER_SECOND 1000000.0	/* samples per second */

static const unsigned int ks[] = { 2, 4, 16, 100 };

enum { KS = sizeof(ks) / sizeof(ks[0]), SEEDS = 10, PICKS = 40000 };

/* The weights of a stream of two symbols. */
struct estimate {
	double first;		/* weight of the first symbol */
	double all;
	double samples;		/* in total */
	double truly_first;
	unsigned int most_k;
};

/* Whether sample @i is of the first symbol. */
typedef bool stream_fn(uint64_t i);

static bool alternating(uint64_t i)
{
	return i % 2;
}

static bool three_in_ten(uint64_t i)
{
	/* pseudo-random, but the same each time */
	return (uint32_t)((i + 1) * 0x9e3779b97f4a7c15 >> 32) % 10 < 3;
}

/* Long runs of one symbol, then of the other: symbols come in phases. */
static bool in_phases(uint64_t i)
{
	return i / 777 % 3 == 0;
}

static double share(const struct estimate *e)
{
	return e->first / e->all;
}

static void pass(struct sampler *s, stream_fn *stream, unsigned int samples,
		 uint64_t *now_ns, struct estimate *e)
{
	*now_ns += (uint64_t)(samples * 1e9 / PER_SECOND);
	sampler_pass(s, *now_ns, samples);
	for (unsigned int i = 0; i < samples; i++) {
		bool first = stream((uint64_t)e->samples);
		uint32_t weight = sampler_pick(s);

		e->samples++;
		e->truly_first += first;
		e->all += weight;
		e->first += first ? weight : 0;
		if (s->k > e->most_k)
			e->most_k = s->k;
	}
}

/*
 * Passes of 1 to 5000 samples, until about PICKS were picked.  With @changing,
 * k changes all the time by a factor of up to 8.
 */
static struct estimate run(stream_fn *stream, unsigned int k, bool changing,
			   uint64_t seed)
{
	double rate = PER_SECOND / k * 1.0001;
	struct estimate e = { 0 };
	struct sampler s;
	uint64_t now_ns = 1, sizes = seed;

	sampler_init(&s, seed, rate);
	s.arrived = PER_SECOND * s.window;	/* as in a steady state */
	s.last_ns = now_ns;
	while (e.samples < (double)PICKS * k) {
		sizes = sizes * 6364136223846793005 + 1442695040888963407;
		if (changing)
			s.rate = rate * (double)(1 + (sizes >> 40) % 8);
		pass(&s, stream, 1 + (unsigned int)(sizes >> 33) % 5000,
		     &now_ns, &e);
	}
	return e;
}

static void check_stream(stream_fn *stream, bool changing)
{
	for (size_t i = 0; i < KS; i++) {
		double sum = 0, truth = 0, all = 0;

		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			struct estimate e = run(stream, ks[i], changing, seed);

			truth = e.truly_first / e.samples;
			assert_in_range(e.most_k, ks[i], ks[i] + 1);
			assert_true(fabs(share(&e) - truth) < 0.01);
			sum += share(&e);
			all += e.all / e.samples;
		}
		/* the rest is chance, which averages out over many runs */
		assert_true(fabs(sum / SEEDS - truth) < 0.0025);
		assert_true(fabs(all / SEEDS - 1) < 0.002);
	}
}

TEST(a_mix_of_two_keeps_its_shares)
{
	check_stream(three_in_ten, false);
	check_stream(three_in_ten, true);
}

TEST(an_alternating_stream_keeps_its_shares)
{
	check_stream(alternating, false);
	check_stream(alternating, true);
}

TEST(phases_keep_their_shares)
{
	check_stream(in_phases, false);
	check_stream(in_phases, true);
}

/* All positions within a block are equally likely. */
TEST(every_place_of_a_block_is_as_likely)
{
	enum { K = 10, BLOCKS = 100000 };
	unsigned int hits[K] = { 0 };
	struct sampler s;

	sampler_init(&s, 7, 1);
	s.next_k = K;
	for (int block = 0; block < BLOCKS; block++) {
		unsigned int picked = 0;

		for (int i = 0; i < K; i++) {
			uint32_t weight = sampler_pick(&s);

			assert_true(weight == 0 || weight == K);
			picked += weight == K;
			hits[i] += weight == K;
		}
		assert_int_equal(picked, 1);
	}
	for (int i = 0; i < K; i++)
		assert_in_range(hits[i], BLOCKS / K * 97 / 100,
				BLOCKS / K * 103 / 100);
}

TEST(all_are_taken_within_the_budget)
{
	struct estimate e = { 0 };
	uint64_t now_ns = 1;
	struct sampler s;

	sampler_init(&s, 1, PER_SECOND * 1.01);
	for (unsigned int i = 1; i < 1000; i++)
		pass(&s, alternating, i, &now_ns, &e);
	assert_int_equal(e.most_k, 1);
	assert_true(e.all >= e.samples);
	assert_true(e.all <= e.samples);
}

static uint64_t picks_of(struct sampler *s, unsigned int samples)
{
	uint64_t picks = 0;

	for (unsigned int i = 0; i < samples; i++)
		picks += sampler_pick(s) > 0;
	return picks;
}

TEST(a_storm_keeps_to_the_budget)
{
	uint64_t now_ns = 1, picks = 0, second = 0;
	struct sampler s;

	sampler_init(&s, 1, 20000);
	for (int ms = 0; ms < 10000; ms += 5) {
		now_ns += 5000000;
		sampler_pass(&s, now_ns, 5000);
		picks += picks_of(&s, 5000);
		if (ms == 995)
			second = picks;
	}
	assert_in_range(s.k, 50, 52);
	/* a storm is recognized within the first second */
	assert_in_range(second, 20000, 2 * 20000 + 5000);
	assert_in_range(picks - second, 9 * 19000, 9 * 20000);
}

TEST(a_burst_after_a_silence_is_thinned_at_once)
{
	uint64_t now_ns = 1;
	struct sampler s;

	sampler_init(&s, 1, 1000);
	sampler_pass(&s, now_ns, 0);
	now_ns += 3600ull * 1000000000;
	sampler_pass(&s, now_ns, 100000);
	assert_in_range(picks_of(&s, 100000), 200, 1000);
}

/*
 * k falls after a storm: otherwise the first sample after it would wait for a
 * whole block.
 */
TEST(a_storm_thins_nothing_after_it)
{
	uint64_t now_ns = 1;
	struct sampler s;

	sampler_init(&s, 1, 100);
	for (int i = 0; i < 100; i++) {
		now_ns += 10000000;
		sampler_pass(&s, now_ns, 100000);
		picks_of(&s, 100000);
	}
	assert_in_range(s.k, 90000, 110000);
	for (int i = 0; i < 100; i++) {
		now_ns += 100000000;
		sampler_pass(&s, now_ns, 0);
	}
	sampler_pass(&s, now_ns, 3);
	assert_int_equal(picks_of(&s, 3), 3);
}

TEST(a_full_queue_halves_and_time_mends)
{
	uint64_t now_ns = 1;
	struct sampler s;

	sampler_init(&s, 1, 1000);
	sampler_pass(&s, now_ns, 250);
	/* however often it is called: once per check of the outcome */
	for (int i = 0; i < 100; i++)
		sampler_throttle(&s);
	sampler_pass(&s, now_ns += 1000000000, 250);
	assert_true(s.share > 0.49 && s.share < 0.51);
	sampler_throttle(&s);
	sampler_pass(&s, now_ns += 1000, 0);
	assert_true(s.share > 0.49 && s.share < 0.51);
	for (int i = 0; i < 100; i++) {
		sampler_throttle(&s);
		sampler_pass(&s, now_ns += 1000000000, 250);
	}
	assert_true(s.share > 0);
	for (int i = 0; i < 10; i++)
		sampler_pass(&s, now_ns += 1000000000, 250);
	assert_true(s.share > 0.99);
}

TEST(a_rate_of_0_takes_none)
{
	struct sampler s;

	sampler_init(&s, 1, 0);
	sampler_pass(&s, 1, 100000);
	assert_int_equal(picks_of(&s, 100000), 0);
}

TEST(time_that_goes_back_does_no_harm)
{
	struct sampler s;

	sampler_init(&s, 1, 1000);
	sampler_pass(&s, 5000000000, 10);
	sampler_pass(&s, 1, 10);
	sampler_pass(&s, 2, 1e18);
	assert_int_equal(s.next_k, SAMPLER_MAX_K);
	assert_true(sampler_arrivals(&s) > 0);
}

static bool is(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

TEST(quiet_rings_leave_the_budget_to_the_others)
{
	const double quiet[] = { 10, 20, 30, 40 };
	const double one_busy[] = { 10, 1e6, 20, 70 };
	const double all_busy[] = { 1e6, 2e6, 3e6, 4e6 };
	const double steps[] = { 100, 200, 300, 5000 };

	assert_true(is(sampler_level(1000, quiet, 4), 1000));
	assert_true(is(sampler_level(1000, one_busy, 4), 900));
	assert_true(is(sampler_level(1000, all_busy, 4), 250));
	/* 100 + 200 + 300 + 400 */
	assert_true(is(sampler_level(1000, steps, 4), 400));
	/* 100 + 3 * 166.67 */
	assert_true(is(sampler_level(600, steps, 4), 500.0 / 3));
	assert_true(is(sampler_level(1000, NULL, 0), 1000));
}

TEST_GROUP(sampler);
