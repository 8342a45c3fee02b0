/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "frame_rig.h"

static void check_invariants(const struct frame *frame)
{
	for (size_t i = 0; i < frame->nr_rings; i++) {
		const struct ring_row *r = &frame->rings[i];
		uint64_t sum = 0;

		for (int type = 0; type < RECORD_TYPES; type++)
			sum += r->reads->stats.types[type];
		assert_int_equal(sum, r->reads->stats.records);
		assert_true(r->fill >= 0 && r->fill <= 1);
		assert_true(r->peak >= r->peak_tick && r->peak <= 1);
		assert_true(r->peak_tick >= r->fill);
		assert_true(r->used <= r->size);
		assert_true(r->bytes_per_s >= 0 && r->lost_per_s >= 0);
	}
}

TEST(test_first_frame)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	add_samples(ring, 1000);
	ring->stats.peak = 16384;
	rig->now.cpu = 3;
	frame = build(rig);
	check_invariants(frame);
	assert_int_equal(frame->tick, 0);
	assert_true(frame->interval == 0);
	assert_true(frame->time == 1700000000);
	assert_string_equal(frame->source, "sim");
	assert_string_equal(frame->rings[0].label, "CPU 0");
	assert_int_equal(frame->rings[0].reads->stats.records, 1000);
	assert_int_equal(frame->rings[0].bytes, 64000);
	assert_true(frame->rings[0].bytes_per_s == 0);
	assert_true(frame->rings[0].reads->records_per_s == 0);
	assert_true(frame->rings[0].events[1].samples_per_s == 0);
	assert_true(frame->rings[0].peak == 0.25);
	assert_true(isnan(frame->rings[0].reads->latency_p50));
	assert_true(frame->self.cpu == 0);
	assert_int_equal(frame->self.decode_every, 1);
	assert_false(frame->rings[0].advice.valid);
}

TEST(test_rates)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	add_samples(ring, 1000);
	build(rig);
	add_samples(ring, 500);
	ring->stats.wakeups += 4;
	ring->stats.own = 17;
	rig->now.cpu += 0.01;
	frame = tick(rig);
	check_invariants(frame);
	assert_int_equal(frame->tick, 1);
	assert_true(frame->interval == 0.5);
	assert_true(frame->rings[0].bytes_per_s == 64000);
	assert_true(frame->rings[0].reads->records_per_s == 1000);
	assert_true(frame->rings[0].wakeups_per_s == 8);
	assert_true(frame->rings[0].events[1].samples_per_s == 1000);
	assert_float_equal(frame->self.cpu, 0.02, 1e-9);
	assert_int_equal(frame->self.own_records, 17);
	frame = tick(rig);
	assert_true(frame->rings[0].bytes_per_s == 0);
	assert_true(history_at(&frame->rings[0].histories->rate, 0) == 0);
	assert_true(history_at(&frame->rings[0].histories->rate, 1) == 64000);
}

/*
 * Two readings at the same time, and a clock that goes back: no division by 0.
 */
TEST(test_no_time_between)
{
	struct rig *rig = *state;
	const struct frame *frame;

	build(rig);
	add_samples(&rig->now.rings[0], 10);
	frame = build(rig);
	assert_true(frame->rings[0].bytes_per_s == 0);
	rig->now.mono -= 5;
	add_samples(&rig->now.rings[0], 10);
	frame = build(rig);
	assert_true(frame->interval == 0);
	assert_true(frame->rings[0].bytes_per_s == 0);
}

TEST(test_new_ring_starts_at_rate_0)
{
	struct rig *rig = *state;
	const struct frame *frame;

	build(rig);
	add_rings(rig, 3);
	add_samples(&rig->now.rings[2], 5000);
	frame = tick(rig);
	assert_int_equal(frame->nr_rings, 3);
	assert_int_equal(frame->rings[2].reads->stats.records, 5000);
	assert_true(frame->rings[2].reads->records_per_s == 0);
	add_samples(&rig->now.rings[2], 5);
	frame = tick(rig);
	assert_true(frame->rings[2].reads->records_per_s == 10);
}

TEST(test_counters_that_fall_back)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	add_samples(ring, 1000);
	add_lost(ring, 50);
	build(rig);
	memset(&ring->stats, 0, sizeof(ring->stats));
	ring->row.head = ring->row.tail = 0;
	ring->row.events[1].count = ring->row.events[1].samples = 3;
	ring->row.events[1].lost = 0;
	frame = tick(rig);
	check_invariants(frame);
	assert_true(frame->rings[0].bytes_per_s == 0);
	assert_true(frame->rings[0].reads->records_per_s == 0);
	assert_true(frame->rings[0].lost_per_s == 0);
}

