/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>

#include "perf/abi/record.h"
#include "trace/perfdata/machine.h"
#include "perf/abi/side_band.h"
#include "trace/perfdata/perfdata_writer.h"
#include "tests/unit/perfdata_rig.h"

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

TEST(kernel)
{
	struct perfdata_module modules[] = {
		{ .name = "[ext4]", .path = (char *)"/lib/ext4.ko",
		  .start = 0x9000, .len = 0x100 },
		{ .name = "[nvme]", .start = 0xa000, .len = 0x200 },
	};
	const struct perfdata_machine machine = {
		.kernel_start = 0xffffffff81000000,
		.kernel_end = 0xffffffff82000000,
		.kernel_ref = 0xffffffff81000000,
		.modules = modules, .nr_modules = 2,
	};
	const uint8_t *at;
	struct perfdata_rig rig;
	struct side_band band;

	rig_begin(&rig, NULL, 0);
	assert_int_equal(synth_kernel(rig.w, &machine), 0);
	rig_finish(&rig, NULL);
	at = rig_data(&rig);
	band = parse(at, 8 + 32 + 24 + 32);
	assert_int_equal(band.type, PERF_RECORD_MMAP);
	assert_int_equal(band.misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(band.map.pid, -1);
	assert_int_equal(band.map.tid, 0);
	assert_true(band.map.start == 0xffffffff81000000);
	assert_int_equal(band.map.len, 0x1000000);
	assert_true(band.map.pgoff == 0xffffffff81000000);
	assert_string_equal(band.map.name, "[kernel.kallsyms]_text");
	at += 96;
	band = parse(at, 8 + 32 + 16 + 32);
	assert_int_equal(band.map.start, 0x9000);
	assert_int_equal(band.map.len, 0x100);
	assert_int_equal(band.map.pgoff, 0);
	assert_string_equal(band.map.name, "/lib/ext4.ko");
	at += 88;
	band = parse(at, 8 + 32 + 8 + 32);
	assert_string_equal(band.map.name, "[nvme]");
	assert_int_equal(at + 80 - rig_data(&rig), rig.header.data.size);
	rig_free(&rig);
}

/* With kernel.kptr_restrict there is no kernel map, rather than one at 0. */
TEST(hidden_kernel)
{
	const struct perfdata_machine machine = { 0 };
	struct perfdata_rig rig;

	rig_begin(&rig, NULL, 0);
	assert_int_equal(synth_kernel(rig.w, &machine), 0);
	rig_finish(&rig, NULL);
	assert_int_equal(rig.header.data.size, 0);
	rig_free(&rig);
}

TEST(time_conv)
{
	const struct perf_time_conv conv = {
		.time_shift = 31, .time_mult = 0x5a5a5a5a, .time_zero = 77,
		.cap_user_time_zero = true,
		.time_cycles = 5, .time_mask = 0xff,
		.cap_user_time_short = true,
	};
	static const uint64_t words[] = {
		79 | 56ull << 48, 31, 0x5a5a5a5a, 77, 5, 0xff, 0x0101,
	};
	struct perfdata_rig rig;

	rig_begin(&rig, NULL, 0);
	assert_int_equal(synth_time_conv(rig.w, &conv), 0);
	rig_finish(&rig, NULL);
	assert_int_equal(rig.header.data.size, sizeof(words));
	assert_memory_equal(rig_data(&rig), words, sizeof(words));
	rig_free(&rig);
}

TEST(id_index)
{
	const struct synth_id ids[] = {
		{ .id = 100, .idx = 3, .cpu = 2, .tid = -1 },
		{ .id = 101, .idx = 4, .cpu = -1, .tid = 99 },
	};
	static const uint64_t words[] = {
		69 | 80ull << 48, 2,
		100, 3, 2, UINT64_MAX,
		101, 4, UINT64_MAX, 99,
	};
	struct perfdata_rig rig;

	rig_begin(&rig, NULL, 0);
	assert_int_equal(synth_id_index(rig.w, ids, 2), 0);
	assert_int_equal(synth_id_index(rig.w, ids, 0), 0);
	rig_finish(&rig, NULL);
	assert_int_equal(rig.header.data.size, sizeof(words));
	assert_memory_equal(rig_data(&rig), words, sizeof(words));
	rig_free(&rig);
}

/* A header's size is a u16: 512 CPUs and 8 events make more than one. */
TEST(many_ids)
{
	static struct synth_id ids[4096];
	uint64_t next = 1000;
	struct perfdata_rig rig;
	const uint8_t *at, *end;

	for (size_t i = 0; i < 4096; i++)
		ids[i].id = 1000 + i;
	rig_begin(&rig, NULL, 0);
	assert_int_equal(synth_id_index(rig.w, ids, 4096), 0);
	rig_finish(&rig, NULL);
	at = rig_data(&rig);
	end = at + rig.header.data.size;
	while (at < end) {
		struct perf_event_header header;
		uint64_t nr = rig_u64(at + 8);

		memcpy(&header, at, sizeof(header));
		assert_int_equal(header.type, 69);
		assert_int_equal(header.size, 16 + nr * 32);
		for (uint64_t i = 0; i < nr; i++)
			assert_int_equal(rig_u64(at + 16 + i * 32), next++);
		at += header.size;
	}
	assert_ptr_equal(at, end);
	assert_int_equal(next, 1000 + 4096);
	rig_free(&rig);
}

TEST(auxtrace_info)
{
	static const uint64_t priv[8190] = { 8, 9 };
	static const uint64_t words[] = { 70 | 32ull << 48, 1, 8, 9 };
	struct perfdata_rig rig;

	rig_begin(&rig, NULL, 0);
	assert_int_equal(synth_auxtrace_info(rig.w, 1, priv, 2), 0);
	assert_int_equal(synth_auxtrace_info(rig.w, 1, priv, 8190), -E2BIG);
	assert_int_equal(synth_auxtrace_info(rig.w, 1, priv, 8189), 0);
	rig_finish(&rig, NULL);
	assert_int_equal(rig.header.data.size, 32 + 65528);
	assert_memory_equal(rig_data(&rig), words, sizeof(words));
	assert_int_equal(rig_u64(rig_data(&rig) + 32),
			 70 | (uint64_t)65528 << 48);
	rig_free(&rig);
}

TEST(finished_round)
{
	struct perfdata_rig rig;

	rig_begin(&rig, NULL, 0);
	assert_int_equal(synth_finished_round(rig.w), 0);
	rig_finish(&rig, NULL);
	assert_int_equal(rig.header.data.size, 8);
	assert_int_equal(rig_u64(rig_data(&rig)), 68 | 8ull << 48);
	rig_free(&rig);
}

TEST_GROUP(synth);
