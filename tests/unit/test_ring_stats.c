/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "ring/ring_stats.h"

static void drain(struct ring_stats *s, enum drain_cause cause, uint64_t used,
		  uint64_t size, uint64_t now_ns)
{
	ring_stats_drain(s, &(struct ring_drain){
		.cause = cause, .used = used, .size = size, .now_ns = now_ns,
	});
}

TEST(test_counts_by_cause)
{
	struct ring_stats s = { 0 };

	drain(&s, DRAIN_WAKEUP, 100, 4096, 1000);
	drain(&s, DRAIN_TIMER, 100, 4096, 2000);
	drain(&s, DRAIN_FINAL, 100, 4096, 3000);
	assert_int_equal(s.drains, 3);
	assert_int_equal(s.timer_drains, 1);
	assert_int_equal(s.wakeups, 0);
}

TEST(test_fill_and_peak)
{
	struct ring_stats s = { 0 };

	drain(&s, DRAIN_TIMER, 8, 4096, 1);
	drain(&s, DRAIN_TIMER, 2048, 4096, 2);
	drain(&s, DRAIN_TIMER, 4095, 4096, 3);
	drain(&s, DRAIN_TIMER, 4096, 4096, 4);
	drain(&s, DRAIN_TIMER, 16, 4096, 5);
	assert_int_equal(s.peak, 4096);
	assert_int_equal(s.fill[0], 2);
	assert_int_equal(s.fill[10], 1);
	assert_int_equal(s.fill[19], 2);
}

TEST(test_fill_of_a_huge_ring)
{
	struct ring_stats s = { 0 };

	drain(&s, DRAIN_TIMER, 1ULL << 62, 1ULL << 63, 1);
	assert_int_equal(s.fill[10], 1);
	/* impossible, but it must not divide by 0 */
	drain(&s, DRAIN_TIMER, 5, 0, 2);
	assert_int_equal(s.fill[19], 1);
}

TEST(test_worst_interval)
{
	struct ring_stats s = { 0 };

	drain(&s, DRAIN_TIMER, 4000, 4096, 1000000);
	assert_int_equal(s.worst.bytes, 0);	/* no start of the interval */
	drain(&s, DRAIN_WAKEUP, 64, 4096, 9000000);
	drain(&s, DRAIN_WAKEUP, 128, 4096, 9500000);
	drain(&s, DRAIN_WAKEUP, 8, 4096, 19500000);
	assert_int_equal(s.worst.bytes, 128);
	assert_int_equal(s.worst.ns, 500000);
	assert_int_equal(s.last_drain_ns, 19500000);
	/* a clock that goes back */
	drain(&s, DRAIN_WAKEUP, 4096, 4096, 18000000);
	assert_int_equal(s.worst.bytes, 128);
}

/* Losses are reported with the first record that fits again. */
TEST(test_losses_belong_to_the_interval_before)
{
	struct ring_stats s = { .bytes = 5600, .records = 100 };

	drain(&s, DRAIN_TIMER, 64, 4096, 1000000);
	drain(&s, DRAIN_WAKEUP, 4096, 4096, 3000000);
	ring_stats_drain(&s, &(struct ring_drain){
		.cause = DRAIN_WAKEUP, .used = 64, .size = 4096, .lost = 10,
		.now_ns = 3100000,
	});
	assert_int_equal(s.worst.bytes, 4096 + 560);
	assert_int_equal(s.worst.ns, 2000000);
}

/* Nothing loses 1000 records in 1 us: the drain at 3 ms took some time. */
TEST(test_a_slow_drain)
{
	struct ring_stats s = { .bytes = 5600, .records = 100 };

	drain(&s, DRAIN_TIMER, 64, 4096, 2999000);
	drain(&s, DRAIN_WAKEUP, 4096, 4096, 3000000);
	assert_int_equal(s.worst.ns, 1000);
	ring_stats_drain(&s, &(struct ring_drain){
		.cause = DRAIN_WAKEUP, .used = 64, .size = 4096, .lost = 1000,
		.now_ns = 8100000,
	});
	assert_int_equal(s.worst.bytes, 4096 + 56000);
	assert_int_equal(s.worst.ns, 5101000);
	assert_int_equal(s.lossiest.ns, 5101000);
}

