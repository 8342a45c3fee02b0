/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <linux/perf_event.h>
#include <string.h>

#include "ring/reading.h"
#include "ring/ring_stats.h"
#include "trace/perfdata/perfdata_format.h"
#include "trace/recorded/recorded.h"
#include "trace/recorded/timeline.h"

#define MS UINT64_C(1000000)

enum { RINGS = 4 };

static struct timeline t;
static struct ring_stats stats[RINGS];

static int begin(void **state)
{
	(void)state;
	timeline_init(&t);
	return 0;
}

static int end(void **state)
{
	(void)state;
	timeline_free(&t);
	return 0;
}

static void add(size_t ring, uint64_t time)
{
	const struct perfdata_record record = {
		.type = PERF_RECORD_SAMPLE,
		.size = 40,
		.time = time,
	};

	assert_int_equal(timeline_add(&t, ring, &record), 0);
}

static void lose(size_t ring, uint64_t time, uint64_t lost)
{
	const struct perfdata_record record = {
		.type = PERF_RECORD_LOST,
		.size = 24,
		.time = time,
		.lost = lost,
	};

	assert_int_equal(timeline_add(&t, ring, &record), 0);
}

/* The counters of @ring from all slots before @slot. */
static const struct ring_stats *before(size_t ring, uint64_t slot)
{
	memset(stats, 0, sizeof(stats));
	timeline_walk(&t, 0, slot, stats);
	return &stats[ring];
}

/* Rings whose records come one ring after the other, as perf reads them. */
TEST(by_slots)
{
	size_t at;

	add(0, 1000 * MS);
	add(0, 1001 * MS - 1);
	add(0, 1003 * MS);
	add(1, 1000 * MS);
	add(1, 1002 * MS);
	timeline_finish(&t, NULL);
	assert_int_equal(timeline_width(&t), MS);
	assert_int_equal(t.first, 1000);
	assert_int_equal(t.last, 1003);
	assert_int_equal(t.nr, 4);
	assert_int_equal(before(0, 1000)->records, 0);
	assert_int_equal(before(0, 1001)->records, 2);
	assert_int_equal(before(1, 1001)->records, 1);
	assert_int_equal(before(0, 1003)->bytes, 80);
	assert_int_equal(before(1, 1003)->bytes, 80);
	assert_int_equal(before(0, 1004)->types[RECORD_SAMPLE], 3);
	/* on from there is the same */
	memset(stats, 0, sizeof(stats));
	at = timeline_walk(&t, 0, 1002, stats);
	assert_int_equal(at, 2);
	assert_int_equal(timeline_walk(&t, at, 1004, stats), 4);
	assert_int_equal(stats[0].records, 3);
	assert_int_equal(stats[1].records, 2);
}

TEST(without_time)
{
	lose(1, UNKNOWN, 3);	/* before any time: at the start */
	add(0, 5000 * MS);
	lose(0, UNKNOWN, 7);
	lose(0, 0, 1);
	add(0, 5004 * MS);
	timeline_round(&t, 0, 64);
	timeline_finish(&t, NULL);
	assert_int_equal(t.first, 5000);
	assert_int_equal(before(1, 1)->lost, 3);
	assert_int_equal(before(0, 5000)->lost, 0);
	assert_int_equal(before(0, 5001)->lost, 8);
	assert_int_equal(before(0, 5001)->peak, 0);
	assert_int_equal(before(0, 5005)->peak, 64);
	assert_int_equal(timeline_next_loss(&t, 1), 5000);
	assert_true(timeline_next_loss(&t, 5001) == UNKNOWN);
	assert_int_equal(timeline_last_loss(&t, 9000), 5000);
	assert_int_equal(timeline_last_loss(&t, 5000), 0);
}

