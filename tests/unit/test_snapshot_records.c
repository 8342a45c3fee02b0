/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which records are written to a snapshot. */
#include "tests/group.h"

#include <linux/perf_event.h>
#include <string.h>

#include "trace/snapshot/snapshot_records.h"
#include "perf/abi/record.h"

#define MS UINT64_C(1000000)

enum { OUT = PERF_RECORD_MISC_SWITCH_OUT, OVERWRITE = 2 };

static unsigned char records[16384];
static size_t size;

static int begin(void **state)
{
	(void)state;
	size = 0;
	return 0;
}

static void put(const void *from, size_t len)
{
	if (len)
		memcpy(records + size, from, len);
	size += len;
}

/* Add a record of @nr words, with the trailer of records other than samples. */
static void add(uint32_t type, uint16_t misc, const uint64_t *words, size_t nr,
		uint32_t cpu, uint64_t time)
{
	const uint64_t trailer[4] = { 1 | 1ULL << 32, time, cpu, 7 };
	const struct perf_event_header header = {
		type, misc, (uint16_t)(sizeof(header) + 8 * nr + 32),
	};

	put(&header, sizeof(header));
	put(words, 8 * nr);
	put(trailer, sizeof(trailer));
}

static void add_switch(uint16_t misc, uint32_t cpu, uint64_t time)
{
	add(PERF_RECORD_SWITCH_CPU_WIDE, misc, (uint64_t[]){ 5 }, 1, cpu, time);
}

static void add_aux(uint64_t end, uint64_t len, uint64_t time)
{
	add(PERF_RECORD_AUX, 0, (uint64_t[]){ end, len, OVERWRITE }, 3, 0,
	    time);
}

static void add_sample(uint64_t time)
{
	const struct perf_event_header header = {
		PERF_RECORD_SAMPLE, 0, RECORD_SAMPLE_FIXED,
	};
	uint64_t words[6] = { 7, 0, 0, time };

	put(&header, sizeof(header));
	put(words, sizeof(words));
}

static void cut(uint64_t since)
{
	size = snapshot_records_cut_old(records, size, &(struct snapshot_cut_rule){
		.since = since, .switches = true, .aux = true,
	});
}

/* Check the types and times of the remaining records. */
static void expect(const uint64_t (*left)[2], size_t nr)
{
	struct perf_event_header header;
	size_t at = 0;

	for (size_t i = 0; i < nr; i++, at += header.size) {
		assert_true(at < size);
		memcpy(&header, records + at, sizeof(header));
		assert_int_equal(header.type, left[i][0]);
		assert_int_equal(record_time(records + at, header.size),
				 left[i][1]);
	}
	assert_int_equal(at, size);
}
#define EXPECT(...)                                          \
	expect((const uint64_t[][2]){ __VA_ARGS__ },         \
	       sizeof((const uint64_t[][2]){ __VA_ARGS__ }) / 16)

/* On each CPU, the last switch in and the last switch out are kept. */
TEST(test_switches)
{
	enum { WIDE = PERF_RECORD_SWITCH_CPU_WIDE };

	for (uint64_t time = 10; time < 50; time += 10) {
		add_switch(OUT, 0, time);
		add_switch(0, 0, time + 1);
		add_switch(0, 1, time + 2);
	}
	add_switch(OUT, 0, 60);
	add_switch(OUT, 0, 70);
	cut(60);
	EXPECT({ WIDE, 40 }, { WIDE, 41 }, { WIDE, 42 }, { WIDE, 60 },
	       { WIDE, 70 });
	/* a second cut removes nothing */
	cut(60);
	EXPECT({ WIDE, 40 }, { WIDE, 41 }, { WIDE, 42 }, { WIDE, 60 },
	       { WIDE, 70 });
}

TEST(test_task_switches)
{
	for (uint64_t time = 1; time < 9; time++)
		add(PERF_RECORD_SWITCH, time % 2 ? OUT : 0, NULL, 0, 3, time);
	cut(7);
	EXPECT({ PERF_RECORD_SWITCH, 5 }, { PERF_RECORD_SWITCH, 6 },
	       { PERF_RECORD_SWITCH, 7 }, { PERF_RECORD_SWITCH, 8 });
}

