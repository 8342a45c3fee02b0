/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <string.h>

#include "frame_rig.h"
#include "ring/reading.h"

/* The AUX ring of a ring, in readings half a second apart. */

enum { AUX_SIZE = 1 << 20 };

static struct reading_ring *add_aux(struct rig *rig, bool overwrite)
{
	struct reading_ring *ring = &rig->now.rings[0];

	ring->row.aux = (struct ring_aux){
		.size = AUX_SIZE,
		.watermark = overwrite ? 0 : AUX_SIZE / 2,
		.overwrite = overwrite,
	};
	ring->aux = (struct reading_aux){ .head_age = NAN, .read_cost = NAN };
	return ring;
}

/* Tracing stopped @ago seconds before the reading, at @head. */
static void stop(struct reading_ring *ring, uint64_t head, double ago)
{
	ring->row.aux.head = head;
	ring->aux.head_age = ago;
}

/* The reads of the row that @aux is part of. */
static const struct ring_aux_reads *reads_of(const struct ring_aux *aux)
{
	const char *row = (const char *)aux - offsetof(struct ring_row, aux);

	return &((const struct ring_row *)(const void *)row)->reads->aux;
}

TEST(test_none)
{
	struct rig *rig = *state;
	const struct frame *frame;

	build(rig);
	frame = tick(rig);
	assert_int_equal(frame->rings[0].aux.size, 0);
	assert_int_equal(frame->total.aux_rings, 0);
	assert_true(isnan(frame->total.row.aux.bytes_per_s));
	assert_null(frame->snapshots);
}

TEST(test_full_trace)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, false);
	const struct ring_aux *aux;

	build(rig);
	ring->row.aux.head = 3 * AUX_SIZE + 4096;
	ring->row.aux.tail = 3 * AUX_SIZE - AUX_SIZE / 4 + 4096;
	aux = &tick(rig)->rings[0].aux;
	assert_int_equal(aux->size, AUX_SIZE);
	assert_int_equal(aux->watermark, AUX_SIZE / 2);
	assert_int_equal(aux->position, 4096);
	assert_int_equal(aux->used, AUX_SIZE / 4);
	assert_true(aux->fill == 0.25);
	assert_true(reads_of(aux)->peak == 0.25);
	assert_int_equal(aux->wraps, 3);
	assert_true(aux->bytes_per_s == 2. * (3 * AUX_SIZE + 4096));
	assert_true(history_at(reads_of(aux)->fill_history, 0) == 0.25);
	assert_true(history_at(reads_of(aux)->fill_history, 1) == 0);
	/* the head does not move, nor does the tail */
	aux = &tick(rig)->rings[0].aux;
	assert_true(aux->bytes_per_s == 0);
	assert_true(aux->fill == 0.25);
}

/*
 * Head and tail are not read at the same time, and after hotplug they begin at
 * 0.
 */
TEST(test_full_trace_at_odds)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, false);
	const struct ring_aux *aux;

	ring->row.aux.head = 5000;
	ring->row.aux.tail = 6000;
	aux = &build(rig)->rings[0].aux;
	assert_int_equal(aux->used, 0);
	assert_true(aux->bytes_per_s == 0);
	ring->row.aux.head = 2 * AUX_SIZE;
	ring->row.aux.tail = 1000;
	aux = &tick(rig)->rings[0].aux;
	assert_int_equal(aux->used, AUX_SIZE);
	assert_true(aux->fill == 1);
	ring->row.aux.head = ring->row.aux.tail = 100;
	assert_true(tick(rig)->rings[0].aux.bytes_per_s == 0);
}

/* The reader's peak between two readings; a reset clears it. */
TEST(test_peak)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, false);
	const struct ring_aux *aux;

	ring->stats.aux_peak = AUX_SIZE / 2;
	aux = &build(rig)->rings[0].aux;
	assert_true(reads_of(aux)->peak == 0.5);
	assert_true(aux->fill == 0);
	ring->stats.aux_peak = AUX_SIZE / 4 * 3;
	aux = &tick(rig)->rings[0].aux;
	assert_true(reads_of(aux)->peak == 0.75);
	assert_true(history_at(reads_of(aux)->fill_history, 0) == 0.75);
	frame_builder_reset(rig->builder);
	aux = &tick(rig)->rings[0].aux;
	assert_true(reads_of(aux)->peak == 0);
	assert_true(history_at(reads_of(aux)->fill_history, 0) == 0);
	assert_true(isnan(history_at(reads_of(aux)->fill_history, 1)));
	ring->row.aux.head = AUX_SIZE / 8;
	assert_true(tick(rig)->rings[0].reads->aux.peak == 0.125);
}

