/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/sys.h"
#include "fake_tree.h"
#include "host/host_proc.h"
#include "host/proc_status.h"

static struct fake_tree proc;
static struct host_pass pass;
static unsigned int hidden;

static int make_tree(void **state)
{
	(void)state;
	fake_tree_init(&proc);
	fake_tree_write(&proc, "self-is-no-process/maps", "");
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

/* Add a mapping of @pages pages at page @at, @offset pages into @name. */
static void map(char *maps, size_t size, uint64_t at, uint64_t pages,
		uint64_t offset, const char *name)
{
	uint64_t page = sys_page_size();
	size_t len = strlen(maps);

	snprintf(maps + len, size - len,
		 "%08llx-%08llx rw-s %08llx 00:0f 1061                       "
		 "%s\n",
		 (unsigned long long)(at * page),
		 (unsigned long long)((at + pages) * page),
		 (unsigned long long)(offset * page), name);
}

static void write_process(int pid, const char *name, unsigned int uid,
			  const char *maps)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "%d/maps", pid);
	fake_tree_write(&proc, path, maps);
	snprintf(path, sizeof(path), "%d/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\t%s\nUmask:\t0022\nUid:\t%u\t0\t0\t0\nGid:\t0\n"
		 "VmPin:\t       8 kB\nCapEff:\t0000000000000000\n",
		 name, uid);
	fake_tree_write(&proc, path, text);
}

static void link_fd(int pid, int fd, const char *target)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/fd/%d", pid, fd);
	fake_tree_link(&proc, path, target);
}

static void write_bpf_fd(int pid, int fd, int type, unsigned int size, int id)
{
	char path[64], text[256];

	link_fd(pid, fd, "anon_inode:bpf-map");
	snprintf(path, sizeof(path), "%d/fdinfo/%d", pid, fd);
	snprintf(text, sizeof(text),
		 "pos:\t0\nflags:\t02000002\nmnt_id:\t15\nino:\t1061\n"
		 "map_type:\t%d\nkey_size:\t0\nvalue_size:\t0\n"
		 "max_entries:\t%u\nmap_flags:\t0x0\nmap_extra:\t0x0\n"
		 "memlock:\t%u\nmap_id:\t%d\nfrozen:\t0\n",
		 type, size, size + 8192, id);
	fake_tree_write(&proc, path, text);
}

static void read_all(void)
{
	struct err err = { 0 };

	host_pass_clear(&pass);
	if (host_proc_read(proc.root, NULL, 0, &pass, &hidden, &err))
		fail_msg("%s", err.text);
}

#define PERF "anon_inode:[perf_event]"

TEST(rings_have_size_and_owner)
{
	uint64_t page = sys_page_size();
	const struct host_pass_holder *holder;
	const struct host_pass_ring *ring;
	char maps[1024] = "";

	map(maps, sizeof(maps), 0x400, 8, 0, "/usr/bin/agent");
	map(maps, sizeof(maps), 0x7f000, 17, 0, PERF);
	map(maps, sizeof(maps), 0x7f100, 129, 0, PERF);
	map(maps, sizeof(maps), 0x7ffff, 33, 0, "[stack]");
	write_process(4321, "agent", 1000, maps);
	link_fd(4321, 0, "/dev/null");
	link_fd(4321, 3, PERF);
	link_fd(4321, 4, PERF);
	link_fd(4321, 5, "anon_inode:[eventfd]");
	link_fd(4321, 6, "/tmp/" PERF);
	read_all();
	assert_int_equal(pass.files, 2);
	assert_int_equal(pass.parts, HOST_ALL);
	assert_true(pass.whole);
	assert_int_equal(hidden, 0);
	assert_int_equal(pass.nr_rings, 2);
	ring = &pass.rings[0];
	assert_int_equal(ring->kind, RING_PERF);
	assert_int_equal(ring->size, 16 * page);
	assert_int_equal(ring->locked, 17 * page);
	assert_int_equal(ring->uid, 1000);
	assert_int_equal(ring->aux.size, 0);
	assert_int_equal(pass.rings[1].size, 128 * page);
	assert_int_not_equal(ring->key, pass.rings[1].key);
	assert_int_equal(pass.nr_holders, 2);
	holder = &pass.holders[0];
	assert_int_equal(holder->ring, ring->key);
	assert_int_equal(holder->pid, 4321);
	assert_int_equal(holder->uid, 1000);
	assert_string_equal(holder->comm, "agent");
	assert_true(holder->maps);
}

