/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/sys.h"
#include "fake_ring.h"

static void copy_joins_what_wraps(void **state)
{
	unsigned char got[64];
	struct fake_ring f;

	(void)state;
	fake_ring_init(&f, 4096);
	for (uint64_t i = 0; i < 4096; i += 8)
		fake_ring_word(&f, i, i);
	for (uint64_t at = 4096 - 64; at <= 4096; at += 8) {
		ring_copy(&f.ring, at, got, sizeof(got));
		for (uint64_t i = 0; i < sizeof(got); i += 8) {
			uint64_t word;

			memcpy(&word, got + i, 8);
			assert_int_equal(word, (at + i) % 4096);
			assert_int_equal(ring_word(&f.ring, at + i), word);
		}
	}
	fake_ring_free(&f);
}

static void copy_of_the_whole_ring(void **state)
{
	static unsigned char got[4096];
	struct fake_ring f;

	(void)state;
	fake_ring_init(&f, 4096);
	fake_ring_word(&f, 8, 42);
	ring_copy(&f.ring, 8, got, sizeof(got));
	assert_int_equal(got[0], 42);
	assert_int_equal(got[4088], 0);
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

static void crossings_are_the_kernels(void **state)
{
	(void)state;
	assert_int_equal(ring_crossings(0, 4096), 0);
	assert_int_equal(ring_crossings(4096, 4096), 0);
	assert_int_equal(ring_crossings(4104, 4096), 1);
	assert_int_equal(ring_crossings(100, 0), 0);
	for (uint64_t record = 16; record <= 256; record += 8)
		for (uint64_t nr = 1; nr < 600; nr += 7)
			assert_int_equal(ring_crossings(record * nr, 4096),
					 kernel_wakeups(record, nr, 4096));
}

static void overwrite_heads_fall_but_count_up(void **state)
{
	struct fake_ring f;

	(void)state;
	fake_ring_init(&f, 4096);
	f.ring.overwrite = true;
	f.ring.page->data_head = (uint64_t)-640;
	assert_int_equal(ring_head(&f.ring), 640);
	fake_ring_free(&f);
}

static void map_refused_leaves_no_ring(void **state)
{
	struct ring ring = { 0 };

	(void)state;
	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(ring_map(&ring, -1, 4096, false), -EPERM);
	assert_null(ring.page);
	ring_unmap(&ring);	/* harmless */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copy_joins_what_wraps),
		cmocka_unit_test(copy_of_the_whole_ring),
		cmocka_unit_test(crossings_are_the_kernels),
		cmocka_unit_test(overwrite_heads_fall_but_count_up),
		cmocka_unit_test(map_refused_leaves_no_ring),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
