/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "perf/abi/record.h"
#include "perf/abi/side_band.h"

static const struct side_band_layout layout = {
	.sample_type = RECORD_SAMPLE_TYPE,
};

static struct side_band parse(const void *record, size_t size)
{
	struct perf_event_header header;
	struct side_band band;

	memcpy(&header, record, sizeof(header));
	assert_int_equal(header.size, size);
	assert_int_equal(side_band_parse(record, size, &layout, &band), 0);
	assert_int_equal(band.time, 0);
	assert_int_equal(band.cpu, 0);
	assert_int_equal(band.id, 0);
	return band;
}

TEST(comm)
{
	static const uint32_t words[] = {
		PERF_RECORD_COMM, 56 << 16, 7, 8,	/* header, pid, tid */
		0x68736162, 0,				/* "bash" */
		7, 8, 0, 0, 0, 0, 0, 0,			/* the trailer */
	};
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	struct side_band band;

	memset(record, 0xff, sizeof(record));
	assert_int_equal(side_band_make_comm(record, 7, 8, "bash"),
			 sizeof(words));
	assert_memory_equal(record, words, sizeof(words));
	band = parse(record, sizeof(words));
	assert_int_equal(band.comm.exec, false);
	assert_string_equal(band.comm.comm, "bash");

	/* 8 bytes with its NUL, and one more */
	assert_int_equal(side_band_make_comm(record, 7, 8, "7 bytes"), 56);
	assert_int_equal(side_band_make_comm(record, 7, 8, "8 bytes "), 64);
	assert_string_equal(parse(record, 64).comm.comm, "8 bytes ");
	assert_int_equal(side_band_make_comm(record, 7, 8, ""), 56);
	assert_string_equal(parse(record, 56).comm.comm, "");
}

TEST(mmap2)
{
	static const struct side_band_map map = {
		.pid = 7, .tid = 7,
		.start = 0x1000, .len = 0x2000, .pgoff = 0x3000,
		.executable = true,
		.has_inode = true,
		.major = 8, .minor = 1, .inode = 99, .generation = 5,
		.name = "/bin/a\033[31m",
	};
	static const uint64_t words[] = {
		PERF_RECORD_MMAP2 | (uint64_t)PERF_RECORD_MISC_USER << 32 |
			120ull << 48,
		7 | 7ull << 32, 0x1000, 0x2000, 0x3000,
		8 | 1ull << 32, 99, 5, 5 | 2ull << 32,
	};
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	struct side_band band;

	assert_int_equal(side_band_make_mmap2(record, &map, 5, 2), 120);
	assert_memory_equal(record, words, sizeof(words));
	band = parse(record, 120);
	assert_int_equal(band.type, PERF_RECORD_MMAP2);
	assert_true(band.map.executable);
	assert_false(band.map.kernel);
	assert_int_equal(band.map.inode, 99);
	assert_int_equal(band.map.pgoff, 0x3000);
	assert_int_equal(band.pid, 7);
	/* not sanitized: it still has to name the file */
	assert_string_equal(band.map.name, "/bin/a\033[31m");
}

TEST(mmap2_of_data)
{
	const struct side_band_map map = {
		.pid = 1, .tid = 1, .start = 0x1000, .len = 0x1000,
		.inode = 99,	/* not known: has_inode says so */
		.build_id = { 1 }, .build_id_len = 20,
		.name = "[heap]",
	};
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	struct side_band band;
	size_t size;

	size = side_band_make_mmap2(record, &map, 3, 2);
	band = parse(record, size);
	assert_false(band.map.executable);
	assert_int_equal(band.map.inode, 0);
	assert_int_equal(band.map.build_id_len, 0);
}

TEST(longest_name)
{
	static char name[6000];
	struct side_band_map map = { .name = name };
	struct {
		_Alignas(8) uint8_t record[SIDE_BAND_MADE];
		uint8_t behind[16];
	} buf;
	size_t size;

	memset(name, 'n', sizeof(name) - 1);
	memset(&buf, 0xee, sizeof(buf));
	size = side_band_make_mmap2(buf.record, &map, 0, 0);
	assert_in_range(size, 4096, SIDE_BAND_MADE);
	assert_int_equal(strlen(parse(buf.record, size).map.name), 4095);
	for (size_t i = 0; i < sizeof(buf.behind); i++)
		assert_int_equal(buf.behind[i], 0xee);
	size = side_band_make_comm(buf.record, 1, 1, name);
	assert_int_equal(strlen(parse(buf.record, size).comm.comm), 4095);
}

TEST(fork_record)
{
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	struct side_band band;

	assert_int_equal(side_band_make_fork(record, 7, 1, 8, 7), 8 + 24 + 32);
	band = parse(record, 64);
	assert_int_equal(band.type, PERF_RECORD_FORK);
	assert_int_equal(band.task.pid, 7);
	assert_int_equal(band.task.ppid, 1);
	assert_int_equal(band.task.tid, 8);
	assert_int_equal(band.task.ptid, 7);
}

TEST(kernel)
{
	_Alignas(8) uint8_t record[SIDE_BAND_MADE];
	struct side_band band;
	size_t size;

	size = side_band_make_kernel(record, 0xffffffff81000000, 0x1000000,
				     0xffffffff81000000,
				     "[kernel.kallsyms]_text");
	band = parse(record, size);
	assert_int_equal(size, 8 + 32 + 24 + 32);
	assert_int_equal(band.type, PERF_RECORD_MMAP);
	assert_int_equal(band.misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(band.map.pid, -1);
	assert_int_equal(band.map.tid, 0);
	assert_true(band.map.start == 0xffffffff81000000);
	assert_int_equal(band.map.len, 0x1000000);
	assert_true(band.map.pgoff == 0xffffffff81000000);
	assert_string_equal(band.map.name, "[kernel.kallsyms]_text");
}

TEST_GROUP(side_band_make);
