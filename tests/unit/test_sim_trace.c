/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "trace/pmu/intel_pt.h"
#include "sim/sim_ring.h"

enum { SIZE = 8192, START = 1000000 };

static const struct perf_time_conv ns = {
	.time_mult = 1, .cap_user_time_zero = true,
};

static unsigned char area[SIZE], other[SIZE];

static void write_from(unsigned char *data, uint64_t seed, int cpu,
		       uint64_t step)
{
	struct sim_trace trace;

	memset(data, 0xee, SIZE);
	sim_trace_init(&trace, seed, cpu, data, SIZE);
	for (uint64_t at = 0; at < SIZE; at += step)
		sim_trace_write(&trace, at, at + step, START);
}

static size_t count_ptwrites(const unsigned char *at, const unsigned char *end)
{
	size_t nr = 0;

	for (; end - at >= 10 && at[0] == 0x02 && at[1] == 0x32; at += 10)
		nr++;
	return nr;
}

TEST(a_block_is_whole_packets)
{
	write_from(area, 7, 0, SIZE);
	for (int at = 0; at < SIZE; at += SIM_TRACE_BLOCK) {
		const unsigned char *block = area + at;

		assert_memory_equal(block, "\x02\x82\x02\x82\x02\x82\x02\x82"
				    "\x02\x82\x02\x82\x02\x82\x02\x82", 16);
		assert_memory_equal(block + 16, "\x19\x40\x42\x0f\0\0\0\0", 8);
		assert_memory_equal(block + 24, "\x02\x23", 2);
		assert_int_equal(count_ptwrites(block + 26,
						block + SIM_TRACE_BLOCK),
				 SIM_TRACE_PTWRITES);
		assert_memory_equal(block + SIM_TRACE_BLOCK - 2, "\0\0", 2);
	}
}

/* Independent of how many bytes are written at once. */
TEST(it_is_of_seed_cpu_and_position)
{
	write_from(area, 7, 1, SIZE);
	write_from(other, 7, 1, 32);
	assert_memory_equal(area, other, SIZE);
	write_from(other, 8, 1, SIZE);
	assert_memory_not_equal(area, other, SIZE);
	write_from(other, 7, 2, SIZE);
	assert_memory_not_equal(area, other, SIZE);
	assert_memory_not_equal(area, area + SIM_TRACE_BLOCK, SIM_TRACE_BLOCK);
}

/* At a constant rate: a full ring covers twice the time of half a ring. */
TEST(its_times_tell_how_far_it_reaches)
{
	struct sim_trace trace;

	sim_trace_init(&trace, 1, 0, area, SIZE);
	sim_trace_write(&trace, 0, SIZE, START);
	sim_trace_write(&trace, SIZE, 2 * SIZE, 3 * START);
	assert_int_equal(intel_pt_oldest(&ns, 4 * START, area, SIZE), START);
	assert_int_equal(intel_pt_oldest(&ns, 4 * START, area + SIZE / 2,
					 SIZE / 2), 2 * START);
	/* half of it overwritten */
	sim_trace_write(&trace, 2 * SIZE, 2 * SIZE + SIZE / 2, 4 * START);
	assert_int_equal(intel_pt_oldest(&ns, 4 * START, area, SIZE / 2),
			 3 * START);
}

TEST_GROUP(sim_trace);
