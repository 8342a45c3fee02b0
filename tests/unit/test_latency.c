/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>

#include "ring/ring_stats.h"

TEST(test_bounds_meet)
{
	uint64_t low, high, last = 0;

	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		latency_bounds(i, &low, &high);
		assert_int_equal(low, last);
		assert_true(high > low);
		last = high;
	}
	assert_true(last == UINT64_MAX);
	latency_bounds(0, &low, &high);
	assert_int_equal(high, 288);
	latency_bounds(8, &low, &high);
	assert_int_equal(low, 512);
	assert_int_equal(high, 576);
}

static void check_bucket(uint64_t ns)
{
	struct latency l = { 0 };
	uint64_t low, high;

	latency_add(&l, ns);
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++) {
		latency_bounds(i, &low, &high);
		assert_int_equal(l.buckets[i], ns >= low && ns < high);
	}
	assert_int_equal(l.count, 1);
	assert_int_equal(l.max_ns, ns);
}

TEST(test_add_hits_its_bucket)
{
	check_bucket(0);
	check_bucket(255);
	check_bucket(287);
	check_bucket(288);
	check_bucket(511);
	check_bucket(512);
	check_bucket(1000000);
	check_bucket((1ULL << 35) - 1);
	check_bucket(1ULL << 35);
	check_bucket(UINT64_MAX - 1);
}

TEST(test_percentile)
{
	struct latency l = { 0 };

	assert_true(isnan(latency_percentile(&l, 0.5)));
	for (int i = 0; i < 99; i++)
		latency_add(&l, 1000);	/* in [960, 1024) */
	latency_add(&l, 5000000);
	assert_float_equal(latency_percentile(&l, 0.5), 1024e-9, 1e-12);
	assert_float_equal(latency_percentile(&l, 0.99), 1024e-9, 1e-12);
	assert_float_equal(latency_percentile(&l, 1), 5e-3, 1e-9);
	assert_float_equal(latency_percentile(&l, 0), 1024e-9, 1e-12);
}

TEST(test_percentile_is_not_above_the_maximum)
{
	struct latency l = { 0 };

	latency_add(&l, 1000);
	assert_float_equal(latency_percentile(&l, 0.5), 1000e-9, 1e-12);
	latency_add(&l, 100000000000ULL);	/* 100 s, beyond the last */
	assert_float_equal(latency_percentile(&l, 1), 100, 1e-6);
}

TEST(test_full_bucket_stays_full)
{
	struct latency l = { 0 }, other = { 0 };

	l.buckets[0] = UINT32_MAX;
	latency_add(&l, 0);
	assert_int_equal(l.buckets[0], UINT32_MAX);
	other.buckets[0] = 7;
	other.count = 7;
	latency_merge(&l, &other);
	assert_int_equal(l.buckets[0], UINT32_MAX);
}

TEST(test_merge)
{
	struct latency a = { 0 }, b = { 0 };

	latency_add(&a, 1000);
	latency_add(&b, 1000);
	latency_add(&b, 9000);
	latency_merge(&a, &b);
	assert_int_equal(a.count, 3);
	assert_int_equal(a.max_ns, 9000);
	assert_float_equal(latency_percentile(&a, 0.6), 1024e-9, 1e-12);
}

TEST(test_since)
{
	struct latency base = { 0 }, now, out;

	latency_add(&base, 1000000);
	now = base;
	latency_since(&now, &base, &out);
	assert_int_equal(out.count, 0);
	assert_int_equal(out.max_ns, 0);
	latency_add(&now, 1000);
	latency_since(&now, &base, &out);
	assert_int_equal(out.count, 1);
	assert_int_equal(out.max_ns, 1024);	/* its bucket's bound */
	latency_add(&now, 2000000);
	latency_since(&now, &base, &out);
	assert_int_equal(out.count, 2);
	assert_int_equal(out.max_ns, 2000000);	/* a new maximum: exact */
	/* a counter that decreased */
	latency_since(&base, &now, &out);
	assert_int_equal(out.count, 0);
}

TEST_GROUP(latency);
