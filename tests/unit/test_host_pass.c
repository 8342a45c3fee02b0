/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "host/table/host.h"

TEST(test_add)
{
	struct host_pass pass = { .mono = 5, .parts = HOST_ALL };

	for (uint64_t i = 0; i < 1000; i++) {
		host_pass_add_event(&pass)->ring = i;
		host_pass_add_ring(&pass)->key = i;
		host_pass_add_holder(&pass)->pid = (pid_t)i;
		host_pass_add_limit(&pass)->pid = (pid_t)i;
	}
	assert_int_equal(pass.nr_events, 1000);
	assert_int_equal(pass.nr_rings, 1000);
	assert_int_equal(pass.nr_holders, 1000);
	assert_int_equal(pass.nr_limits, 1000);
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(pass.events[i].ring, i);
		assert_int_equal(pass.rings[i].key, i);
		assert_int_equal(pass.holders[i].pid, i);
		assert_int_equal(pass.limits[i].pid, i);
	}
	host_pass_free(&pass);
	assert_null(pass.events);
	assert_int_equal(pass.nr_rings, 0);
}

/* Entries appended later in the same memory are zeroed. */
TEST(test_clear)
{
	struct host_pass pass = { .mono = 5, .files = 9, .whole = true };
	struct host_pass_ring *first, *again;

	first = host_pass_add_ring(&pass);
	first->size = 77;
	first->lost = 3;
	host_pass_clear(&pass);
	assert_int_equal(pass.nr_rings, 0);
	assert_int_equal(pass.files, 0);
	assert_false(pass.whole);
	assert_true(pass.mono == 0);
	again = host_pass_add_ring(&pass);
	assert_ptr_equal(again, first);
	assert_int_equal(again->size, 0);
	assert_int_equal(again->lost, 0);
	host_pass_free(&pass);
}

TEST_GROUP(host_pass);
