/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code generated at run time: names from perf-PID.map files, and whose map is
 * used.
 */
#include "tests/group.h"

#include "resolver_rig.h"

static void write_status(const char *pid)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "%s/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\tx\nPid:\t%s\nUid:\t%d\t%d\t%d\t%d\nNSpid:\t%s\n", pid,
		 geteuid(), geteuid(), geteuid(), geteuid(), pid);
	fake_tree_write(&tree, path, text);
}

TEST(test_jit)
{
	write_status("60");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::first\n");
	begin_in_tree();
	resolver_idle(resolver, 10 * SECOND);
	map_record(60, 0x70000000, 0x10000, "//anon", 0);
	assert_string_equal(shown(60, USER, 0x70000010),
			    "js::first+10 /tmp/perf-60.map");
	assert_int_equal(of(60, USER, 0x70000010).kind, SYMBOL_JIT);
	assert_string_equal(of(60, USER, 0x70000200).name, "[unknown]");
	assert_int_equal(of(60, USER, 0x70000200).kind, SYMBOL_JIT);
	/* new code, and code in place of other */
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::first\n"
			"70000200 100 js::second\n"
			"70000000 80 js::optimized\n");
	assert_string_equal(of(60, USER, 0x70000200).name, "[unknown]");
	resolver_idle(resolver, 12 * SECOND);
	assert_string_equal(shown(60, USER, 0x70000201),
			    "js::second+1 /tmp/perf-60.map");
	assert_string_equal(shown(60, USER, 0x70000010),
			    "js::optimized+10 /tmp/perf-60.map");
}

/* The map is written after the first samples of its code. */
TEST(test_jit_late)
{
	write_status("60");
	begin_in_tree();
	resolver_idle(resolver, 10 * SECOND);
	map_record(60, 0x70000000, 0x10000, "//anon", 0);
	assert_string_equal(shown(60, USER, 0x70000010),
			    "[unknown]+10 //anon");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::first\n");
	assert_string_equal(of(60, USER, 0x70000010).name, "[unknown]");
	resolver_idle(resolver, 11 * SECOND);
	assert_string_equal(of(60, USER, 0x70000010).name, "js::first");
}

/* Until exec(2) a child has the code of its parent, and its names. */
TEST(test_jit_of_the_parent)
{
	write_status("60");
	write_status("61");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::first\n");
	begin_in_tree();
	map_record(60, 0x70000000, 0x10000, "//anon", 0);
	task_record(PERF_RECORD_FORK, 61, 60);
	assert_string_equal(shown(61, USER, 0x70000010),
			    "js::first+10 /tmp/perf-60.map");
	assert_int_equal(of(61, USER, 0x70000010).kind, SYMBOL_JIT);
	/* and the child's child */
	task_record(PERF_RECORD_FORK, 62, 61);
	assert_string_equal(shown(62, USER, 0x70000010),
			    "js::first+10 /tmp/perf-60.map");
	exec_record(61, "other");
	map_record(61, 0x70000000, 0x10000, "//anon", 0);
	assert_string_equal(of(61, USER, 0x70000010).name, "[unknown]");
	/* its own map has priority */
	fake_tree_write(&tree, "62/root/tmp/perf-62.map",
			"70000000 100 js::own\n");
	write_status("62");
	task_record(PERF_RECORD_FORK, 62, 60);
	assert_string_equal(shown(62, USER, 0x70000010),
			    "js::own+10 /tmp/perf-62.map");
}

/* The latest entry of the parent's map is used, also for the child. */
TEST(test_parent_goes_on)
{
	write_status("60");
	write_status("61");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::first\n");
	begin_in_tree();
	map_record(60, 0x70000000, 0x10000, "//anon", 0);
	task_record(PERF_RECORD_FORK, 61, 60);
	assert_string_equal(of(60, USER, 0x70000010).name, "js::first");
	assert_string_equal(of(61, USER, 0x70000010).name, "js::first");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::first\n70000000 100 js::newer\n");
	resolver_idle(resolver, 10 * SECOND);
	resolver_idle(resolver, 12 * SECOND);
	assert_string_equal(of(60, USER, 0x70000010).name, "js::newer");
	assert_string_equal(of(61, USER, 0x70000010).name, "js::newer");
}

/* The parent has exited, but its file is still there. */
TEST(test_jit_of_a_dead_parent)
{
	write_status("61");
	fake_tree_write(&tree, "61/root/tmp/perf-60.map",
			"70000000 100 js::first\n");
	begin_in_tree();
	map_record(60, 0x70000000, 0x10000, "//anon", 0);
	task_record(PERF_RECORD_FORK, 61, 60);
	task_record(PERF_RECORD_EXIT, 60, 1);
	assert_string_equal(shown(61, USER, 0x70000010),
			    "js::first+10 /tmp/perf-60.map");
}

/*
 * After lost records the map may be of another process: it is read from the
 * start.
 */
TEST(test_jit_after_a_loss)
{
	write_status("60");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::first\n");
	begin_in_tree();
	map_record(60, 0x70000000, 0x10000, "//anon", 0);
	fake_tree_write(&tree, "60/maps",
			"70000000-70010000 r-xp 0 0:0 0\n");
	assert_string_equal(of(60, USER, 0x70000010).name, "js::first");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map",
			"70000000 100 js::another_one\n");
	resolver_idle(resolver, 10 * SECOND);
	assert_string_equal(of(60, USER, 0x70000010).name, "js::first");
	resolver_resync(resolver);
	assert_string_equal(of(60, USER, 0x70000010).name, "js::another_one");
}

/* A large map is read in small parts, when nothing else is to be done. */
TEST(test_jit_in_slices)
{
	enum { NR = 100000 };
	size_t size = (size_t)NR * 40, used = 0;
	char *text = malloc(size);
	int calls = 1;

	assert_non_null(text);
	for (unsigned int i = 0; i < NR; i++)
		used += (size_t)snprintf(text + used, size - used,
					 "%x 10 js::function_%u\n",
					 0x70000000 + i * 16, i);
	write_status("60");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map", text);
	free(text);
	resolver_free(resolver);
	begin(tree.root, NULL, 256 << 20);
	map_record(60, 0x70000000, 0x1000000, "//anon", 0);
	assert_string_equal(of(60, USER, 0x70000000).name, "js::function_0");
	assert_string_equal(of(60, USER, 0x70000000 + (NR - 1) * 16).name,
			    "[unknown]");
	while (resolver_idle(resolver, 10 * SECOND))
		assert_true(++calls < 1000);
	assert_string_equal(of(60, USER, 0x70000000 + (NR - 1) * 16).name,
			    "js::function_99999");
}

/* More names than fit is reported. */
TEST(test_cut_is_told)
{
	enum { NR = 40000 };
	size_t size = (size_t)NR * 40, used = 0;
	char *text = malloc(size);
	struct resolver_stats stats;

	assert_non_null(text);
	for (unsigned int i = 0; i < NR; i++)
		used += (size_t)snprintf(text + used, size - used,
					 "%x 10 js::function_%u\n",
					 0x70000000 + i * 16, i);
	write_status("60");
	fake_tree_write(&tree, "60/root/tmp/perf-60.map", text);
	free(text);
	resolver_free(resolver);
	begin(tree.root, NULL, 1 << 20);
	map_record(60, 0x70000000, 0x1000000, "//anon", 0);
	of(60, USER, 0x70000000);
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.cut, 0);
	while (resolver_idle(resolver, 10 * SECOND))
		;
	resolver_idle(resolver, 12 * SECOND);
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.cut, 1);
}

TEST_GROUP(resolver_jit, .each_setup = setup, .each_teardown = teardown);
