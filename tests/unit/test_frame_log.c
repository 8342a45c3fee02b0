/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "frame_rig.h"
#include "ring/reading.h"
#include "samples/samples.h"

/* Texts of a frame: the advice and the log. */

static const char *last_entry(const struct frame *frame)
{
	size_t len = log_len(frame->log);

	return len ? log_at(frame->log, len - 1)->text : "";
}

/* The ring held 64 KiB, 8000 records of 64 bytes were lost: 564K in 0.2 s. */
TEST(test_advice_counts_what_was_lost)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct advice *advice;

	build(rig);
	add_samples(ring, 500);
	ring->row.events[1].lost = 8000;
	rig_drain(ring, DRAIN_TIMER, 64, 1000000000);
	rig_drain(ring, DRAIN_TIMER, SIZE, 1200000000);
	ring_stats_drain(&ring->stats, &(struct ring_drain){
		.cause = DRAIN_WAKEUP, .used = 64, .size = SIZE, .lost = 8000,
		.now_ns = 1200001000,
	});
	ring->recent_peak = SIZE;
	advice = &tick(rig)->rings[0].advice;
	assert_true(advice->valid);
	assert_float_equal(advice->worst_gap, 0.2, 1e-9);
	assert_float_equal(advice->burst_bytes_per_s,
			   (SIZE + 8000 * 64) / 0.2, 1);
	assert_true(advice->need - 2 * (SIZE + 8000 * 64) <= 2);
	assert_int_equal(advice->pages, 512);
	/* Grown, and nothing lost since: no further advice. */
	ring->row.size = 512 * 4096;
	ring->recent_peak = 0;
	tick(rig);
	ring->stats.worst = (struct ring_interval){
		.bytes = 2 * SIZE, .ns = 100000000,
	};
	ring->stats.recent_used = 600000;
	advice = &tick(rig)->rings[0].advice;
	assert_int_equal(advice->pages, 512);
	assert_memory_equal(advice->text, "fits", 4);
}

/* A ring that filled within 10 ms, which the tick's average hides. */
TEST(test_advice_sees_short_bursts)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct advice *advice;

	build(rig);
	add_samples(ring, 1000);
	rig_drain(ring, DRAIN_TIMER, 64, 1000000000);
	rig_drain(ring, DRAIN_TIMER, 60000, 1010000000);
	ring->recent_peak = 60000;
	advice = &tick(rig)->rings[0].advice;
	assert_float_equal(advice->burst_bytes_per_s, 6e6, 1);
	assert_memory_equal(advice->text, "grow to -m 32: peak 91%", 23);
}

/*
 * A long gap with a low rate and a short one with a high rate are not combined:
 * the gap with the most bytes counts.
 */
TEST(test_advice_takes_rate_and_gap_of_one_moment)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct advice *advice;

	build(rig);
	add_samples(ring, 16384);
	rig_drain(ring, DRAIN_TIMER, 64, 1000000000);
	rig_drain(ring, DRAIN_TIMER, 64, 3601000000000);
	rig_drain(ring, DRAIN_WAKEUP, 34000, 3601001000000);
	ring->recent_peak = 34000;
	advice = &tick(rig)->rings[0].advice;
	assert_float_equal(advice->worst_gap, 0.001, 1e-9);
	assert_float_equal(advice->burst_bytes_per_s, 34e6, 1);
	assert_memory_equal(advice->text, "fits", 4);
}

/* An overwrite ring is paused for a snapshot: the only loss possible. */
TEST(test_lost_in_a_snapshot)
{
	static struct snapshots snapshots = { .nr = 1, .list = {
		{ .rings = 1, .stopped = 9e-5 },
	} };
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	ring->row.overwrite = true;
	rig->now.snapshots = &snapshots;
	build(rig);
	snapshots.list[0].time = rig->now.wall + 0.1;
	ring->row.events[1].lost = 7;
	frame = tick(rig);
	assert_string_equal(log_at(frame->log, log_len(frame->log) - 1)->text,
			    "CPU 0 lost 7 records while a snapshot was taken");
	/* that was long ago */
	rig->now.wall += 60;
	ring->row.events[1].lost = 9;
	frame = tick(rig);
	assert_null(strstr(log_at(frame->log, log_len(frame->log) - 1)->text,
			   "snapshot"));
}