/* Values that only the kernel knows are unknown. */
TEST(the_rest_is_unknown)
{
	const struct host_pass_ring *ring;
	char maps[256] = "";

	map(maps, sizeof(maps), 0x7f000, 17, 0, PERF);
	write_process(1, "x", 0, maps);
	read_all();
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.nr_events, 0);
	ring = &pass.rings[0];
	assert_false(ring->known);
	assert_true(ring->watermark == UNKNOWN);
	assert_true(ring->head == UNKNOWN);
	assert_true(ring->tail == UNKNOWN);
	assert_true(ring->wakeup == UNKNOWN);
	assert_true(ring->lost == UNKNOWN);
	assert_true(ring->user_locked == UNKNOWN);
}

/* A ring keeps its key from pass to pass, whatever other rings appear. */
TEST(descendants)
{
	fake_tree_write(&proc, "12/status", "Name:\tb\nPPid:\t11\n");
	fake_tree_write(&proc, "11/status", "Name:\ta\nPPid:\t1\n");
	fake_tree_write(&proc, "1/status", "Name:\tinit\nPPid:\t0\n");
	/* damaged: its own parent */
	fake_tree_write(&proc, "13/status", "Name:\tc\nPPid:\t13\n");
	assert_true(proc_descends(proc.root, 11, 11));
	assert_true(proc_descends(proc.root, 12, 11));
	assert_false(proc_descends(proc.root, 11, 12));
	assert_false(proc_descends(proc.root, 13, 11));
	/* which is gone */
	assert_false(proc_descends(proc.root, 14, 11));
}

TEST(keys_stay)
{
	char maps[256] = "";
	uint64_t key;

	map(maps, sizeof(maps), 0x7f000, 17, 0, PERF);
	write_process(200, "x", 0, maps);
	read_all();
	key = pass.rings[0].key;
	write_process(100, "y", 0, maps);
	read_all();
	assert_int_equal(pass.nr_rings, 2);
	assert_int_equal(pass.rings[1].key, key);
	assert_int_not_equal(pass.rings[0].key, key);
}

TEST(counters_have_no_ring)
{
	char maps[256] = "";

	map(maps, sizeof(maps), 0x7f000, 1, 0, PERF);
	write_process(1, "x", 0, maps);
	link_fd(1, 3, PERF);
	read_all();
	assert_int_equal(pass.nr_rings, 0);
	assert_int_equal(pass.nr_holders, 0);
	assert_int_equal(pass.files, 1);
}

/* perf's order: data, and the AUX ring below it. */
TEST(aux_rings_go_with_their_data)
{
	uint64_t page = sys_page_size();
	char maps[1024] = "";

	map(maps, sizeof(maps), 0x1000, 64, 17, PERF);
	map(maps, sizeof(maps), 0x2000, 17, 0, PERF);
	map(maps, sizeof(maps), 0x3000, 32, 17, PERF);
	map(maps, sizeof(maps), 0x4000, 17, 0, PERF);
	map(maps, sizeof(maps), 0x5000, 9, 0, PERF);
	map(maps, sizeof(maps), 0x6000, 16, 9, PERF);
	write_process(1, "perf", 0, maps);
	read_all();
	assert_int_equal(pass.nr_rings, 3);
	assert_int_equal(pass.rings[0].aux.size, 64 * page);
	assert_int_equal(pass.rings[0].locked, (17 + 64) * page);
	assert_int_equal(pass.rings[1].aux.size, 32 * page);
	assert_int_equal(pass.rings[2].size, 8 * page);
	assert_int_equal(pass.rings[2].aux.size, 16 * page);
}

/* An AUX ring directly after its data looks like a part of it. */
TEST(aux_right_behind_its_data)
{
	uint64_t page = sys_page_size();
	char maps[256] = "";

	map(maps, sizeof(maps), 0x1000, 9, 0, PERF);
	map(maps, sizeof(maps), 0x1009, 16, 9, PERF);
	write_process(1, "perf", 0, maps);
	read_all();
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.rings[0].size, 8 * page);
	assert_int_equal(pass.rings[0].aux.size, 16 * page);
}

/* In older kernels mprotect(2) can split a mapping. */
TEST(pieces_are_one_ring)
{
	uint64_t page = sys_page_size();
	char maps[512] = "";

	map(maps, sizeof(maps), 0x1000, 1, 0, PERF);
	map(maps, sizeof(maps), 0x1001, 6, 1, PERF);
	map(maps, sizeof(maps), 0x1007, 10, 7, PERF);
	map(maps, sizeof(maps), 0x1011, 17, 0, PERF);
	write_process(1, "perf", 0, maps);
	read_all();
	assert_int_equal(pass.nr_rings, 2);
	assert_int_equal(pass.rings[0].size, 16 * page);
	assert_int_equal(pass.rings[1].size, 16 * page);
}