/* LOST records before others that may tell of the same losses. */
TEST(worst_loss)
{
	struct perfdata_record record = {
		.type = PERF_RECORD_LOST_SAMPLES, .size = 24, .lost = 9,
	};

	assert_true(timeline_worst_loss(&t, 1) == UNKNOWN);
	add(0, 5000 * MS);
	timeline_finish(&t, NULL);
	assert_true(timeline_worst_loss(&t, 1) == UNKNOWN);
	timeline_free(&t);
	timeline_init(&t);
	add(0, 5000 * MS);
	for (record.time = 5001 * MS; record.time < 5003 * MS; record.time += MS)
		assert_int_equal(timeline_add(&t, 0, &record), 0);
	record.lost++;
	assert_int_equal(timeline_add(&t, 1, &record), 0);
	timeline_finish(&t, NULL);
	assert_int_equal(timeline_worst_loss(&t, 1), 5003);
	timeline_free(&t);
	timeline_init(&t);
	lose(1, 5004 * MS, 1);
	lose(0, 5005 * MS, 2);
	lose(0, 5006 * MS, 2);
	assert_int_equal(timeline_add(&t, 1, &record), 0);
	timeline_finish(&t, NULL);
	assert_int_equal(timeline_worst_loss(&t, 1), 5005);
	/* of 5003 and 5004, 5005 and 5006 and so on: all that is lost there */
	assert_int_equal(timeline_worst_loss(&t, 2), 5005);
	assert_int_equal(timeline_worst_loss(&t, 4), 5003);
	timeline_free(&t);
	timeline_init(&t);
	lose(0, 5003 * MS, 3);
	lose(0, 5005 * MS, 2);
	lose(1, 5006 * MS, 2);
	timeline_finish(&t, NULL);
	assert_int_equal(timeline_worst_loss(&t, 1), 5003);
	assert_int_equal(timeline_worst_loss(&t, 2), 5005);
}

TEST(columns)
{
	const struct perfdata_record trace = {
		.type = PERF_RECORD_AUX, .size = 48, .time = 5006 * MS,
		.trace = 1000, .aux_flags = PERFDATA_AUX_TRUNCATED,
	};
	struct playback_column c[8];
	uint64_t slots;

	assert_int_equal(timeline_columns(&t, 8, c, &slots), 0);
	add(2, UNKNOWN);	/* of no known time: in no column */
	add(0, 5000 * MS);
	add(1, 5001 * MS);
	lose(1, 5003 * MS, 7);
	assert_int_equal(timeline_add(&t, 0, &trace), 0);
	timeline_finish(&t, NULL);
	/* a slot each */
	assert_int_equal(timeline_columns(&t, 8, c, &slots), 7);
	assert_int_equal(slots, 1);
	assert_true(c[0].bytes == 40 && c[1].bytes == 40 && c[2].bytes == 0);
	assert_true(c[6].bytes == 1048);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(c[i].lost, i == 3);
		assert_int_equal(c[i].truncated, i == 6);
	}
	/* 7 slots in 4 columns */
	assert_int_equal(timeline_columns(&t, 6, c, &slots), 4);
	assert_int_equal(slots, 2);
	assert_true(c[0].bytes == 80 && c[1].bytes == 24 && c[1].lost);
	assert_true(c[3].bytes == 1048 && c[3].truncated && !c[3].lost);
	assert_int_equal(timeline_columns(&t, 1, c, &slots), 1);
	assert_int_equal(slots, 7);
	assert_true(c[0].lost && c[0].truncated);
}

TEST(rows_in_common)
{
	static const uint32_t rows[] = { 2, 0, 2 };

	for (size_t ring = 0; ring < 3; ring++)
		add(ring, 5 * MS);
	timeline_round(&t, 0, 10);
	timeline_round(&t, 2, 20);
	timeline_finish(&t, rows);
	assert_int_equal(before(0, 6)->records, 1);
	assert_int_equal(before(1, 6)->records, 0);
	assert_int_equal(before(2, 6)->records, 2);
	assert_int_equal(stats[2].peak, 20);
}

TEST(backwards)
{
	add(0, 2000 * MS);
	add(0, 1990 * MS);
	add(0, 2000 * MS);
	add(0, 1990 * MS);
	timeline_finish(&t, NULL);
	assert_int_equal(t.nr, 2);
	assert_int_equal(t.first, 1990);
	assert_int_equal(before(0, 1991)->records, 2);
	assert_int_equal(before(0, 2001)->records, 4);
}