TEST(test_a_pause_is_no_reason_to_grow)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	rig_drain(ring, DRAIN_TIMER, 64, 1000000000);
	rig_drain(ring, DRAIN_TIMER, 1280, 1100000000);
	build(rig);
	add_samples(ring, 100);
	ring->row.paused = true;
	ring->row.events[1].lost = 100000;
	frame = tick(rig);
	assert_string_equal(last_entry(frame),
			    "CPU 0 lost 100,000 records while paused");
	assert_memory_equal(frame->rings[0].advice.text, "fits so far: peak", 17);
	assert_float_equal(frame->rings[0].advice.burst_bytes_per_s, 12800, 1);
}

/* A reader that was late by 4 s: the records that it then finds, in order. */
static void late_drain(struct reading_ring *ring, bool stopped)
{
	rig_drain(ring, DRAIN_TIMER, 1280, 900000000);
	rig_drain(ring, DRAIN_TIMER, 64, 1000000000);
	ring->stats.stopped_ns += stopped ? 4000000000 : 0;
	ring_stats_drain(&ring->stats, &(struct ring_drain){
		.cause = DRAIN_TIMER, .used = SIZE, .size = SIZE,
		.stopped = stopped, .now_ns = 5000000000,
	});
}

/* Counted by the kernel a tick later, not reported by a record yet. */
TEST(test_gap_of_what_is_pending)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];

	build(rig);
	add_samples(ring, 500);
	late_drain(ring, false);
	tick(rig);
	ring_stats_begin(&ring->stats);
	rig_drain(ring, DRAIN_WAKEUP, 0, 5000073000);
	ring->row.events[1].lost = 16605;
	assert_string_equal(last_entry(tick(rig)), "CPU 0 lost 16,605 records "
			    "(fill peak 100%, gap 4s)");
}

/* Counted while the ring is still full: logged when the interval is over. */
TEST(test_gap_of_an_open_interval)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	rig_drain(ring, DRAIN_TIMER, 64, 900000000);
	rig_drain(ring, DRAIN_TIMER, 64, 900073000);
	build(rig);
	ring->row.head = SIZE - 32;
	ring->row.events[1].lost = 16605;
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 0);
	assert_true(frame->rings[0].lost_per_s > 33209);
	late_drain(ring, false);
	ring->row.tail = ring->row.head;
	ring->recent_peak = SIZE;
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 1);
	assert_string_equal(last_entry(frame), "CPU 0 lost 16,605 records "
			    "(fill peak 100%, gap 4s)");
	/* not drained: the gap is not over */
	ring->row.head += SIZE;
	ring->row.events[1].lost += 5;
	tick(rig);
	assert_string_equal(last_entry(tick(rig)),
			    "CPU 0 lost 5 records (fill peak 100%)");
}

/* As after the screen was frozen. */
TEST(test_losses_of_a_long_tick)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];

	build(rig);
	late_drain(ring, false);
	ring->row.events[1].lost += 7617;
	ring->recent_peak = SIZE;
	rig->now.mono += 12.5;
	rig->now.wall += 12.5;
	assert_string_equal(last_entry(tick(rig)), "CPU 0 lost 7,617 records "
			    "in 13s (fill peak 100%, worst gap 4s)");
}

