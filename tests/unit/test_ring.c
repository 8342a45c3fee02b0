/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>

#include "base/sys.h"
#include "fake_ring.h"

TEST(words_are_found_across_the_wrap)
{
	struct fake_ring f;

	fake_ring_init(&f, 4096);
	for (uint64_t i = 0; i < 4096; i += 8)
		fake_ring_word(&f, i, i);
	for (uint64_t at = 4096 - 64; at <= 4096 + 64; at += 8)
		assert_int_equal(ring_word(&f.ring, at), at % 4096);
	/* where the position itself wraps */
	assert_int_equal(ring_word(&f.ring, (uint64_t)-8), 4088);
	fake_ring_free(&f);
}

TEST(header_is_what_stands_there)
{
	struct perf_event_header header;
	struct fake_ring f;

	fake_ring_init(&f, 4096);
	fake_ring_skip(&f, 4096 - 8);
	fake_ring_put(&f, PERF_RECORD_COMM, 56);
	header = ring_header(&f.ring, 4096 - 8);
	assert_int_equal(header.type, PERF_RECORD_COMM);
	assert_int_equal(header.misc, 0);
	assert_int_equal(header.size, 56);
	fake_ring_free(&f);
}

/* The kernel's own loop, __perf_output_begin(): one step per record. */
static uint64_t kernel_wakeups(uint64_t record, uint64_t records,
			       uint64_t watermark)
{
	uint64_t wakeup = 0, wakeups = 0;

	for (uint64_t head = record; head <= record * records; head += record)
		if (head - wakeup > watermark) {
			wakeup += watermark;
			wakeups++;
		}
	return wakeups;
}

TEST(crossings_are_the_kernels)
{
	assert_int_equal(ring_crossings(0, 4096), 0);
	assert_int_equal(ring_crossings(4096, 4096), 0);
	assert_int_equal(ring_crossings(4104, 4096), 1);
	assert_int_equal(ring_crossings(100, 0), 0);
	for (uint64_t record = 16; record <= 256; record += 8)
		for (uint64_t nr = 1; nr < 600; nr += 7)
			assert_int_equal(ring_crossings(record * nr, 4096),
					 kernel_wakeups(record, nr, 4096));
}

TEST(overwrite_heads_fall_but_count_up)
{
	struct fake_ring f;

	fake_ring_init(&f, 4096);
	f.ring.overwrite = true;
	f.ring.page->data_head = (uint64_t)-640;
	assert_int_equal(ring_head(&f.ring), 640);
	fake_ring_free(&f);
}

TEST(map_refused_leaves_no_ring)
{
	struct ring ring = { 0 };

	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(ring_map(&ring, -1, 4096, false), -EPERM);
	assert_null(ring.page);
	ring_unmap(&ring);	/* harmless */
}

TEST_GROUP(ring);
