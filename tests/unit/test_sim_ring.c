/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>

#include "base/sys.h"
#include "collect/drain/drain.h"
#include "sim/sim_ring.h"
#include "sim/sim_traffic.h"

/* A ring in plain memory, its writer and its reader. */

enum { SIZE = 4096, SIDE_BAND = 0, A = 1, B = 2, EVENTS = 3 };

struct rig {
	void *base;
	struct sim_ring sim;
	struct ring ring;
	struct sim_event events[EVENTS];
	struct drain drain;
	struct ring_stats stats;
	struct drain_tally tally;
	uint64_t woken;
};

static const struct sim_context by = { .pid = 42, .tid = 43, .time = 1000 };

static void rig_init(struct rig *rig, uint64_t watermark, bool overwrite)
{
	const uint64_t ids[EVENTS] = { 70, 71, 72 };

	*rig = (struct rig){ .base = calloc(1, sys_page_size() + SIZE) };
	assert_non_null(rig->base);
	sim_ring_init(&rig->sim, rig->base, SIZE, watermark, overwrite);
	rig->sim.cpu = 5;
	ring_attach(&rig->ring, rig->base, SIZE, overwrite);
	rig->ring.watermark = rig->sim.watermark;
	for (int i = 0; i < EVENTS; i++)
		rig->events[i].id = ids[i];
	assert_int_equal(drain_init(&rig->drain, ids, NULL, EVENTS, 0), 0);
}

static void rig_free(struct rig *rig)
{
	drain_free(&rig->drain);
	free(rig->base);
}

/* Begin as if @bytes had gone through the ring. */
static void rig_skip(struct rig *rig, uint64_t bytes)
{
	rig->sim.head = bytes;
	rig->sim.page->data_head = bytes;
	rig->sim.page->data_tail = bytes;
	rig->sim.wakeup = ring_crossings(bytes, rig->sim.watermark) *
			  rig->sim.watermark;
}

static enum sim_ring_result put(struct rig *rig, int event, size_t size)
{
	enum sim_ring_result result = sim_ring_sample(&rig->sim,
						      &rig->events[event], &by,
						      &(struct sim_sample){
		.ip = 0x1234,
		.misc = PERF_RECORD_MISC_USER,
		.period = 1,
		.size = size,
	});

	rig->woken += result == SIM_RING_WOKE;
	return result;
}

static void drain(struct rig *rig)
{
	drain_walk(&rig->ring, &rig->drain, 0, &rig->tally);
	drain_apply(&rig->ring, &rig->drain, &rig->tally, DRAIN_TIMER, 2000,
		    &rig->stats);
}

static uint64_t all_lost(const struct rig *rig)
{
	uint64_t lost = 0;

	for (int i = 0; i < EVENTS; i++)
		lost += rig->events[i].lost;
	return lost;
}

/* Check the accounts, which hold at any time after a drain. */
static void check_accounts(const struct rig *rig)
{
	assert_int_equal(rig->stats.broken, 0);
	assert_int_equal(rig->stats.unknown_ids, 0);
	assert_int_equal(rig->stats.lost + rig->sim.lost, all_lost(rig));
	assert_int_equal(rig->drain.samples[SIDE_BAND], 0);
	for (int i = A; i < EVENTS; i++)
		assert_int_equal(rig->drain.samples[i] + rig->events[i].lost,
				 rig->events[i].count);
}

TEST(test_sample_layout)
{
	struct rig rig;

	rig_init(&rig, 0, false);
	assert_int_equal(rig.sim.watermark, SIZE / 2);
	assert_int_equal(rig.sim.page->data_size, SIZE);
	assert_int_equal(put(&rig, B, 60), SIM_RING_WRITTEN);
	assert_int_equal(ring_head(&rig.ring), 64);
	/* type 9, misc 2, size 64 */
	assert_int_equal(ring_word(&rig.ring, 0), 9 | 2ULL << 32 | 64ULL << 48);
	assert_int_equal(ring_word(&rig.ring, RECORD_SAMPLE_ID), 72);
	assert_int_equal(ring_word(&rig.ring, 16), 0x1234);
	assert_int_equal(ring_word(&rig.ring, RECORD_SAMPLE_TID),
			 42 | 43ULL << 32);
	assert_int_equal(ring_word(&rig.ring, RECORD_SAMPLE_TIME), 1000);
	assert_int_equal(ring_word(&rig.ring, 40), 5);
	assert_int_equal(ring_word(&rig.ring, 48), 1);
	/* a raw field of 4 bytes */
	assert_int_equal(ring_word(&rig.ring, 56), 4);
	rig_free(&rig);
}