TEST(test_a_stop_is_said_and_no_reason_to_grow)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct advice *advice;
	const struct frame *frame;

	build(rig);
	add_samples(ring, 500);
	late_drain(ring, true);
	ring->recent_peak = SIZE;
	frame = tick(rig);
	assert_string_equal(last_entry(frame), "rbtop was stopped for 4s; the "
			    "advice ignores that time");
	ring_stats_begin(&ring->stats);
	ring->recent_peak = 0;
	ring_stats_drain(&ring->stats, &(struct ring_drain){
		.cause = DRAIN_WAKEUP, .used = 64, .size = SIZE, .lost = 16605,
		.now_ns = 5000073000,
	});
	add_lost(ring, 16605);
	frame = tick(rig);
	assert_string_equal(last_entry(frame), "CPU 0 lost 16,605 records "
			    "while rbtop was stopped");
	assert_int_equal(log_len(frame->log), 2);
	assert_true(frame->rings[0].peak > 0.99);
	advice = &frame->rings[0].advice;
	assert_memory_equal(advice->text, "fits so far: peak", 17);
	assert_non_null(strstr(advice->reason, "16605 lost while paused "
			       "or stopped; nothing else lost"));
}

TEST(test_log_of_a_loss)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	frame = build(rig);
	assert_int_equal(log_len(frame->log), 0);
	add_lost(ring, 1234567);
	rig_drain(ring, DRAIN_TIMER, 64, 1000000000);
	rig_drain(ring, DRAIN_TIMER, SIZE, 1210000000);
	ring->recent_peak = SIZE;
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 1);
	assert_string_equal(last_entry(frame), "CPU 0 lost 1,234,567 records "
			    "(fill peak 100%, gap 210ms)");
	assert_int_equal(log_at(frame->log, 0)->kind, LOG_LOST);
	assert_true(log_at(frame->log, 0)->time == 1700000000.5);
	assert_int_equal(frame->log_first, 0);
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 1);
	assert_int_equal(frame->log_first, 1);
}

TEST(test_log_of_many_losses)
{
	struct rig *rig = *state;
	const struct frame *frame;

	add_rings(rig, 9);
	build(rig);
	for (unsigned int i = 0; i < 8; i++)
		add_lost(&rig->now.rings[i], 1);
	assert_int_equal(log_len(tick(rig)->log), 8);
	for (unsigned int i = 0; i < 9; i++)
		add_lost(&rig->now.rings[i], 1000 + i % 5);
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 9);
	assert_string_equal(last_entry(frame), "9 rings lost 9,016 records in "
			    "one tick, CPU 4 the most (1,004)");
}

TEST(test_log_of_the_rest)
{
	struct rig *rig = *state;
	struct ring_stats *stats = &rig->now.rings[0].stats;
	const struct frame *frame;

	build(rig);
	stats->types[RECORD_THROTTLE] = 3;
	stats->records = 3;
	frame = tick(rig);
	assert_string_equal(last_entry(frame), "CPU 0 throttled 3 times");
	/* again when it has doubled, in the same line */
	stats->types[RECORD_THROTTLE] = 4;
	tick(rig);
	stats->types[RECORD_THROTTLE] = 7;
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 1);
	assert_string_equal(last_entry(frame), "CPU 0 throttled 4 times");
	rig->now.rates = (struct event_rates){ .freq = 4000, .max = 100000,
					       .clock = true };
	stats->types[RECORD_THROTTLE] = 1000;
	assert_string_equal(last_entry(tick(rig)), "CPU 0 throttled 1,000 "
			    "times: harmless: at 4000 Hz it happens only on "
			    "idle CPUs, whose timer tick is stopped");
	/* harmless: not at each doubling */
	stats->types[RECORD_THROTTLE] = 2000;
	tick(rig);
	stats->types[RECORD_THROTTLE] = 4095;
	frame = tick(rig);
	assert_non_null(strstr(last_entry(frame), "throttled 1,000 times"));
	stats->types[RECORD_THROTTLE] = 4096;
	assert_non_null(strstr(last_entry(tick(rig)), "throttled 4,096"));
	rig->now.rates.freq = 90000;
	stats->types[RECORD_THROTTLE] = 9000;
	assert_string_equal(last_entry(tick(rig)), "CPU 0 throttled 9,000 "
			    "times: lower -F, or raise "
			    "kernel.perf_event_max_sample_rate (100000)");
	stats->lost_samples = 12;
	assert_string_equal(last_entry(tick(rig)),
			    "CPU 0 lost 12 samples in the hardware");
	stats->broken = 1;
	assert_string_equal(last_entry(tick(rig)),
			    "CPU 0 had 1 record with an invalid size");
	assert_int_equal(log_len(tick(rig)->log), 3);
}