static void check_fill(struct rig *rig, uint64_t head, uint64_t tail,
		       uint64_t used)
{
	const struct frame *frame;

	rig->now.rings[0].row.head = head;
	rig->now.rings[0].row.tail = tail;
	frame = tick(rig);
	check_invariants(frame);
	assert_int_equal(frame->rings[0].used, used);
	assert_true(frame->rings[0].fill == (double)used / SIZE);
}

TEST(test_fill_of_torn_reads)
{
	struct rig *rig = *state;

	check_fill(rig, 1000, 1000, 0);
	check_fill(rig, 1000 + SIZE / 2, 1000, SIZE / 2);
	check_fill(rig, 1000 + SIZE, 1000, SIZE);
	check_fill(rig, 1000 + SIZE + 8, 1000, SIZE);
	check_fill(rig, 1000, 1008, 0);
}

TEST(test_ring_without_size)
{
	struct rig *rig = *state;
	const struct frame *frame;

	rig->now.rings[0].row.size = 0;
	rig->now.rings[0].row.head = 8;
	frame = build(rig);
	check_invariants(frame);
	assert_true(frame->rings[0].fill == 0);
	assert_true(frame->total.row.fill == 0);
}

static void check_crossing(struct rig *rig, uint64_t head, uint64_t next)
{
	rig->now.rings[0].row.head = head;
	assert_int_equal(tick(rig)->rings[0].next_crossing, next);
}

/* The kernel wakes when head - wakeup > watermark, strictly. */
TEST(test_next_crossing)
{
	struct rig *rig = *state;

	check_crossing(rig, 0, WATERMARK);
	check_crossing(rig, 8, WATERMARK);
	check_crossing(rig, WATERMARK, WATERMARK);
	check_crossing(rig, WATERMARK + 8, 2 * WATERMARK);
	check_crossing(rig, 10 * WATERMARK + 8, 11 * WATERMARK);
	rig->now.rings[0].row.watermark = 0;
	check_crossing(rig, 8, 0);
}

TEST(test_overwrite)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;
	const struct ring_row *r;

	ring->row.overwrite = true;
	ring->row.head = SIZE / 4;
	r = &build(rig)->rings[0];
	assert_true(r->fill == 0.25);
	assert_int_equal(r->head / SIZE, 0);
	assert_int_equal(r->next_crossing, 0);
	assert_int_equal(r->bytes, SIZE / 4);
	ring->row.head = 3 * SIZE + 8;
	frame = tick(rig);
	assert_true(isnan(frame->total.row.reads->records_per_s));
	r = &frame->rings[0];
	assert_true(r->fill == 1);
	assert_int_equal(r->used, SIZE);
	assert_int_equal(r->head / SIZE, 3);
	assert_true(r->bytes_per_s == 2 * (3 * SIZE + 8 - SIZE / 4));
	assert_true(isnan(r->reads->records_per_s));
	assert_false(r->advice.valid);
	ring->read = (struct ring_overwrite){
		.valid = true, .records = SIZE / 64, .lost = 40,
	};
	ring->row.head += 640;
	r = &tick(rig)->rings[0];
	assert_true(r->reads->records_per_s == 20);
	assert_int_equal(r->lost_reported, 40);
	assert_true(r->lost_per_s == 80);
}

/* Peaks come from drains, not from the fill at the time of a frame. */
TEST(test_peaks)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct ring_row *r;

	build(rig);
	ring->recent_peak = SIZE / 2;
	r = &tick(rig)->rings[0];
	assert_true(r->peak == 0.5);
	assert_true(r->peak_tick == 0.5);
	ring->recent_peak = SIZE / 4;
	r = &tick(rig)->rings[0];
	assert_true(r->peak == 0.5);
	assert_true(r->peak_tick == 0.25);
	assert_true(history_at(&r->histories->fill, 0) == 0.25);
	assert_true(history_at(&r->histories->fill, 1) == 0.5);
	ring->recent_peak = SIZE + 4096;
	assert_true(tick(rig)->rings[0].peak == 1);
}