TEST(test_record_layout)
{
	struct rig rig;

	rig_init(&rig, 0, false);
	sim_ring_record(&rig.sim, &rig.events[SIDE_BAND], &by,
			PERF_RECORD_SWITCH, 0x2000, "abc", 3);
	assert_int_equal(ring_head(&rig.ring), 8 + 8 + RECORD_TRAILER);
	assert_int_equal(ring_word(&rig.ring, 0),
			 14 | 0x2000ULL << 32 | 48ULL << 48);
	assert_int_equal(ring_word(&rig.ring, 8), 'a' | 'b' << 8 | 'c' << 16);
	assert_int_equal(ring_word(&rig.ring, 16), 42 | 43ULL << 32);
	assert_int_equal(ring_word(&rig.ring, 48 - RECORD_TRAILER_TIME), 1000);
	assert_int_equal(ring_word(&rig.ring, 32), 5);
	assert_int_equal(ring_word(&rig.ring, 48 - RECORD_TRAILER_ID), 70);
	rig_free(&rig);
}

/* 4096 / 56 = 73.1: 73 fit, then all are lost until a drain. */
TEST(test_full_ring)
{
	struct rig rig;

	rig_init(&rig, 0, false);
	for (int i = 0; i < 73; i++)
		assert_int_not_equal(put(&rig, A, 56), SIM_RING_LOST);
	for (int i = 0; i < 10; i++)
		assert_int_equal(put(&rig, i % 2 ? A : B, 56), SIM_RING_LOST);
	assert_int_equal(rig.sim.lost, 10);
	assert_int_equal(rig.events[A].lost, 5);
	assert_int_equal(rig.events[A].count, 78);
	drain(&rig);
	assert_int_equal(rig.tally.used, 73 * 56);
	/* not reported yet */
	assert_int_equal(rig.stats.lost, 0);
	check_accounts(&rig);

	assert_int_not_equal(put(&rig, B, 56), SIM_RING_LOST);
	assert_int_equal(rig.sim.lost, 0);
	/* the LOST is first, with the id of the event that wrote next */
	assert_int_equal(ring_word(&rig.ring, 73 * 56),
			 PERF_RECORD_LOST | 56ULL << 48);
	assert_int_equal(ring_word(&rig.ring, 73 * 56 + 8), 72);
	assert_int_equal(ring_word(&rig.ring, 73 * 56 + RECORD_LOST_COUNT),
			 10);
	drain(&rig);
	assert_int_equal(rig.tally.records, 2);
	assert_int_equal(rig.stats.lost, 10);
	check_accounts(&rig);
	rig_free(&rig);
}

/* A byte stays free: the last record that would fill the ring is lost. */
TEST(test_never_quite_full)
{
	struct rig rig;

	rig_init(&rig, 0, false);
	for (int i = 0; i < 63; i++)
		assert_int_not_equal(put(&rig, A, 64), SIM_RING_LOST);
	assert_int_equal(put(&rig, A, 64), SIM_RING_LOST);
	rig.sim.page->data_tail = 64;
	/* with the LOST it is 120 bytes now, and 127 are free */
	assert_int_not_equal(put(&rig, A, 64), SIM_RING_LOST);
	assert_int_equal(ring_head(&rig.ring) - ring_tail(&rig.ring), 62 * 64 +
			 SIM_RING_LOST_RECORD + 64);
	rig_free(&rig);
}

TEST(test_no_room_for_the_lost)
{
	struct rig rig;

	rig_init(&rig, 0, false);
	while (put(&rig, A, 64) != SIM_RING_LOST)
		;
	/* room for the record, but not for the LOST before it */
	rig.sim.page->data_tail = 48;
	assert_int_equal(put(&rig, A, 56), SIM_RING_LOST);
	assert_int_equal(rig.sim.lost, 2);
	rig_free(&rig);
}

