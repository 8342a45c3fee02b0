/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reading of rings that a test fills, and the builder that makes frames of
 * it.
 */
#ifndef TESTS_UNIT_FRAME_RIG_H
#define TESTS_UNIT_FRAME_RIG_H

#include <stddef.h>
#include <stdint.h>

#include "ring/frame/frame.h"

struct rig {
	struct reading now;
	struct frame_builder *builder;
};

enum { SIZE = 65536, WATERMARK = 32768 };

static inline void set_up_ring(struct reading_ring *ring, int cpu)
{
	ring->row.cpu = cpu;
	ring->row.size = SIZE;
	ring->row.watermark = WATERMARK;
	ring->row.enabled = true;
	assert_int_equal(reading_reserve_events(ring, 2), 0);
	ring->row.events[0].name = "dummy";
	ring->row.events[0].side_band = true;
	ring->row.events[1].name = "cpu-clock";
}

static inline void add_rings(struct rig *rig, size_t nr)
{
	size_t old = rig->now.nr_rings;

	assert_int_equal(reading_reserve(&rig->now, nr), 0);
	for (size_t i = old; i < nr; i++)
		set_up_ring(&rig->now.rings[i], (int)i);
}

static inline int set_up(void **state)
{
	static struct rig rig;

	rig = (struct rig){ .now = { .mono = 100, .wall = 1700000000 } };
	rig.builder = frame_builder_new();
	assert_non_null(rig.builder);
	add_rings(&rig, 1);
	*state = &rig;
	return 0;
}

static inline int tear_down(void **state)
{
	struct rig *rig = *state;

	frame_builder_free(rig->builder);
	reading_free(&rig->now);
	return 0;
}

static inline const struct frame *build(struct rig *rig)
{
	const struct frame *frame =
		frame_build(rig->builder, &rig->now, "sim", "test", "");

	assert_non_null(frame);
	return frame;
}

/* The frame of half a second later. */
static inline const struct frame *tick(struct rig *rig)
{
	rig->now.mono += 0.5;
	rig->now.wall += 0.5;
	return build(rig);
}

/* Add @samples samples of 64 bytes, drained. */
static inline void add_samples(struct reading_ring *ring, uint64_t samples)
{
	ring->stats.types[RECORD_SAMPLE] += samples;
	ring->stats.records += samples;
	ring->stats.bytes += samples * 64;
	ring->row.head += samples * 64;
	ring->row.tail = ring->row.head;
	ring->row.events[1].samples += samples;
	ring->row.events[1].count += samples;
}

/*
 * Add @records lost records, reported by one LOST record and counted by the
 * kernel.
 */
static inline void add_lost(struct reading_ring *ring, uint64_t records)
{
	ring->stats.types[RECORD_LOST]++;
	ring->stats.records++;
	ring->stats.lost += records;
	ring->row.events[1].lost += records;
}

/* Add a drain that found @used bytes. */
static inline void rig_drain(struct reading_ring *ring, enum drain_cause cause,
			     uint64_t used, uint64_t now_ns)
{
	ring_stats_drain(&ring->stats, &(struct ring_drain){
		.cause = cause, .used = used, .size = ring->row.size,
		.now_ns = now_ns,
	});
}

#endif