/* A file may be called anything, but its path begins with a slash. */
TEST(only_the_kernels_own_names_count)
{
	char maps[2048] = "";

	map(maps, sizeof(maps), 0x1000, 17, 0, "/tmp/" PERF);
	map(maps, sizeof(maps), 0x2000, 17, 0, "/tmp/x " PERF);
	map(maps, sizeof(maps), 0x3000, 17, 0, "[anon:[perf_event]]");
	map(maps, sizeof(maps), 0x4000, 17, 0, PERF "x");
	map(maps, sizeof(maps), 0x5000, 17, 0, "[perf_event]");
	write_process(1, "x", 0, maps);
	read_all();
	assert_int_equal(pass.nr_rings, 1);
}

TEST(broken_lines_are_left_out)
{
	static const char text[] = PERF "\n"
					"\n"
					"7f00-7f00 rw-s 0 00:0f 1061 " PERF "\n"
					"7f00-6f00 rw-s 0 00:0f 1061 " PERF "\n"
					"zzzz-yyyy rw-s 0 00:0f 1061 " PERF "\n"
					"10000-31000 rw-s 0 00:0f " PERF "\n"
					"10000-31000 rw-s 0 00:0f 1061 " PERF;
	struct proc_mappings maps = { 0 };

	assert_int_equal(proc_mappings_parse(&maps, text), 0);
	assert_int_equal(maps.nr, 1);
	assert_int_equal(maps.all[0].start, 0x10000);
	assert_int_equal(maps.all[0].size, 0x21000);
	proc_mappings_free(&maps);
}

TEST(bpf_ring_buffers_by_their_descriptors)
{
	uint64_t page = sys_page_size();
	unsigned int size = (unsigned int)(64 * page);
	char maps[512] = "";

	map(maps, sizeof(maps), 0x1000, 1, 0, "anon_inode:bpf-map");
	map(maps, sizeof(maps), 0x2000, 129, 1, "anon_inode:bpf-map");
	write_process(300, "consumer", 0, maps);
	write_bpf_fd(300, 3, 27, size, 77);
	write_bpf_fd(300, 4, 27, size, 77);
	write_bpf_fd(300, 5, 4, 2, 78);
	write_process(299, "loader", 5, "400000-401000 r-xp 0 00:00 1 /x\n");
	write_bpf_fd(299, 9, 27, size, 77);
	read_all();
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.rings[0].kind, RING_BPF);
	assert_int_equal(pass.rings[0].key, 77);
	assert_int_equal(pass.rings[0].map_id, 77);
	assert_int_equal(pass.rings[0].size, size);
	assert_int_equal(pass.rings[0].locked, size + 3 * page);
	assert_int_equal(pass.rings[0].watermark, 0);
	assert_false(pass.rings[0].known);
	assert_int_equal(pass.nr_holders, 2);
	assert_int_equal(pass.holders[0].pid, 299);
	assert_false(pass.holders[0].maps);
	assert_int_equal(pass.holders[1].pid, 300);
	assert_true(pass.holders[1].maps);
}

TEST(odd_fdinfo_is_no_ring)
{
	write_process(1, "x", 0, "400000-401000 r-xp 0 00:00 1 /x\n");
	link_fd(1, 3, "anon_inode:bpf-map");
	link_fd(1, 4, "anon_inode:bpf-map");
	fake_tree_write(&proc, "1/fdinfo/4", "map_type:\t27\nmap_id:\t0\n");
	link_fd(1, 5, "anon_inode:bpf-map");
	fake_tree_write(&proc, "1/fdinfo/5",
			"map_type:\t27\nmax_entries:\t99999999999\n"
			"map_id:\t4\n");
	read_all();
	assert_int_equal(pass.nr_rings, 0);
}

TEST(closed_processes_are_counted)
{
	char maps[256] = "";

	map(maps, sizeof(maps), 0x1000, 17, 0, PERF);
	write_process(1, "a", 0, maps);
	write_process(2, "b", 0, maps);
	write_process(3, "c", 0, maps);
	host_pass_clear(&pass);
	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(host_proc_read(proc.root, NULL, 0, &pass, &hidden, NULL), 0);
	assert_int_equal(hidden, 1);
	assert_int_equal(pass.nr_rings, 2);
}