static void check_wrap(uint64_t start)
{
	uint64_t comm[2];
	struct rig rig;

	rig_init(&rig, 0, false);
	rig_skip(&rig, start);
	put(&rig, A, 104);
	sim_ring_record(&rig.sim, &rig.events[SIDE_BAND], &by,
			PERF_RECORD_COMM, 0, "0123456789abcdef", 16);
	put(&rig, B, 56);
	comm[0] = ring_word(&rig.ring, start + 104 + 8);
	comm[1] = ring_word(&rig.ring, start + 104 + 16);
	assert_memory_equal(comm, "0123456789abcdef", 16);
	drain(&rig);
	assert_int_equal(rig.tally.end, start + 104 + 56 + 56);
	assert_int_equal(rig.stats.types[RECORD_SAMPLE], 2);
	assert_int_equal(rig.stats.types[RECORD_COMM], 1);
	check_accounts(&rig);
	assert_int_equal(rig.drain.samples[A], 1);
	rig_free(&rig);
}

TEST(test_wrap_at_every_offset)
{
	for (uint64_t offset = 0; offset < SIZE; offset += 8)
		check_wrap(offset);
	/* and where the position itself wraps */
	for (uint64_t offset = 0; offset < 256; offset += 8)
		check_wrap(-offset);
}

TEST(test_lost_that_wraps)
{
	for (uint64_t offset = SIZE - 56; offset < SIZE; offset += 8) {
		struct rig rig;

		rig_init(&rig, 0, false);
		rig_skip(&rig, offset);
		rig.sim.lost = 77;
		rig.events[A].lost = 77;
		rig.events[A].count = 77;
		put(&rig, A, 56);
		drain(&rig);
		assert_int_equal(rig.stats.lost, 77);
		check_accounts(&rig);
		rig_free(&rig);
	}
}

/* Strictly more than the watermark: an exact multiple does not wake yet. */
TEST(test_crossings)
{
	struct rig rig;

	rig_init(&rig, 640, false);
	for (int i = 0; i < 10; i++)
		assert_int_equal(put(&rig, A, 64), SIM_RING_WRITTEN);
	assert_int_equal(put(&rig, A, 64), SIM_RING_WOKE);
	assert_int_equal(rig.sim.wakeup, 640);
	/* a timer drain does not move the next crossing, at 1280 */
	drain(&rig);
	for (int i = 0; i < 9; i++)
		assert_int_equal(put(&rig, A, 64), SIM_RING_WRITTEN);
	assert_int_equal(put(&rig, A, 64), SIM_RING_WOKE);
	rig_free(&rig);
}

TEST(test_crossings_match_the_reader)
{
	for (uint64_t watermark = 256; watermark <= 2048; watermark += 152) {
		struct rig rig;

		rig_init(&rig, watermark, false);
		for (size_t i = 0; i < 3000; i++) {
			put(&rig, A, 56 + i % 7 * 16);
			if (i % 11 == 0)
				drain(&rig);
		}
		drain(&rig);
		assert_int_equal(rig.woken, ring_crossings(rig.sim.head,
							   watermark));
		assert_int_equal(rig.stats.crossings, rig.woken);
		rig_free(&rig);
	}
}

TEST(test_watermark_limits)
{
	struct rig rig;

	rig_init(&rig, 100000, false);
	assert_int_equal(rig.sim.watermark, SIZE);
	rig_free(&rig);
}

TEST(test_paused)
{
	struct rig rig;

	rig_init(&rig, 0, false);
	put(&rig, A, 56);
	rig.sim.paused = true;
	assert_int_equal(put(&rig, A, 56), SIM_RING_LOST);
	assert_int_equal(put(&rig, B, 56), SIM_RING_LOST);
	assert_int_equal(ring_head(&rig.ring), 56);
	rig.sim.paused = false;
	assert_int_equal(put(&rig, A, 56), SIM_RING_WRITTEN);
	drain(&rig);
	assert_int_equal(rig.stats.lost, 2);
	check_accounts(&rig);
	rig_free(&rig);
}

/* Written backward from 0, the newest first, never full. */
TEST(test_overwrite)
{
	struct ring_overwrite out = { 0 };
	struct rig rig;

	rig_init(&rig, 0, true);
	put(&rig, A, 56);
	assert_int_equal(rig.sim.page->data_head, (uint64_t)-56);
	assert_int_equal(ring_head(&rig.ring), 56);
	put(&rig, B, 64);
	assert_int_equal(ring_word(&rig.ring, (uint64_t)-120 + 8), 72);
	assert_int_equal(ring_word(&rig.ring, (uint64_t)-56 + 8), 71);
	overwrite_walk(&rig.ring, 5000, &out);
	assert_int_equal(out.records, 2);

	for (int i = 0; i < 1000; i++)
		assert_int_not_equal(put(&rig, A, 56), SIM_RING_LOST);
	overwrite_walk(&rig.ring, 5000, &out);
	assert_int_equal(out.records, SIZE / 56);
	assert_int_equal(all_lost(&rig), 0);
	assert_int_equal(ring_head(&rig.ring), 120 + 1000 * 56);
	assert_int_equal(rig.woken, ring_crossings(120 + 1000 * 56, SIZE / 2));
	rig_free(&rig);
}