TEST(test_peak_of_a_resized_ring)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct ring_row *r;

	ring->recent_peak = SIZE;
	build(rig);
	ring->row.size = 4 * SIZE;
	r = &tick(rig)->rings[0];	/* the peak may be of the old ring */
	assert_true(r->peak == 0);
	assert_true(r->peak_tick == 0);
	r = &tick(rig)->rings[0];
	assert_true(r->peak == 0.25);
}

TEST(test_pending)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct ring_row *r;

	build(rig);
	ring->row.events[1].lost = 70;
	ring->row.events[0].lost = 30;	/* also of the side-band */
	r = &tick(rig)->rings[0];
	assert_int_equal(r->lost, 100);
	assert_int_equal(r->lost_reported, 0);
	assert_int_equal(r->lost_pending, 100);
	assert_true(r->lost_per_s == 200);
	/* pending turns into reported: nothing was lost in this tick */
	ring->stats.lost = 100;
	r = &tick(rig)->rings[0];
	assert_int_equal(r->lost, 100);
	assert_int_equal(r->lost_reported, 100);
	assert_int_equal(r->lost_pending, 0);
	assert_true(r->lost_per_s == 0);
	/* the counts are older than the ring's report */
	ring->stats.lost = 160;
	r = &tick(rig)->rings[0];
	assert_int_equal(r->lost_pending, 0);
	assert_true(r->lost_per_s == 120);
	/* and catch up */
	ring->row.events[1].lost = 130;
	r = &tick(rig)->rings[0];
	assert_int_equal(r->lost_pending, 0);
	assert_true(r->lost_per_s == 0);
}

TEST(test_pending_unknown)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	ring->row.events[1].lost = UNKNOWN;
	ring->row.events[1].count = UNKNOWN;
	build(rig);
	ring->stats.lost = 10;
	frame = tick(rig);
	assert_true(frame->rings[0].lost_pending == UNKNOWN);
	assert_true(frame->total.row.lost_pending == UNKNOWN);
	assert_true(frame->rings[0].lost_per_s == 20);
	assert_true(frame->rings[0].events[1].count == UNKNOWN);
	/* Losses of an event that appears were not in this tick. */
	ring->row.events[1].lost = 5000;
	ring->row.events[1].count = 9000;
	frame = tick(rig);
	assert_int_equal(frame->rings[0].lost_pending, 4990);
	assert_true(frame->rings[0].lost_per_s == 0);
}

TEST(test_totals)
{
	struct rig *rig = *state;
	const struct ring_row *total;

	add_rings(rig, 3);
	build(rig);
	for (unsigned int i = 0; i < 3; i++) {
		struct reading_ring *ring = &rig->now.rings[i];

		add_samples(ring, 100 * (i + 1));
		add_lost(ring, i);
		ring->row.events[0].lost = 5;
		ring->stats.types[RECORD_THROTTLE] = 1;
		ring->stats.records++;
		ring->row.tail -= 4096;
		ring->recent_peak = 8192 * (i + 1);
		latency_add(&ring->stats.latency, 1000);
	}
	latency_add(&rig->now.rings[2].stats.latency, 1000000000);
	rig->now.rings[1].row.events[0].lost = UNKNOWN;
	check_invariants(tick(rig));
	total = &tick(rig)->total.row;
	assert_int_equal(total->reads->stats.types[RECORD_SAMPLE], 600);
	assert_int_equal(total->reads->stats.records, 606);
	assert_int_equal(total->reads->stats.types[RECORD_SAMPLE], 600);
	assert_int_equal(total->reads->stats.types[RECORD_LOST], 3);
	/* bytes read, and those waiting in each of the three */
	assert_int_equal(total->bytes, 600 * 64 + 3 * 4096);
	assert_int_equal(total->lost, 13);
	assert_int_equal(total->lost_reported, 3);
	assert_int_equal(total->lost_pending, 10);
	assert_int_equal(total->reads->stats.types[RECORD_THROTTLE], 3);
	assert_int_equal(total->size, 3 * SIZE);
	assert_int_equal(total->used, 3 * 4096);
	assert_true(total->fill == 1. / 16);
	assert_true(total->peak == 0.375);
	assert_float_equal(total->reads->latency_p50, 1024e-9, 1e-12);
	assert_float_equal(total->reads->latency_p99, 1, 1e-9);
}

