/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "ring/ring_stats.h"

TEST(test_exact_while_few)
{
	struct top_pids top = { 0 };
	struct top_pid out[TOP_PIDS];

	assert_int_equal(top_pids_sorted(&top, out), 0);
	top_pids_add(&top, 10, 3);
	top_pids_add(&top, 11, 5);
	top_pids_add(&top, 10, 4);
	top_pids_add(&top, 10, 1);
	top_pids_add(&top, 12, 1);
	assert_int_equal(top_pids_sorted(&top, out), 3);
	assert_int_equal(out[0].pid, 10);
	assert_int_equal(out[0].samples, 8);
	assert_int_equal(out[0].error, 0);
	assert_int_equal(out[1].pid, 11);
	assert_int_equal(out[1].samples, 5);
	assert_int_equal(out[2].pid, 12);
}

/* The idle task has pid 0, as a free slot has. */
TEST(test_pid_0_and_kernel)
{
	struct top_pids top = { 0 };
	struct top_pid out[TOP_PIDS];

	top_pids_add(&top, 5, 1);
	top_pids_add(&top, 0, 2);
	top_pids_add(&top, -1, 3);
	top_pids_add(&top, 0, 2);
	assert_int_equal(top_pids_sorted(&top, out), 3);
	assert_int_equal(out[0].pid, 0);
	assert_int_equal(out[0].samples, 4);
	assert_int_equal(out[1].pid, -1);
	assert_int_equal(out[1].samples, 3);
}

TEST(test_nothing_is_nobody)
{
	struct top_pids top = { 0 };
	struct top_pid out[TOP_PIDS];

	top_pids_add(&top, 5, 0);
	assert_int_equal(top_pids_sorted(&top, out), 0);
}

TEST(test_the_least_gives_way)
{
	struct top_pids top = { 0 };
	struct top_pid out[TOP_PIDS];

	for (int i = 0; i < TOP_PIDS; i++)
		top_pids_add(&top, 100 + i, (uint64_t)(10 + i));
	top_pids_add(&top, 999, 1);
	assert_int_equal(top_pids_sorted(&top, out), TOP_PIDS);
	for (int i = 0; i < TOP_PIDS; i++)
		assert_int_not_equal(out[i].pid, 100);
	/* pid 999 inherits the 10 of pid 100 as its error */
	for (int i = 0; i < TOP_PIDS; i++) {
		if (out[i].pid != 999)
			continue;
		assert_int_equal(out[i].samples, 11);
		assert_int_equal(out[i].error, 10);
		return;
	}
	fail_msg("pid 999 is not there");
}

/* The guarantee of the sketch: true <= samples, and samples - error <= true. */
TEST(test_promise_under_many_pids)
{
	struct top_pids top = { 0 };
	struct top_pid out[TOP_PIDS];
	uint64_t truth[64] = { 0 }, seed = 1;
	unsigned int nr;

	for (int i = 0; i < 20000; i++) {
		unsigned int pid;

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		pid = (unsigned int)(seed >> 33) % 64;
		if (pid > 8 && i % 3)
			pid = 7;
		truth[pid]++;
		top_pids_add(&top, (pid_t)pid, 1);
	}
	nr = top_pids_sorted(&top, out);
	assert_int_equal(nr, TOP_PIDS);
	assert_int_equal(out[0].pid, 7);
	for (unsigned int i = 0; i < nr; i++) {
		assert_true(out[i].samples >= truth[out[i].pid]);
		assert_true(out[i].samples - out[i].error <=
			    truth[out[i].pid]);
		if (i)
			assert_true(out[i].samples <= out[i - 1].samples);
	}
}

TEST_GROUP(top_pids);