/* Nothing is known before the first stop, and nothing new between stops. */
TEST(test_snapshot_mode)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, true);
	const struct ring_aux *aux;

	aux = &build(rig)->rings[0].aux;
	assert_true(aux->overwrite);
	assert_true(isnan(reads_of(aux)->head_age));
	assert_true(isnan(aux->fill) && isnan(reads_of(aux)->peak));
	assert_true(isnan(aux->bytes_per_s));
	assert_null(reads_of(aux)->fill_history);
	stop(ring, 100000, 0.1);
	aux = &tick(rig)->rings[0].aux;
	assert_true(isnan(aux->bytes_per_s));
	assert_int_equal(aux->position, 100000);
	/* 2.5 MB in the 0.5 s from that stop to this */
	stop(ring, 2600000, 0.1);
	aux = &tick(rig)->rings[0].aux;
	assert_float_equal(aux->bytes_per_s, 5000000, 1);
	assert_int_equal(aux->position, 2600000 - 2 * AUX_SIZE);
	assert_int_equal(aux->wraps, 2);
	stop(ring, 2600000, 0.6);
	aux = &tick(rig)->rings[0].aux;
	assert_float_equal(aux->bytes_per_s, 5000000, 1);
	assert_true(reads_of(aux)->head_age == 0.6);
	/* 1.5 s after that stop */
	stop(ring, 4100000, 0.1);
	rig->now.mono += 0.5;
	assert_float_equal(tick(rig)->rings[0].aux.bytes_per_s, 1000000, 1);
}

/*
 * For a head that is an offset the number of wraps is unknown, so there is no
 * rate.
 */
TEST(test_offset_head)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, true);
	const struct ring_aux *aux;

	stop(ring, 1000, 0);
	build(rig);
	stop(ring, 501000, 0);
	aux = &tick(rig)->rings[0].aux;
	assert_true(isnan(aux->bytes_per_s));
	assert_int_equal(aux->wraps, 0);
	/* a snapshot found trace after the head */
	ring->aux.full = true;
	aux = &tick(rig)->rings[0].aux;
	assert_int_equal(aux->wraps, 1);
	stop(ring, 1000, 0);
	ring->stats.aux.wraps = 1;
	aux = &tick(rig)->rings[0].aux;
	assert_true(isnan(aux->bytes_per_s));
	assert_int_equal(aux->wraps, 1);
	stop(ring, 501000, 0);
	assert_true(isnan(tick(rig)->rings[0].aux.bytes_per_s));
	/* the ring's end is the last possible offset */
	stop(ring, AUX_SIZE - 1, 0);
	aux = &tick(rig)->rings[0].aux;
	assert_true(isnan(aux->bytes_per_s));
	assert_int_equal(aux->position, AUX_SIZE - 1);
}

/*
 * It is known to be free-running, also below the ring's size; after hotplug it
 * begins at 0.
 */
TEST(test_free_running)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, true);
	double rate;

	ring->aux.free_running = true;
	stop(ring, 1000, 0);
	build(rig);
	stop(ring, 501000, 0);
	rate = tick(rig)->total.row.aux.bytes_per_s;
	assert_true(rate > 999999 && rate < 1000001);
	stop(ring, 1000, 0);
	assert_true(isnan(tick(rig)->total.row.aux.bytes_per_s));
}

/* A ring that ran full in full trace should be larger. */
TEST(test_advice)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, false);

	assert_string_equal(build(rig)->rings[0].reads->aux.advice, "");
	ring->row.aux.head = 2 << 20;
	ring->stats.aux.truncated = 12;
	assert_string_equal(tick(rig)->rings[0].reads->aux.advice,
			    "grow to -m ,512: full 12 times; 1M lasts 250ms at "
			    "4M/s");
}