/*
 * Late by 2 ms, then a pass over an empty ring: the LOST record found by the
 * third pass belongs to the 2 ms.  The interval with most losses is kept until
 * it is read.
 */
TEST(test_the_lossiest_interval)
{
	struct ring_stats s = { .bytes = 5600, .records = 100 };
	struct ring_drain lossy = {
		.cause = DRAIN_WAKEUP, .used = 64, .size = 4096, .lost = 10,
	};

	drain(&s, DRAIN_TIMER, 64, 4096, 1000000);
	drain(&s, DRAIN_WAKEUP, 4096, 4096, 3000000);
	drain(&s, DRAIN_TIMER, 0, 4096, 3073000);
	lossy.now_ns = 3146000;
	ring_stats_drain(&s, &lossy);
	assert_int_equal(s.lossiest.ns, 2000000);
	assert_int_equal(s.lossiest.lost, 10);
	assert_int_equal(s.worst.ns, 2000000);
	assert_int_equal(s.worst.bytes, 4096 + 560);
	lossy.lost = 3;
	lossy.now_ns = 4000000;
	ring_stats_drain(&s, &lossy);
	assert_int_equal(s.lossiest.lost, 10);
	ring_stats_begin(&s);
	assert_int_equal(s.lossiest.ns, 0);
	assert_int_equal(s.worst.bytes, 0);
	assert_int_equal(s.recent_used, 0);
	/* another record of the same interval: 3 were lost at 3146000 */
	lossy.lost = 1;
	lossy.now_ns = 4001000;
	ring_stats_drain(&s, &lossy);
	assert_int_equal(s.lossiest.ns, 4000000 - 3146000);
}

/* The delay of a stopped reader is not counted. */
TEST(test_a_stop_is_no_worst_interval)
{
	struct ring_stats s = { .bytes = 5600, .records = 100 };

	drain(&s, DRAIN_TIMER, 64, 4096, 1000000);
	drain(&s, DRAIN_WAKEUP, 128, 4096, 2000000);
	ring_stats_drain(&s, &(struct ring_drain){
		.cause = DRAIN_TIMER, .used = 4096, .size = 4096,
		.stopped = true, .now_ns = 4000000000,
	});
	ring_stats_drain(&s, &(struct ring_drain){
		.cause = DRAIN_WAKEUP, .used = 64, .size = 4096, .lost = 10,
		.now_ns = 4000100000,
	});
	assert_int_equal(s.worst.bytes, 128);
	assert_int_equal(s.recent_used, 128);
	assert_int_equal(s.peak, 4096);
	assert_int_equal(s.lossiest.lost, 10);
	assert_true(s.lossiest.stopped);
}

/* A pass that finds nothing ends an interval: nothing was late. */
TEST(test_empty_pass)
{
	struct ring_stats s = { 0 };

	drain(&s, DRAIN_TIMER, 8, 4096, 1000);
	drain(&s, DRAIN_TIMER, 0, 4096, 9000);
	drain(&s, DRAIN_TIMER, 8, 4096, 9500);
	assert_int_equal(s.worst.bytes, 8);
	assert_int_equal(s.worst.ns, 500);
	assert_int_equal(s.drains, 2);
	assert_int_equal(s.timer_drains, 2);
	assert_int_equal(s.fill[0], 2);
}

TEST(test_aux_records)
{
	const uint64_t full = PERF_AUX_FLAG_TRUNCATED;
	const uint64_t all = full | PERF_AUX_FLAG_OVERWRITE |
			     PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION;
	struct aux_stats s = { 0 };

	ring_stats_aux_record(&s, 4096, 100, full, 11);
	ring_stats_aux_record(&s, 512, 200, all | 0x100, 12);
	assert_int_equal(s.records, 2);
	assert_int_equal(s.bytes, 300);
	assert_int_equal(s.truncated, 2);
	assert_int_equal(s.overwrite, 1);
	assert_int_equal(s.partial, 1);
	assert_int_equal(s.collision, 1);
	assert_int_equal(s.wraps, 1);
	assert_int_equal(s.last_end, 512);
	assert_int_equal(s.last_time, 12);
	/*
	 * in full trace an offset is where trace starts; that of another event
	 * is 0
	 */
	ring_stats_aux_record(&s, 0, 1, 0, 13);
	assert_int_equal(s.wraps, 1);
	assert_int_equal(s.last_end, 0);
}

TEST_GROUP(ring_stats);