/* What is not the command's is not even counted as closed. */
TEST(only_a_process_and_its_descendants)
{
	const pid_t pids[] = { 4, 1 };
	char maps[256] = "";

	map(maps, sizeof(maps), 0x1000, 17, 0, PERF);
	fake_tree_write(&proc, "5/maps", maps);
	fake_tree_write(&proc, "5/status", "Name:\tx\nPPid:\t4\nUid:\t0\n");
	fake_tree_write(&proc, "4/maps", maps);
	fake_tree_write(&proc, "4/status", "Name:\tx\nPPid:\t3\nUid:\t0\n");
	fake_tree_write(&proc, "3/status", "Name:\tx\nPPid:\t1\nUid:\t0\n");
	write_process(1, "a", 0, maps);
	host_pass_clear(&pass);
	assert_int_equal(host_proc_read(proc.root, pids, 1, &pass, &hidden, NULL), 0);
	assert_int_equal(hidden, 0);
	assert_int_equal(pass.nr_rings, 2);
	assert_int_not_equal(pass.holders[0].pid, 1);
	assert_int_not_equal(pass.holders[1].pid, 1);
	/* one that was a descendant has got another parent */
	host_pass_clear(&pass);
	assert_int_equal(host_proc_read(proc.root, pids, 2, &pass, &hidden,
					NULL), 0);
	assert_int_equal(pass.nr_rings, 3);
}

/* A process that ends during the pass has no rings. */
TEST(processes_may_end)
{
	char maps[256] = "";

	map(maps, sizeof(maps), 0x1000, 17, 0, PERF);
	fake_tree_write(&proc, "1/maps", maps);
	fake_tree_write(&proc, "2/status", "Name:\tx\n");
	write_process(3, "c", 0, maps);
	host_pass_clear(&pass);
	sys_fail_at(SYS_OPEN_FILE, 1, ESRCH);
	assert_int_equal(host_proc_read(proc.root, NULL, 0, &pass, &hidden, NULL), 0);
	assert_int_equal(hidden, 0);
	assert_int_equal(pass.nr_rings, 1);
	assert_int_equal(pass.holders[0].pid, 3);
}

TEST(names_are_made_harmless)
{
	char maps[256] = "";

	map(maps, sizeof(maps), 0x1000, 17, 0, PERF);
	write_process(1, "a\\nUid:\\\\\033[1m", 7, maps);
	read_all();
	assert_string_equal(pass.holders[0].comm, "a?Uid:\\?[1m");
	assert_int_equal(pass.holders[0].uid, 7);
}

/* Stopped, or held by a debugger; its name cannot say so. */
TEST(owners_may_be_stopped)
{
	static const char *const states[] = {
		"R (running)", "S (sleeping)", "T (stopped)",
		"t (tracing stop)", "Z (zombie)",
	};
	char maps[256] = "", text[128];

	map(maps, sizeof(maps), 0x1000, 17, 0, PERF);
	fake_tree_write(&proc, "1/maps", maps);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		snprintf(text, sizeof(text),
			 "Name:\tx\\nState:\tT\nState:\t%s\nUid:\t0\n",
			 states[i]);
		fake_tree_write(&proc, "1/status", text);
		read_all();
		assert_int_equal(pass.holders[0].stopped,
				 states[i][0] == 'T' || states[i][0] == 't');
	}
	write_process(1, "x", 0, maps);
	read_all();
	assert_false(pass.holders[0].stopped);
}

TEST(programs_with_very_many_mappings)
{
	size_t size = 8 << 20;
	char *maps = malloc(size);
	size_t len = 0;

	assert_non_null(maps);
	for (unsigned int i = 0; i < 60000; i++)
		len += (size_t)snprintf(maps + len, size - len,
					"%08x000-%08x000 rw-p 00000000 00:00 0 "
					"        [anon:cppgc perf_event]\n",
					2 * i + 16, 2 * i + 17);
	map(maps + len, size - len, 0x7f0000, 17, 0, PERF);
	write_process(1, "jvm", 0, maps);
	free(maps);
	read_all();
	assert_int_equal(pass.nr_rings, 1);
}

TEST(no_proc_is_said)
{
	struct err err = { 0 };

	assert_int_equal(host_proc_read("/nonexistent", NULL, 0, &pass, &hidden, &err),
			 -ENOENT);
	assert_string_equal(err.text,
			    "no processes in /nonexistent: No such file or "
			    "directory; is it mounted? as root: "
			    "mount -t proc proc /nonexistent");
	assert_int_equal(host_proc_read(proc.root, NULL, 0, &pass, &hidden, &err),
			 -ENOENT);
}

/* This process has no ring; others may have. */
TEST(the_real_proc_can_be_read)
{
	host_pass_clear(&pass);
	assert_int_equal(host_proc_read(NULL, NULL, 0, &pass, &hidden, NULL), 0);
	for (size_t i = 0; i < pass.nr_holders; i++)
		assert_int_not_equal(pass.holders[i].pid, getpid());
}

TEST_GROUP(host_proc, .each_setup = make_tree, .each_teardown = remove_tree);
