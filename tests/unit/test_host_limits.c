/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/sys.h"
#include "fake_tree.h"
#include "host/host_proc.h"

static struct fake_tree proc;
static struct host_pass pass;

static int make_tree(void **state)
{
	(void)state;
	fake_tree_init(&proc);
	fake_tree_write(&proc, "sys/kernel/perf_event_mlock_kb", "516\n");
	fake_tree_write(&proc, "sys/kernel/perf_event_paranoid", "2\n");
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	fake_tree_free(&proc);
	host_pass_free(&pass);
	pass = (struct host_pass){ 0 };
	return 0;
}

static void write_process(int pid, const char *pinned, const char *caps,
			  const char *memlock)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "%d/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\tx\nUid:\t0\t0\t0\t0\nGroups:\t0 1 \n%sCapInh:\t0\n"
		 "CapEff:\t%s\nCapBnd:\t000001ffffffffff\n",
		 pinned, caps);
	fake_tree_write(&proc, path, text);
	snprintf(path, sizeof(path), "%d/limits", pid);
	snprintf(text, sizeof(text),
		 "Limit                     Soft Limit           Hard Limit"
		 "           Units     \n"
		 "Max processes             96551                96551    "
		 "            processes \n"
		 "Max locked memory         %s              unlimited     "
		 "       bytes     \n",
		 memlock);
	fake_tree_write(&proc, path, text);
}

static void hold(pid_t pid, uint64_t ring, bool maps)
{
	struct host_pass_holder *holder = host_pass_add_holder(&pass);

	assert_non_null(holder);
	holder->pid = pid;
	holder->ring = ring;
	holder->maps = maps;
}

TEST(limit_is_for_each_cpu_in_whole_pages)
{
	uint64_t page_kb = sys_page_size() / 1024;
	struct cpulist online = { 0 };

	assert_int_equal(cpulist_online(&online, NULL), 0);
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_int_equal(pass.user_limit,
			 516 / page_kb * page_kb * 1024 * online.nr);
	fake_tree_write(&proc, "sys/kernel/perf_event_mlock_kb", "519\n");
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_int_equal(pass.user_limit,
			 519 / page_kb * page_kb * 1024 * online.nr);
	cpulist_free(&online);
}

TEST(paranoia_below_0_lifts_limits)
{
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_true(pass.paranoid);
	fake_tree_write(&proc, "sys/kernel/perf_event_paranoid", "0\n");
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_true(pass.paranoid);
	fake_tree_write(&proc, "sys/kernel/perf_event_paranoid", "-1\n");
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_false(pass.paranoid);
}

TEST(what_cannot_be_read_is_unknown)
{
	assert_int_equal(host_limits_read("/nonexistent", &pass), 0);
	assert_true(pass.user_limit == UNKNOWN);
	assert_true(pass.paranoid);
	fake_tree_write(&proc, "sys/kernel/perf_event_mlock_kb", "-1\n");
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_true(pass.user_limit == UNKNOWN);
	fake_tree_write(&proc, "5/status", "Name:\tx\nUid:\t0\t0\t0\t0\n");
	hold(5, 1, true);
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_int_equal(pass.nr_limits, 1);
	assert_true(pass.limits[0].pinned == UNKNOWN);
	assert_true(pass.limits[0].memlock == UNKNOWN);
	assert_false(pass.limits[0].ipc_lock);
}

TEST(one_for_each_that_maps)
{
	write_process(7, "VmPin:\t     292 kB\n", "0000000000000000",
		      "8388608");
	write_process(8, "VmPin:\t       0 kB\n", "000001ffffffffff",
		      "unlimited");
	write_process(9, "VmPin:\t       0 kB\n", "0000000000000000", "65536");
	hold(8, 1, true);
	hold(7, 2, true);
	hold(7, 3, true);
	hold(9, 3, false);
	hold(7, 4, true);
	hold(1234, 5, true);
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_int_equal(pass.nr_limits, 2);
	assert_int_equal(pass.limits[0].pid, 7);
	assert_int_equal(pass.limits[0].pinned, 292 * 1024);
	assert_int_equal(pass.limits[0].memlock, 8388608);
	assert_false(pass.limits[0].ipc_lock);
	assert_int_equal(pass.limits[1].pid, 8);
	assert_int_equal(pass.limits[1].pinned, 0);
	assert_true(pass.limits[1].memlock == UNKNOWN);
	assert_true(pass.limits[1].ipc_lock);
}

/*
 * CAP_IPC_LOCK is bit 14; root in a container has it in its own namespace only.
 */
TEST(capability_of_the_first_namespace_counts)
{
	write_process(1, "", "0000000000004000", "65536");
	write_process(2, "", "000001ffffffbfff", "65536");
	write_process(3, "", "000001ffffffffff", "65536");
	write_process(4, "", "000001ffffffffff", "65536");
	fake_tree_link(&proc, "3/ns/user", "user:[4026531837]");
	fake_tree_link(&proc, "4/ns/user", "user:[4026532281]");
	for (pid_t pid = 1; pid <= 4; pid++)
		hold(pid, 1, true);
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_int_equal(pass.nr_limits, 4);
	assert_true(pass.limits[0].ipc_lock);
	assert_false(pass.limits[1].ipc_lock);
	assert_true(pass.limits[2].ipc_lock);
	assert_false(pass.limits[3].ipc_lock);
}

/* The list of groups may be long, and the fields needed come after it. */
TEST(members_of_very_many_groups)
{
	size_t size = 800 << 10, len = 0;
	char *text = malloc(size);

	assert_non_null(text);
	len += (size_t)snprintf(text, size,
				"Name:\tx\nUid:\t5\t5\t5\t5\n"
				"Groups:\t");
	for (unsigned int i = 0; i < 65536; i++)
		len += (size_t)snprintf(text + len, size - len, "%u ",
					1000000000 + i);
	snprintf(text + len, size - len,
		 "\nVmPin:\t      12 kB\nCapEff:\t0000000000004000\n");
	fake_tree_write(&proc, "6/status", text);
	free(text);
	hold(6, 1, true);
	assert_int_equal(host_limits_read(proc.root, &pass), 0);
	assert_int_equal(pass.nr_limits, 1);
	assert_int_equal(pass.limits[0].pinned, 12 * 1024);
	assert_true(pass.limits[0].ipc_lock);
}

TEST_GROUP(host_limits, .each_setup = make_tree, .each_teardown = remove_tree);