/* Neighbours are merged until the slots are few enough. */
TEST(long_recordings)
{
	for (uint64_t i = 0; i < 3 * TIMELINE_SLOTS; i++) {
		add(0, (100 + i) * MS);
		if (i % 1000 == 0)
			lose(1, (100 + i) * MS, 1);
	}
	timeline_round(&t, 0, 99);
	timeline_finish(&t, NULL);
	assert_int_equal(timeline_width(&t), 4 * MS);
	assert_true(t.last - t.first < TIMELINE_SLOTS);
	assert_int_equal(before(0, t.last + 1)->records, 3 * TIMELINE_SLOTS);
	assert_int_equal(before(0, t.last + 1)->peak, 99);
	assert_int_equal(before(1, t.last + 1)->lost, 25);
	assert_int_equal(before(0, t.first + 10)->records, 40);
}

TEST(many_rings)
{
	t.max = 64;
	for (uint64_t i = 0; i < 1000; i++)
		for (size_t ring = 0; ring < RINGS; ring++)
			add(ring, (4096 + i) * MS);
	timeline_finish(&t, NULL);
	assert_true(t.nr <= 64);
	assert_int_equal(timeline_width(&t), 64 * MS);
	for (size_t ring = 0; ring < RINGS; ring++)
		assert_int_equal(before(ring, t.last + 1)->records, 1000);
	assert_int_equal(before(0, t.first + 1)->records, 64);
}

/* No time that a file says sizes memory, or takes long. */
TEST(hostile_times)
{
	static const uint64_t times[] = {
		1, UNKNOWN - 1, 0, INT64_MAX, 1ULL << 63, 12 * MS, UNKNOWN,
	};
	uint64_t random = 1;

	t.max = 1000;
	for (int i = 0; i < 70000; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		add((size_t)i % RINGS, i < 700 ? times[i % 7] : random);
	}
	timeline_finish(&t, NULL);
	assert_true(t.nr <= 1000 && t.room <= 1000);
	assert_true(t.last - t.first < TIMELINE_SLOTS);
	assert_true(timeline_width(&t) > MS);
	for (size_t ring = 0; ring < RINGS; ring++)
		assert_int_equal(before(ring, UNKNOWN)->records, 17500);
}

TEST(counts_end)
{
	lose(0, MS, UNKNOWN);
	lose(0, MS, UNKNOWN);
	timeline_finish(&t, NULL);
	assert_true(before(0, 2)->lost == UNKNOWN - 1);
}

TEST(aux_records)
{
	const struct perfdata_record record = {
		.type = PERF_RECORD_AUX, .size = 48, .time = 8 * MS,
		.trace = 4096, .aux_flags = 1 | 4,
	}, filtered = {
		.type = PERF_RECORD_LOST_SAMPLES, .size = 24, .time = 8 * MS,
		.misc = 1 << 15, .lost = 5,
	};

	assert_int_equal(timeline_add(&t, 2, &record), 0);
	assert_int_equal(timeline_add(&t, 2, &filtered), 0);
	timeline_finish(&t, NULL);
	assert_int_equal(before(2, 9)->aux.records, 1);
	assert_int_equal(stats[2].aux.bytes, 4096);
	assert_int_equal(stats[2].aux.truncated, 1);
	assert_int_equal(stats[2].aux.partial, 1);
	assert_int_equal(stats[2].aux.collision, 0);
	assert_int_equal(stats[2].lost_samples, 0);
	assert_int_equal(timeline_next_loss(&t, 0), 8);
}

/* A struct recorded fills it, and says when rounds ended. */
TEST(of_a_recording)
{
	struct perfdata_record record = {
		.type = PERF_RECORD_SAMPLE, .size = 100,
		.origin = PERFDATA_OF_CPU, .ring = 7,
		.event = PERFDATA_NO_EVENT, .time = 3 * MS,
	}, round = {
		.type = PERFDATA_RECORD_FINISHED_ROUND, .size = 8,
		.origin = PERFDATA_OF_NO_RING, .time = UNKNOWN,
	};
	struct recorded r;

	recorded_init(&r);
	r.timeline = &t;
	recorded_add(&r, &record);
	recorded_add(&r, &record);
	recorded_add(&r, &round);
	record.time = 6 * MS;
	recorded_add(&r, &record);
	recorded_add(&r, &round);
	recorded_finish(&r);
	timeline_finish(&t, NULL);
	assert_int_equal(r.rings[0].index, 0);
	assert_int_equal(before(0, 4)->peak, 200);
	assert_int_equal(stats[0].records, 2);
	recorded_free(&r);
}

TEST_GROUP(timeline, .each_setup = begin, .each_teardown = end);
