/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "fake_tree.h"
#include "samples/names.h"
#include "task/process_table.h"

static struct fake_tree tree;
static struct names *names;
static struct process_table *table;

#define CAT "1000-2000 r-xp 0 fe:00 7 /usr/bin/cat\n"

static int setup(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	fake_tree_write(&tree, "10/maps", CAT);
	fake_tree_write(&tree, "10/task/10/comm", "leader\n");
	fake_tree_write(&tree, "10/task/11/comm", "worker\033[0m\n");
	fake_tree_write(&tree, "20/maps", "");
	fake_tree_write(&tree, "20/task/20/comm", "kthread\n");
	fake_tree_write(&tree, "self/maps", CAT);
	names = names_new(1 << 20);
	table = process_table_new(tree.root, names);
	return table ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	process_table_free(table);
	names_free(names);
	fake_tree_free(&tree);
	return 0;
}

static void gone(const char *pid)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", tree.root, pid);
	nftw(path, fake_tree_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static void comm(pid_t pid, pid_t tid, const char *name, bool exec)
{
	const struct side_band r = {
		.type = PERF_RECORD_COMM,
		.comm = { .pid = pid, .tid = tid, .comm = name, .exec = exec },
	};

	process_table_record(table, &r);
}

static void map(pid_t pid, uint64_t start, const char *path)
{
	const struct side_band r = {
		.type = PERF_RECORD_MMAP2,
		.map = {
			.pid = pid,
			.tid = pid,
			.start = start,
			.len = 0x1000,
			.executable = true,
			.name = path,
		},
	};

	process_table_record(table, &r);
}

static void task(uint32_t type, uint64_t time, pid_t pid, pid_t tid,
		 pid_t ppid, pid_t ptid)
{
	const struct side_band r = {
		.type = type,
		.time = time,
		.task = { .pid = pid, .tid = tid, .ppid = ppid, .ptid = ptid },
	};

	process_table_record(table, &r);
}

static void fork_of(pid_t ppid, pid_t pid)
{
	task(PERF_RECORD_FORK, 0, pid, pid, ppid, ppid);
}

static void exit_at(uint64_t time, pid_t pid, pid_t tid)
{
	task(PERF_RECORD_EXIT, time, pid, tid, 1, 1);
}

/* The file mapped at @addr of @pid; "-" if none. */
static const char *mapped(pid_t pid, uint64_t addr)
{
	struct process *p = process_table_get(table, pid);
	struct process_map *m = process_maps_find(p->maps, addr);

	return m ? m->path : "-";
}

#define comm_is(pid, tid, want) \
	assert_string_equal(process_table_comm(table, pid, tid), want)
#define mapped_is(pid, addr, want) \
	assert_string_equal(mapped(pid, addr), want)

static void scan(void)
{
	int slices = 0;

	while (process_table_scan(table, 0))
		assert_true(++slices < 100);
}

TEST(test_read_on_demand)
{
	assert_int_equal(process_table_len(table), 0);
	mapped_is(10, 0x1000, "/usr/bin/cat");
	mapped_is(20, 0x1000, "-");
	assert_int_equal(process_table_len(table), 2);
	comm_is(10, 10, "leader");
	comm_is(10, 11, "worker?[0m");
	comm_is(20, 20, "kthread");
	/* kept: not read again */
	gone("10");
	comm_is(10, 11, "worker?[0m");
	mapped_is(10, 0x1000, "/usr/bin/cat");
}

TEST(test_comm_unknown)
{
	comm_is(0, 0, "swapper");
	comm_is(99, 98, ":98");
	comm_is(-1, -1, "?");
	comm(99, 98, "late", false);
	comm_is(99, 98, "late");
}

TEST(test_records_override_proc)
{
	comm(10, 10, "renamed", false);
	comm_is(10, 10, "renamed");
	mapped_is(10, 0x5000, "-");
	map(10, 0x5000, "/lib/new.so");
	mapped_is(10, 0x5000, "/lib/new.so");
	mapped_is(10, 0x1000, "/usr/bin/cat");
}

/* A record before the first lookup: the rest is read from /proc. */
TEST(test_read_after_record)
{
	map(10, 0x5000, "/lib/early.so");
	fake_tree_write(&tree, "10/maps",
			CAT "5000-6000 r-xp 0 fe:00 8 /lib/early.so\n");
	mapped_is(10, 0x1000, "/usr/bin/cat");
	mapped_is(10, 0x5000, "/lib/early.so");
	/* of a process that has exited, only the record is known */
	map(30, 0x5000, "/lib/dead.so");
	mapped_is(30, 0x5000, "/lib/dead.so");
}

TEST(test_non_code_mappings_ignored)
{
	struct side_band r = {
		.type = PERF_RECORD_MMAP,
		.map = { .pid = 20, .start = 0x7000, .len = 0x1000,
			 .name = "/data" },
	};

	process_table_record(table, &r);
	r.map.executable = true;
	r.map.kernel = true;
	process_table_record(table, &r);
	r.map.kernel = false;
	r.map.pid = -1;
	process_table_record(table, &r);
	r.map.pid = 20;
	r.map.start = UINT64_MAX;
	process_table_record(table, &r);
	mapped_is(20, 0x7000, "-");
	mapped_is(20, UINT64_MAX, "-");
}

TEST(test_fork_inherits)
{
	fork_of(10, 100);
	mapped_is(100, 0x1000, "/usr/bin/cat");
	comm_is(100, 100, "leader");
	map(100, 0x5000, "/lib/child.so");
	mapped_is(10, 0x5000, "-");
	/* a thread shares the mappings, but has its own name */
	task(PERF_RECORD_FORK, 0, 100, 101, 100, 100);
	comm_is(100, 101, "leader");
	comm(100, 101, "thread", false);
	comm_is(100, 101, "thread");
	comm_is(100, 100, "leader");
	mapped_is(100, 0x5000, "/lib/child.so");
}

TEST(test_exec_clears)
{
	fork_of(10, 100);
	comm(100, 100, "ls", true);
	mapped_is(100, 0x1000, "-");
	map(100, 0x3000, "/bin/ls");
	mapped_is(100, 0x3000, "/bin/ls");
	mapped_is(10, 0x1000, "/usr/bin/cat");
	comm_is(100, 100, "ls");
	comm_is(10, 10, "leader");
}

/* The same for a program that execve(2) may not have started yet. */
static const char *running(pid_t pid, uint64_t addr)
{
	struct process *p = process_table_get(table, pid);
	struct process_map *m = process_table_map(table, p, addr);

	return m ? m->path : "-";
}

#define running_is(pid, addr, want) \
	assert_string_equal(running(pid, addr), want)

static void exec_ls(pid_t pid)
{
	fork_of(10, pid);
	comm(pid, pid, "ls", true);
	running_is(pid, 0x1000, "/usr/bin/cat");
	map(pid, 0x3000, "/bin/ls");
	map(pid, 0x7000, "[vdso]");
}

/* A task in execve(2) has its old name until that is seen to have returned. */
TEST(test_exec_keeps_former_maps)
{
	uint64_t generation;

	exec_ls(100);
	mapped_is(100, 0x1000, "-");
	running_is(100, 0x1000, "/usr/bin/cat");
	running_is(100, 0x4000, "-");
	generation = process_table_get(table, 100)->generation;
	running_is(100, 0x3000, "/bin/ls");
	running_is(100, 0x1000, "-");
	assert_true(process_table_get(table, 100)->generation != generation);
	/* the old program does not count where the new one is mapped */
	fork_of(10, 101);
	comm(101, 101, "ls", true);
	map(101, 0x1000, "/bin/ls");
	running_is(101, 0x1000, "/bin/ls");
	/* nor after a record that only a running program causes */
	exec_ls(102);
	map(102, 0x5000, "/lib/libc.so");
	running_is(102, 0x1000, "-");
	exec_ls(103);
	task(PERF_RECORD_FORK, 0, 103, 104, 103, 103);
	running_is(103, 0x1000, "-");
	exec_ls(105);
	comm(105, 105, "ps", true);
	running_is(105, 0x3000, "/bin/ls");
	running_is(105, 0x1000, "-");
}

TEST(test_exec_former_maps_expire)
{
	exec_ls(100);
	exec_ls(101);
	exec_ls(102);
	exit_at(1000000000, 999, 999);
	running_is(100, 0x1000, "/usr/bin/cat");
	exit_at(1000000001, 999, 999);
	running_is(100, 0x1000, "-");
	/* and the old program is freed */
	assert_non_null(process_table_get(table, 101)->former);
	process_table_expire(table, 1);
	assert_null(process_table_get(table, 101)->former);
	/* nor is it used after lost records */
	exec_ls(102);
	process_table_resync(table);
	running_is(102, 0x1000, "-");
}

/* A pid is used again, for another process. */
TEST(test_pid_reused)
{
	fork_of(10, 100);
	comm(100, 100, "first", true);
	map(100, 0x3000, "/bin/first");
	exit_at(5, 100, 100);
	fork_of(10, 100);
	mapped_is(100, 0x3000, "-");
	mapped_is(100, 0x1000, "/usr/bin/cat");
	comm_is(100, 100, "leader");
	assert_false(process_table_get(table, 100)->exited);
}

/* Samples of a process may come after its EXIT: it is kept for a while. */
TEST(test_exit)
{
	fork_of(10, 100);
	comm(100, 100, "short", false);
	assert_int_equal(process_table_len(table), 2);
	exit_at(1000, 100, 100);
	assert_int_equal(process_table_expire(table, 1000), 2);
	mapped_is(100, 0x1000, "/usr/bin/cat");
	comm_is(100, 100, "short");
	assert_int_equal(process_table_expire(table, 1001), 1);
	comm_is(100, 100, ":100");
	/* running processes are never removed */
	assert_int_equal(process_table_expire(table, UINT64_MAX), 1);
	mapped_is(10, 0x1000, "/usr/bin/cat");
}

TEST(test_expire_keeps_used)
{
	fork_of(10, 100);
	exit_at(1000, 100, 100);
	exit_at(5000, 999, 999);
	mapped_is(100, 0x1000, "/usr/bin/cat");
	comm_is(100, 100, "leader");
	assert_int_equal(process_table_expire(table, 4000), 2);
	comm_is(100, 100, "leader");
	assert_int_equal(process_table_expire(table, 6000), 1);
}

/* The leader has exited, other threads run. */
TEST(test_leader_exit)
{
	mapped_is(10, 0x1000, "/usr/bin/cat");
	exit_at(1000, 10, 10);
	assert_int_equal(process_table_expire(table, 9000), 1);
	mapped_is(10, 0x1000, "/usr/bin/cat");
	gone("10");
	assert_int_equal(process_table_expire(table, 9000), 0);
}

/* A thread calls execve(2) and becomes the leader. */
TEST(test_thread_execs)
{
	fork_of(10, 100);
	task(PERF_RECORD_FORK, 0, 100, 101, 100, 100);
	exit_at(1000, 100, 100);
	comm(100, 100, "new", true);
	map(100, 0x3000, "/bin/new");
	assert_int_equal(process_table_expire(table, 9000), 2);
	comm_is(100, 100, "new");
	mapped_is(100, 0x3000, "/bin/new");
}

/* There were only records of its threads, and the last has exited. */
TEST(test_threads_exit)
{
	comm(100, 101, "worker", false);
	comm(100, 102, "worker", false);
	exit_at(1000, 100, 101);
	assert_int_equal(process_table_expire(table, 9000), 1);
	/* by a sample without a pid */
	comm_is(-1, 103, ":103");
	exit_at(1000, 100, 103);
	exit_at(1000, 100, 102);
	assert_int_equal(process_table_expire(table, 9000), 0);
}

TEST(test_expire_unknown)
{
	mapped_is(555, 0x1000, "-");
	assert_int_equal(process_table_len(table), 1);
	assert_int_equal(process_table_expire(table, 1), 0);
}

TEST(test_generation)
{
	uint64_t parent, child;

	parent = process_table_get(table, 10)->generation;
	fork_of(10, 100);
	child = process_table_get(table, 100)->generation;
	assert_true(child != parent);
	assert_true(process_table_get(table, 10)->generation == parent);
	map(100, 0x9000, "/x");
	assert_true(process_table_get(table, 100)->generation != child);
	child = process_table_get(table, 100)->generation;
	comm(100, 100, "renamed", false);
	assert_true(process_table_get(table, 100)->generation == child);
	comm(100, 100, "exec", true);
	assert_true(process_table_get(table, 100)->generation != child);
}

TEST(test_scan)
{
	process_table_scan_begin(table, NULL, 0);
	scan();
	assert_int_equal(process_table_len(table), 2);
	gone("10");
	comm_is(10, 11, "worker?[0m");
	mapped_is(10, 0x1000, "/usr/bin/cat");
	assert_false(process_table_scan(table, 1));
}

/* All names are read before any mappings, since tasks may exit meanwhile. */
TEST(test_scan_reads_names_first)
{
	process_table_scan_begin(table, NULL, 0);
	assert_true(process_table_scan(table, 0));
	assert_true(process_table_scan(table, 0));
	assert_false(process_table_find(table, 10)->maps_read);
	assert_false(process_table_find(table, 20)->maps_read);
	gone("10");
	comm_is(10, 11, "worker?[0m");
}

TEST(test_scan_listed_pids)
{
	const pid_t pids[] = { 20, 77 };

	process_table_scan_begin(table, pids, 2);
	scan();
	gone("10");
	gone("20");
	comm_is(20, 20, "kthread");
	comm_is(10, 10, ":10");
}

/* Mappings and names changed without records, and a process exited. */
TEST(test_resync)
{
	process_table_scan_begin(table, NULL, 0);
	scan();
	map(10, 0x5000, "/lib/stale.so");
	fake_tree_write(&tree, "10/maps", "3000-4000 r-xp 0 0:0 9 /bin/ls\n");
	fake_tree_write(&tree, "10/task/10/comm", "ls\n");
	gone("20");
	process_table_resync(table);
	mapped_is(10, 0x5000, "-");
	mapped_is(10, 0x3000, "/bin/ls");
	comm_is(10, 10, "ls");
	/* of an exited process the last record counts until it is removed */
	comm_is(20, 20, "kthread");
	scan();
	assert_int_equal(process_table_expire(table, 1), 1);
	comm_is(20, 20, ":20");
}

/*
 * So many mappings that most must have been unmapped: /proc shows which.  They
 * come as mmap(2) returns them, each below the one before.
 */
TEST(test_too_many_mappings)
{
	double begun = sys_thread_cpu();

	mapped_is(10, 0x1000, "/usr/bin/cat");
	for (uint64_t i = 0; i < 65000; i++)
		map(10, 0x100000000 - i * 0x2000, "/tmp/jit");
	assert_true(sys_thread_cpu() - begun < 2);
	mapped_is(10, 0x100000000 - 64999 * 0x2000ull, "/tmp/jit");
	mapped_is(10, 0x1000, "-");
	assert_true(process_table_heal(table, process_table_get(table, 10),
				       1));
	mapped_is(10, 0x1000, "/usr/bin/cat");
	mapped_is(10, 0x100000000, "-");
	assert_in_range(process_maps_len(process_table_get(table, 10)->maps),
			1, 4096);
}

/*
 * /proc is read again, but not within a second, and not for exited processes.
 */
TEST(test_heal)
{
	struct process *p = process_table_get(table, 10);

	comm_is(10, 10, "leader");
	fake_tree_write(&tree, "10/maps", "3000-4000 r-xp 0 0:0 9 /bin/ls\n");
	fake_tree_write(&tree, "10/task/10/comm", "ls\n");
	assert_true(process_table_heal(table, p, 5000000000));
	mapped_is(10, 0x1000, "-");
	mapped_is(10, 0x3000, "/bin/ls");
	comm_is(10, 10, "ls");
	assert_false(process_table_heal(table, p, 5999999999));
	assert_true(process_table_heal(table, p, 6000000000));
	/* a record is newer than what was read */
	comm(10, 10, "renamed", false);
	comm_is(10, 10, "renamed");
	gone("10");
	assert_false(process_table_heal(table, p, 9000000000));
	mapped_is(10, 0x3000, "/bin/ls");
	comm_is(10, 10, "renamed");
}

/* Names of tasks without samples use no memory of names. */
TEST(test_comms_not_queried)
{
	char text[16];
	size_t before;

	mapped_is(10, 0x1000, "/usr/bin/cat");
	before = names_bytes(names);
	for (unsigned int i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "s%u", i);
		comm(10, 10, text, false);
		fork_of(10, 1000 + (pid_t)i % 8);
	}
	assert_int_equal(names_bytes(names), before);
	comm_is(10, 10, "s99999");
	comm_is(1007, 1007, "s99999");
	/* at most as long as the kernel's */
	comm(10, 10, "0123456789abcdefgh", false);
	comm_is(10, 10, "0123456789abcde");
}

/* Tens of thousands of short-lived processes are all freed. */
TEST(test_many_short_lived)
{
	size_t before, max;

	mapped_is(10, 0x1000, "/usr/bin/cat");
	process_table_expire(table, 0);
	before = process_table_bytes(table);
	for (pid_t i = 0; i < 20000; i++) {
		task(PERF_RECORD_FORK, 1, 1000 + i, 1000 + i, 10, 10);
		exit_at(2, 1000 + i, 1000 + i);
	}
	process_table_expire(table, 0);
	max = process_table_bytes(table);
	assert_in_range(process_table_expire(table, 3), 1, 1);
	assert_true(max > before + 20000 * 64);
	assert_true(process_table_bytes(table) < before + (1 << 20));
}

TEST_GROUP(process_table, .each_setup = setup, .each_teardown = teardown);