TEST(test_log_of_traces)
{
	struct rig *rig = *state;
	struct reading_ring *ring = &rig->now.rings[0];
	const struct frame *frame;

	ring->row.aux.size = 65536;
	build(rig);
	ring->stats.aux.truncated = 1;
	frame = tick(rig);
	assert_string_equal(last_entry(frame),
			    "CPU 0 had 1 AUX record flagged TRUNCATED");
	assert_int_equal(log_at(frame->log, 0)->kind, LOG_AUX);
	ring->stats.aux.truncated = 1235;
	ring->stats.aux.reenabled = 1;
	assert_string_equal(last_entry(tick(rig)),
			    "CPU 0 had 1,234 AUX records flagged TRUNCATED "
			    "(enabled again 1 time)");
	ring->stats.aux.partial = 2;
	ring->stats.aux.collision = 1;
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 4);
	assert_string_equal(log_at(frame->log, 2)->text,
			    "CPU 0 had 2 AUX records flagged PARTIAL");
	assert_string_equal(last_entry(frame),
			    "CPU 0 had 1 AUX record flagged COLLISION");
	assert_int_equal(log_len(tick(rig)->log), 4);
}

/* Each ring has its own detail. */
TEST(test_log_of_two_truncated)
{
	struct rig *rig = *state;
	const struct frame *frame;

	add_rings(rig, 2);
	for (int i = 0; i < 2; i++) {
		rig->now.rings[i].row.aux.size = 65536;
		rig->now.rings[i].stats.aux.truncated = 1;
	}
	rig->now.rings[0].stats.aux.reenabled = 2;
	frame = build(rig);
	assert_int_equal(log_len(frame->log), 2);
	assert_string_equal(log_at(frame->log, 0)->text,
			    "CPU 0 had 1 AUX record flagged TRUNCATED "
			    "(enabled again 2 times)");
	assert_string_equal(last_entry(frame),
			    "CPU 1 had 1 AUX record flagged TRUNCATED");
}

TEST(test_notes_and_notices)
{
	struct rig *rig = *state;
	const struct frame *frame;

	reading_note(&rig->now, 5.5, LOG_HOTPLUG, "CPU 1 went offline");
	frame = frame_build(rig->builder, &rig->now, "sim", "t",
			    "rings halved");
	assert_int_equal(log_len(frame->log), 2);
	assert_string_equal(log_at(frame->log, 0)->text, "rings halved");
	assert_string_equal(log_at(frame->log, 1)->text, "CPU 1 went offline");
	assert_int_equal(log_at(frame->log, 1)->kind, LOG_HOTPLUG);
	assert_true(log_at(frame->log, 1)->time == 5.5);
	rig->now.nr_notes = 0;
	frame = frame_build(rig->builder, &rig->now, "sim", "t",
			    "rings halved");
	assert_int_equal(log_len(frame->log), 2);
	frame = frame_build(rig->builder, &rig->now, "sim", "t", "another");
	assert_int_equal(log_len(frame->log), 3);
	assert_string_equal(last_entry(frame), "another");
	/* one that the source noted itself */
	reading_note(&rig->now, 6, LOG_INFO, "a third");
	frame = frame_build(rig->builder, &rig->now, "sim", "t", "a third");
	assert_int_equal(log_len(frame->log), 4);
	assert_string_equal(last_entry(frame), "a third");
}

/* Logged once, not at each tick. */
TEST(test_hidden_kernel)
{
	struct rig *rig = *state;
	const struct samples samples = {
		.status.kernel_hidden = "kernel.kptr_restrict is 2",
	};
	const struct frame *frame;

	rig->now.samples = &samples;
	build(rig);
	tick(rig);
	frame = tick(rig);
	assert_int_equal(log_len(frame->log), 1);
	assert_string_equal(last_entry(frame),
			    "no kernel symbols: kernel.kptr_restrict is 2");
}

TEST_GROUP(frame_log, .each_setup = set_up, .each_teardown = tear_down);
