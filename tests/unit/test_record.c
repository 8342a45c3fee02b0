/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "perf/abi/record.h"
#include "perf/abi/ring.h"

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
	assert_int_equal(record_time_offset(header, 56), 32);
	header.size = 400;
	assert_int_equal(record_time_offset(header, 400), 32);
	header.size = 48;
	assert_int_equal(record_time_offset(header, 48), 0);
	header.type = PERF_RECORD_COMM;
	assert_int_equal(record_time_offset(header, 48), 24);
	assert_int_equal(record_time_offset(header, 32), 0);
	assert_int_equal(record_time_offset(header, 65528), 65504);
}

/*
 * A record of @type in a ring of 256 bytes, from each position: after @body
 * words comes the trailer, then @more words.
 */
static void check_end(uint32_t type, const uint64_t *body, size_t nr,
		      size_t more)
{
	static uint64_t words[32], linear[32];
	struct ring ring = { .data = (unsigned char *)words, .size = 256 };
	struct perf_event_header header = {
		.type = type, .size = (uint16_t)(8 * (1 + nr + 4 + more)),
	};

	memset(linear, 0xaa, sizeof(linear));
	memcpy(linear, &header, sizeof(header));
	memcpy(linear + 1, body, nr * sizeof(*body));
	linear[1 + nr + 1] = 5000;
	assert_int_equal(record_end(linear, header), 8 * (1 + nr + 4));
	assert_int_equal(record_time(linear, header.size), 5000);
	assert_int_equal(record_time(linear, header.size - 8u), 0);
	for (size_t at = 0; at < 32; at++) {
		for (size_t i = 0; i < header.size / 8; i++)
			words[(at + i) % 32] = linear[i];
		assert_int_equal(ring_record_time(&ring, 8 * at, header), 5000);
	}
}

/* What the kernel wrote behind their trailers is not the time. */
TEST(time_of_records_that_are_too_long)
{
	uint64_t ksymbol[] = { 1, 2, 0, 0 }, poke[] = { 1, 0, 0, 0 };
	const uint64_t bpf[] = { 1, 2 };
	const uint16_t lengths[] = { 5, 5 };

	memcpy(ksymbol + 2, "bpf_prog", 9);
	memset(poke + 1, 0x90, 16);
	memcpy(poke + 1, lengths, sizeof(lengths));
	for (size_t more = 0; more < 13; more += 4) {
		check_end(PERF_RECORD_BPF_EVENT, bpf, 2, more);
		check_end(PERF_RECORD_KSYMBOL, ksymbol, 4, more);
		check_end(PERF_RECORD_TEXT_POKE, poke, 3, more);
	}
	/* the others never are */
	check_end(PERF_RECORD_COMM, ksymbol, 4, 0);
}

TEST_GROUP(record);