/* The last start and stop of tracing of each thread are kept. */
TEST(test_starts)
{
	const uint64_t one = 4 | 4ULL << 32, two = 4 | 5ULL << 32;

	add(PERF_RECORD_ITRACE_START, 0, &one, 1, 0, 1);
	add(PERF_RECORD_ITRACE_START, 0, &two, 1, 0, 2);
	add(PERF_RECORD_ITRACE_START, 0, &one, 1, 0, 3);
	add(PERF_RECORD_ITRACE_START, 0, &one, 1, 1, 4);
	add_aux(100, 100, 5);
	add_aux(200, 100, 6);
	cut(100);
	EXPECT({ PERF_RECORD_ITRACE_START, 2 }, { PERF_RECORD_ITRACE_START, 3 },
	       { PERF_RECORD_ITRACE_START, 4 }, { PERF_RECORD_AUX, 6 });
}

/* Records that decoding needs regardless of their age, and samples. */
TEST(test_kept)
{
	static const uint32_t types[] = {
		PERF_RECORD_MMAP, PERF_RECORD_LOST, PERF_RECORD_COMM,
		PERF_RECORD_EXIT, PERF_RECORD_THROTTLE, PERF_RECORD_FORK,
		PERF_RECORD_MMAP2, PERF_RECORD_LOST_SAMPLES,
		PERF_RECORD_NAMESPACES, PERF_RECORD_KSYMBOL,
		PERF_RECORD_BPF_EVENT, PERF_RECORD_CGROUP,
		PERF_RECORD_TEXT_POKE, PERF_RECORD_AUX_OUTPUT_HW_ID,
	};
	const uint64_t words[9] = { 1 };
	size_t before;

	for (size_t i = 0; i < 2 * sizeof(types) / sizeof(types[0]); i++)
		add(types[i / 2], 0, words, 9, 0, i + 1);
	add_sample(1);
	add_sample(2);
	/* without a time */
	add_switch(0, 0, 0);
	add_switch(0, 0, 0);
	before = size;
	cut(1000);
	assert_int_equal(size, before);
}

TEST(test_rules)
{
	size_t before;

	for (uint64_t time = 1; time < 5; time++) {
		add_switch(0, 0, time);
		add_aux(time, 1, time);
	}
	before = size;
	size = snapshot_records_cut_old(records, size,
					&(struct snapshot_cut_rule){ .since = 100 });
	assert_int_equal(size, before);
	size = snapshot_records_cut_old(records, size, &(struct snapshot_cut_rule){
		.since = 100, .switches = true });
	assert_int_equal(size, before - 3 * (8 + 8 + 32));
}

/* Invalid records are left as they are. */
TEST(test_torn)
{
	size_t before;

	add_switch(0, 0, 1);
	add_switch(0, 0, 2);
	records[size] = PERF_RECORD_SWITCH;
	memset(records + size + 1, 0, 23);
	size += 24;
	before = size;
	cut(10);
	assert_int_equal(size, before - 48);
	assert_int_equal(snapshot_records_oldest(records, size), 2);
	assert_int_equal(snapshot_records_oldest(records + 48, 24), 0);
	assert_int_equal(snapshot_records_oldest(records, 0), 0);
}

static uint64_t says;	/* the time in the trace itself */

static uint64_t oldest(const struct perf_time_conv *conv, uint64_t now,
		       const unsigned char *trace, size_t len)
{
	assert_non_null(conv);
	assert_int_equal(now, 12345);
	assert_memory_equal(trace, "trace", len);
	return says;
}

static struct auxtrace_ops ops;
static const struct auxtrace trace = { .ops = &ops, .overwrite = true };
static const struct snapshot_cut_from from = { .trace = &trace, .counter = 12345 };

static struct snapshot_ring ring_of(uint64_t first)
{
	return (struct snapshot_ring){
		.trace = (unsigned char *)"trace", .trace_len = 5,
		.trace_cap = 5,
		.span = { first, first + 5 },
	};
}

static void expect_reach(uint64_t first, bool known, uint64_t time)
{
	const struct snapshot_ring ring = ring_of(first);
	struct snapshot_reach reach = snapshot_records_reach(
		&from, &ring, records, size);

	assert_int_equal(reach.known, known);
	assert_int_equal(reach.time, time);
}