TEST(test_overwrite_pause)
{
	struct rig rig;
	uint64_t head;

	rig_init(&rig, 0, true);
	put(&rig, A, 56);
	rig.sim.paused = true;
	put(&rig, A, 56);
	rig.sim.paused = false;
	put(&rig, B, 64);
	head = rig.sim.page->data_head;
	assert_int_equal(head, (uint64_t)-(56 + 56 + 64));
	/* the LOST is before the next record */
	assert_int_equal(ring_word(&rig.ring, head),
			 PERF_RECORD_LOST | 56ULL << 48);
	assert_int_equal(ring_word(&rig.ring, head + 56 + 8), 72);
	rig_free(&rig);
}

TEST(test_aux)
{
	struct sim_event *event;
	struct rig rig;

	rig_init(&rig, 0, false);
	event = &rig.events[SIDE_BAND];
	sim_ring_set_aux(&rig.sim, 65536, 16384, false);
	assert_int_equal(rig.sim.page->aux_size, 65536);
	assert_int_equal(sim_ring_aux(&rig.sim, event, &by, 10000),
			 SIM_RING_WRITTEN);
	assert_int_equal(rig.sim.page->aux_head, 10000);
	assert_int_equal(ring_word(&rig.ring, 0), 11 | 64ULL << 48);
	assert_int_equal(ring_word(&rig.ring, 8), 0);
	assert_int_equal(ring_word(&rig.ring, 16), 10000);
	assert_int_equal(ring_word(&rig.ring, 24), 0);
	assert_int_equal(sim_ring_aux(&rig.sim, event, &by, 10000),
			 SIM_RING_WOKE);

	/* 45535 bytes are left: the record says so, and the trace stops */
	sim_ring_aux(&rig.sim, event, &by, 50000);
	assert_int_equal(rig.sim.page->aux_head, 65535);
	assert_int_equal(ring_word(&rig.ring, 128 + 8), 20000);
	assert_int_equal(ring_word(&rig.ring, 128 + 16), 45535);
	assert_int_equal(ring_word(&rig.ring, 128 + 24),
			 PERF_AUX_FLAG_TRUNCATED);
	assert_true(rig.sim.aux_stopped);
	assert_int_equal(sim_ring_aux(&rig.sim, event, &by, 1),
			 SIM_RING_WRITTEN);
	assert_int_equal(rig.sim.page->aux_head, 65535);

	/* the reader frees the space and enables the event */
	rig.sim.page->aux_tail = 65535;
	rig.sim.aux_stopped = false;
	sim_ring_aux(&rig.sim, event, &by, 100);
	assert_int_equal(rig.sim.page->aux_head, 65635);
	drain(&rig);
	assert_int_equal(rig.stats.types[RECORD_AUX], 4);
	rig_free(&rig);
}

/* Never full; the head is known and reported only when tracing stops. */
TEST(test_aux_in_snapshot_mode)
{
	struct sim_event *event;
	struct rig rig;

	rig_init(&rig, 0, false);
	event = &rig.events[SIDE_BAND];
	sim_ring_set_aux(&rig.sim, 65536, 16384, true);
	for (int i = 0; i < 3; i++)
		assert_int_equal(sim_ring_aux(&rig.sim, event, &by, 30000),
				 SIM_RING_WRITTEN);
	assert_int_equal(rig.sim.page->aux_head, 0);
	assert_int_equal(ring_head(&rig.ring), 0);
	assert_int_equal(sim_ring_aux_stop(&rig.sim, event, &by),
			 SIM_RING_WRITTEN);
	assert_int_equal(rig.sim.page->aux_head, 90000);
	assert_int_equal(ring_word(&rig.ring, 0), 11 | 64ULL << 48);
	assert_int_equal(ring_word(&rig.ring, 8), 90000);
	assert_int_equal(ring_word(&rig.ring, 16), 65536);
	assert_int_equal(ring_word(&rig.ring, 24), PERF_AUX_FLAG_OVERWRITE);
	assert_false(rig.sim.aux_stopped);
	rig_free(&rig);
}

