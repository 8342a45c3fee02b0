/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "perf/abi/record.h"

TEST(names_are_the_kernels)
{
	assert_string_equal(record_name(PERF_RECORD_SAMPLE), "SAMPLE");
	assert_string_equal(record_name(PERF_RECORD_LOST), "LOST");
	assert_string_equal(record_name(PERF_RECORD_SWITCH_CPU_WIDE),
			    "SWITCH_CPU_WIDE");
	assert_int_equal(RECORD_MMAP2, PERF_RECORD_MMAP2);
	assert_int_equal(RECORD_AUX, PERF_RECORD_AUX);
	assert_int_equal(RECORD_AUX_OUTPUT_HW_ID,
			 PERF_RECORD_AUX_OUTPUT_HW_ID);
}

TEST(unknown_types_are_other)
{
	assert_string_equal(record_name(0), "OTHER");
	assert_string_equal(record_name(31), "OTHER");
	assert_string_equal(record_name(4000000000u), "OTHER");
	assert_int_equal(record_index(4000000000u), RECORD_OTHER);
	assert_int_equal(record_index(RECORD_TYPES), RECORD_OTHER);
	assert_int_equal(record_index(PERF_RECORD_LOST), RECORD_LOST);
}

TEST(sizes_that_lie_are_seen)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };

	assert_false(record_sane(header, 4096));
	header.size = 4;
	assert_false(record_sane(header, 4096));
	header.size = 60;
	assert_false(record_sane(header, 4096));
	header.size = 64;
	assert_false(record_sane(header, 56));
	assert_true(record_sane(header, 64));
	header.size = 8;
	assert_true(record_sane(header, 8));
}

TEST(layout_follows_sample_type)
{
	/* header, id, ip, pid+tid, time, cpu+res, period: 8 bytes each */
	assert_int_equal(RECORD_SAMPLE_FIXED, 7 * 8);
	/* pid+tid, time, cpu+res, id */
	assert_int_equal(RECORD_TRAILER, 4 * 8);
}

/* After id, ip and pid in a sample; in the trailer of all other records. */
TEST(time_is_found)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };

	header.size = 56;
	assert_int_equal(record_time_offset(header), 32);
	header.size = 400;
	assert_int_equal(record_time_offset(header), 32);
	header.size = 48;
	assert_int_equal(record_time_offset(header), 0);
	header.type = PERF_RECORD_COMM;
	assert_int_equal(record_time_offset(header), 24);
	header.size = 32;
	assert_int_equal(record_time_offset(header), 0);
	header.size = 65528;
	assert_int_equal(record_time_offset(header), 65504);
}

TEST_GROUP(record);