/* Bytes waiting count as arrived: the time of a drain does not change rates. */
TEST(test_rates_count_what_waits)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct ring_row *r;

	add_samples(ring, 100);
	ring->row.head = ring->row.tail = ring->stats.bytes;
	build(rig);
	ring->row.head += 50 * ring->stats.bytes / 100;
	r = &tick(rig)->rings[0];
	/* a tick: 0.5 s */
	assert_float_equal(r->reads->records_per_s, 100, 1e-6);
	assert_float_equal(r->bytes_per_s, (double)ring->stats.bytes, 1e-6);
	assert_int_equal(r->bytes, ring->row.head);
	assert_int_equal(r->reads->stats.records, 100);
	/* drained, without new bytes */
	add_samples(ring, 50);
	ring->row.tail = ring->row.head;
	r = &tick(rig)->rings[0];
	assert_float_equal(r->reads->records_per_s, 0, 1e-6);
	assert_float_equal(r->bytes_per_s, 0, 1e-6);
	assert_int_equal(r->reads->stats.records, 150);
}

/* Crossings are counted even if the reader never drains. */
TEST(test_crossings_of_what_waits)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];

	ring->row.watermark = 1000;
	ring->stats.crossings = 7;
	ring->row.tail = 3500;
	ring->row.head = 5001;
	assert_int_equal(build(rig)->rings[0].crossings, 9);
	ring->row.overwrite = true;
	assert_int_equal(tick(rig)->rings[0].crossings, 5);
}

TEST(test_reset)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct ring_row *r;

	latency_add(&ring->stats.latency, 50000000);
	rig_drain(ring, DRAIN_TIMER, SIZE, 1000000000);
	rig_drain(ring, DRAIN_TIMER, SIZE, 3000000000);
	ring->recent_peak = SIZE;
	add_samples(ring, 1000);
	ring->stats.lost = 40;
	assert_true(build(rig)->reset == 0);
	frame_builder_reset(rig->builder);
	ring->stats.lost = 42;
	ring->stats.worst = (struct ring_interval){ 0 };
	latency_add(&ring->stats.latency, 1000);
	rig_drain(ring, DRAIN_TIMER, SIZE / 4, 3100000000);
	ring->recent_peak = SIZE / 4;
	r = &tick(rig)->rings[0];
	assert_true(r->peak == 0.25);
	assert_int_equal(r->reads->stats.peak, SIZE / 4);
	assert_int_equal(r->reads->stats.latency.count, 1);
	assert_true(r->reads->latency_p99 < 1.1e-6);
	assert_int_equal(r->reads->stats.fill[FILL_BUCKETS - 1], 0);
	assert_int_equal(r->reads->stats.fill[5], 1);
	assert_int_equal(r->reads->stats.worst.bytes, SIZE / 4);
	assert_int_equal(r->reads->stats.worst.ns, 100000000);
	assert_true(isnan(history_at(&r->histories->fill, 1)));
	/* totals continue */
	assert_int_equal(r->reads->stats.records, 1000);
	assert_int_equal(r->drains, 3);
	assert_int_equal(r->lost, 42);
	assert_int_equal(ring_row_lost_since(r), 2);
}

TEST(test_pids)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct ring_row *r;

	add_samples(ring, 100);
	top_pids_add(&ring->stats.pids, 7, 25);
	top_pids_add(&ring->stats.pids, 8, 75);
	ring->comms[0].pid = 8;
	memcpy(ring->comms[0].comm, "0123456789\x1b" "BCDEF", 16);
	ring->nr_comms = 1;
	r = &build(rig)->rings[0];
	assert_int_equal(r->reads->nr_pids, 2);
	assert_int_equal(r->reads->pids[0].pid, 8);
	assert_true(r->reads->pids[0].share == 0.75);
	assert_string_equal(r->reads->pids[0].comm, "0123456789?BCDE");
	assert_string_equal(r->reads->pids[1].comm, "");
}

TEST(test_labels)
{
	struct rig *rig = *state;
	const struct frame *frame;

	add_rings(rig, 3);
	rig->now.rings[1].row.cpu = -1;
	rig->now.rings[1].row.tid = 4242;
	rig->now.rings[2].row.cpu = -1;
	frame = build(rig);
	assert_string_equal(frame->rings[0].label, "CPU 0");
	assert_string_equal(frame->rings[1].label, "tid 4242");
	assert_string_equal(frame->rings[2].label, "ring 2");
}

TEST_GROUP(frame, .each_setup = set_up, .each_teardown = tear_down);