/* The traffic */

static struct sim_code *code;

static int code_setup(void **state)
{
	(void)state;
	code = sim_code_new(0);
	return code ? 0 : -1;
}

static int code_teardown(void **state)
{
	(void)state;
	sim_code_free(code);
	return 0;
}

static void traffic_init(struct sim_traffic *traffic, uint64_t seed, int cpu,
			 unsigned int mix, size_t record)
{
	sim_traffic_init(traffic, cpu, &(struct sim_traffic_opts){
		.seed = seed,
		.mix = mix,
		.record = record,
		.code = code,
	});
}

TEST(test_equation_under_every_mix)
{
	unsigned int mix;

	for (mix = 0; sim_traffic_mixes()[mix]; mix++) {
		struct sim_traffic traffic;
		struct rig rig;

		rig_init(&rig, 0, false);
		traffic_init(&traffic, 7, 0, mix, 72);
		for (int i = 0; i < 20000; i++) {
			sim_traffic_next(&traffic, &rig.sim, rig.events,
					 EVENTS, 1, (uint64_t)i + 1);
			/* sometimes in time, sometimes too late */
			if (i % (i / 1000 % 2 ? 20 : 100) == 0) {
				drain(&rig);
				check_accounts(&rig);
			}
		}
		drain(&rig);
		check_accounts(&rig);
		assert_true(rig.stats.lost > 1000);
		assert_true(rig.drain.samples[A] > 1000);
		assert_true(rig.drain.samples[B] > 1000);
		if (mix == 0)
			assert_int_equal(rig.stats.records, 20000 -
					 all_lost(&rig) +
					 rig.stats.types[RECORD_LOST]);
		rig_free(&rig);
	}
}

static void run_traffic(struct rig *rig, uint64_t seed, int cpu)
{
	struct sim_traffic traffic;

	rig_init(rig, 0, true);
	traffic_init(&traffic, seed, cpu, 1, 64);
	for (uint64_t i = 1; i <= 500; i++)
		sim_traffic_next(&traffic, &rig->sim, rig->events, EVENTS, 1,
				 i);
}

TEST(test_same_seed_same_records)
{
	size_t bytes = sys_page_size() + SIZE;
	struct rig one, two, seed, cpu;

	run_traffic(&one, 1, 0);
	run_traffic(&two, 1, 0);
	run_traffic(&seed, 2, 0);
	run_traffic(&cpu, 1, 1);
	assert_memory_equal(one.base, two.base, bytes);
	assert_memory_not_equal(one.base, seed.base, bytes);
	assert_memory_not_equal(one.base, cpu.base, bytes);
	rig_free(&one);
	rig_free(&two);
	rig_free(&seed);
	rig_free(&cpu);
}

TEST(test_record_types_and_tasks)
{
	static const unsigned int types[] = {
		RECORD_SAMPLE, RECORD_COMM, RECORD_MMAP2, RECORD_FORK,
		RECORD_EXIT, RECORD_SWITCH, RECORD_THROTTLE, RECORD_UNTHROTTLE,
	};
	struct top_pid top[TOP_PIDS];
	struct sim_traffic traffic;
	unsigned int nr;
	struct rig rig;

	rig_init(&rig, 0, false);
	traffic_init(&traffic, 1, 0, 4, 64);
	for (uint64_t i = 1; i <= 20000; i++) {
		assert_int_not_equal(sim_traffic_next(&traffic, &rig.sim,
						      rig.events, EVENTS, 1,
						      i), SIM_RING_LOST);
		if (i % 16 == 0)
			drain(&rig);
	}
	drain(&rig);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		assert_true(rig.stats.types[types[i]] > 5);
	assert_in_range(rig.stats.types[RECORD_SWITCH], 130, 270);
	nr = top_pids_sorted(&rig.stats.pids, top);
	assert_in_range(nr, 4, 8);
	assert_true(top[0].samples > 2 * top[nr - 1].samples);
	for (unsigned int i = 0; i < nr; i++)
		assert_non_null(sim_traffic_comm(top[i].pid));
	assert_null(sim_traffic_comm(1));
	rig_free(&rig);
}

TEST_GROUP(sim_ring, .setup = code_setup, .teardown = code_teardown);