TEST(test_reach)
{
	ops = (struct auxtrace_ops){ 0 };
	expect_reach(500, false, 0);
	/* positions that are offsets prove nothing */
	add_aux(400, 400, 30);
	expect_reach(500, false, 0);
	ops.oldest = oldest;
	says = 77;
	expect_reach(500, true, 77);
	says = 0;
	expect_reach(500, false, 0);
}

/* A ring that was never full contains all trace since the start. */
TEST(test_reach_start)
{
	struct snapshot_ring ring = ring_of(0);
	struct snapshot_reach reach;

	ops = (struct auxtrace_ops){ 0 };
	ring.trace_cap = 6;
	reach = snapshot_records_reach(&from, &ring, records, size);
	assert_true(reach.known);
	assert_int_equal(reach.time, 0);
}

/* All trace was written after the last stop before it. */
TEST(test_reach_by_stops)
{
	ops = (struct auxtrace_ops){ .cuts_by_aux = true };
	expect_reach(500, false, 0);
	expect_reach(0, false, 0);
	add_aux(400, 400, 30);
	add_aux(500, 100, 40);
	add_aux(501, 1, 50);
	expect_reach(500, false, 40);
	expect_reach(501, false, 50);
	expect_reach(399, false, 0);
	/* in full trace, the offset is where it begins */
	add(PERF_RECORD_AUX, 0, (uint64_t[]){ 300, 1, 0 }, 3, 0, 60);
	expect_reach(501, false, 50);
}

/* Rings whose trace begins at 50 ms, by its own timestamps. */
static struct snapshot_ring rings[2];
static const struct snapshot both = { .rings = rings, .nr = 2 };
static struct snapshot_history histories[2];
static struct snapshot_records all = { .rings = histories, .nr = 2 };

static void two_rings(void)
{
	ops = (struct auxtrace_ops){ .oldest = oldest };
	says = 50 * MS;
	rings[0] = rings[1] = ring_of(0);
	memset(histories, 0, sizeof(histories));
	all.bytes = 0;
}

/* The records of each ring are cut to its own trace. */
TEST(test_all)
{
	struct snapshot_cut_found found;

	two_rings();
	for (uint64_t ms = 10; ms < 100; ms += 10)
		add_switch(0, 0, ms * MS);
	add_switch(0, 0, says - MS / 2);
	rings[0].ring = 1;
	rings[1].trace_len = 0;
	histories[1] = (struct snapshot_history){ records, size, false };
	all.bytes = size + 1000;
	snapshot_records_cut(&all, &from, &both, true, &found);
	assert_true(found.known);
	assert_int_equal(found.reach, says);
	assert_int_equal(found.nr_short, 0);
	assert_int_equal(histories[1].size, size - 3 * 48);
	assert_int_equal(all.bytes, size - 3 * 48 + 1000);
	size = histories[1].size;
	EXPECT({ 15, 40 * MS }, { 15, 50 * MS }, { 15, 60 * MS },
	       { 15, 70 * MS }, { 15, 80 * MS }, { 15, 90 * MS },
	       { 15, says - MS / 2 });
}

/* After overwriting, the oldest record is younger than the trace. */
TEST(test_short)
{
	struct snapshot_cut_found found;

	two_rings();
	add_switch(0, 0, 70 * MS);
	add_switch(0, 0, 80 * MS);
	rings[1].ring = 1;
	histories[0] = (struct snapshot_history){ records, size, true };
	histories[1] = (struct snapshot_history){ records + 48, 48, false };
	snapshot_records_cut(&all, &from, &both, true, &found);
	/* in the second ring nothing was overwritten: there was no more */
	assert_int_equal(found.nr_short, 1);
	assert_int_equal(found.short_reach, 50 * MS);
	assert_int_equal(found.short_records, 70 * MS);
	histories[1].overwritten = true;
	snapshot_records_cut(&all, &from, &both, true, &found);
	assert_int_equal(found.nr_short, 2);
	assert_int_equal(found.short_records, 80 * MS);
	says = 75 * MS;
	snapshot_records_cut(&all, &from, &both, true, &found);
	assert_int_equal(found.nr_short, 1);
	says = 0;
	snapshot_records_cut(&all, &from, &both, true, &found);
	assert_int_equal(found.nr_short, 0);
	assert_false(found.known);
	assert_int_equal(histories[0].size, size);
}

TEST_GROUP(snapshot_records, .each_setup = begin);