/* Of a recording, if the size is known. */
TEST(test_recorded_advice)
{
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, false);
	const struct ring_row *row;

	ring->aux.recorded = true;
	ring->stats.aux.truncated = 3;
	ring->row.aux.size = UNKNOWN;
	row = &build(rig)->rings[0];
	assert_string_equal(row->reads->aux.advice, "");
	ring->row.aux.size = 1 << 20;
	row = &tick(rig)->rings[0];
	assert_string_equal(row->reads->aux.advice,
			    "grow to -m ,512: full 3 times");
	assert_true(row->aux.size == 1 << 20);
	assert_true(row->aux.head == UNKNOWN);
	assert_true(isnan(row->aux.fill));
}

/* The stop of the latest snapshot, if it was of AUX rings. */
TEST(test_snapshot_stop)
{
	static struct snapshots snapshots = { .nr = 2, .list = {
		{ .aux_rings = 2, .stopped = 4e-4 },
		{ .rings = 1, .stopped = 9e-5 },
	} };
	struct rig *rig = *state;
	struct reading_ring *ring = add_aux(rig, true);

	rig->now.snapshots = &snapshots;
	assert_true(build(rig)->rings[0].reads->aux.snapshot_stopped == 4e-4);
	ring->row.aux.overwrite = false;
	assert_true(tick(rig)->rings[0].reads->aux.snapshot_stopped == 0);
}

TEST(test_total)
{
	struct rig *rig = *state;
	const struct ring_total *total;

	add_rings(rig, 3);
	add_aux(rig, false);
	rig->now.rings[2].row.aux = rig->now.rings[0].row.aux;
	rig->now.rings[2].aux = rig->now.rings[0].aux;
	build(rig);
	rig->now.rings[0].row.aux.head = 1000;
	rig->now.rings[0].stats.aux = (struct aux_stats){
		.records = 7, .bytes = 1000, .truncated = 1, .partial = 2,
		.itrace_starts = 3, .hw_ids = 4,
	};
	rig->now.rings[2].row.aux.head = 3 * AUX_SIZE;
	rig->now.rings[2].stats.aux = (struct aux_stats){
		.records = 5, .bytes = 3 * AUX_SIZE, .collision = 6,
		.overwrite = 8, .reenabled = 9,
	};
	total = &tick(rig)->total;
	assert_int_equal(total->aux_rings, 2);
	assert_int_equal(total->row.aux.size, 2 * AUX_SIZE);
	assert_true(total->row.aux.bytes_per_s == 2 * (1000. + 3 * AUX_SIZE));
	assert_int_equal(total->row.reads->stats.aux.records, 12);
	assert_int_equal(total->row.reads->stats.aux.bytes,
			 1000 + 3 * AUX_SIZE);
	assert_int_equal(total->row.reads->stats.aux.truncated, 1);
	assert_int_equal(total->row.reads->stats.aux.partial, 2);
	assert_int_equal(total->row.reads->stats.aux.collision, 6);
	assert_int_equal(total->row.reads->stats.aux.overwrite, 8);
	assert_int_equal(total->row.reads->stats.aux.itrace_starts, 3);
	assert_int_equal(total->row.reads->stats.aux.hw_ids, 4);
	assert_int_equal(total->row.reads->stats.aux.reenabled, 9);
	assert_int_equal(total->row.aux.wraps, 3);
	/* bounds are not added up */
	rig->now.rings[0].row.aux.overwrite = true;
	assert_true(tick(rig)->total.row.aux.wraps == UNKNOWN);
	rig->now.rings[0].row.aux.overwrite = false;
	rig->now.rings[2].row.aux.overwrite = true;
	assert_true(tick(rig)->total.row.aux.wraps == UNKNOWN);
}

TEST(test_snapshots_pass_through)
{
	static const struct snapshots snapshots = { .taken = 3 };
	struct rig *rig = *state;

	rig->now.snapshots = &snapshots;
	assert_ptr_equal(build(rig)->snapshots, &snapshots);
	rig->now.snapshots = NULL;
	assert_null(tick(rig)->snapshots);
}

TEST_GROUP(ring_aux_build, .each_setup = set_up, .each_teardown = tear_down);
