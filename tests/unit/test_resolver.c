/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include "base/err.h"
#include "resolver_rig.h"

static char self_exe[4096];	/* this program */

TEST(test_own_functions)
{
	uint64_t ip = (uintptr_t)known_function;
	struct symbol s;

	begin(NULL, NULL, 0);
	assert_int_equal(known_function(2), 6);
	s = of(getpid(), USER, ip + 1);
	assert_string_equal(s.name, "known_function");
	assert_string_equal(s.dso, self_exe);
	assert_int_equal(s.kind, SYMBOL_USER);
	assert_true(s.offset == 1);
	/* the second time from the cache: the same pointer */
	assert_ptr_equal(of(getpid(), USER, ip + 1).name, s.name);
	s = of(getpid(), USER, (uintptr_t)dlsym(RTLD_DEFAULT, "getppid") + 2);
	assert_non_null(strstr(s.name, "getppid"));
	assert_true(strstr(s.dso, "libc") != NULL);
}

TEST(test_vdso)
{
	uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
	size_t named = 0;

	if (!vdso)
		skip();
	begin(NULL, NULL, 0);
	for (uint64_t ip = vdso; ip < vdso + 4096; ip += 8) {
		struct symbol s = of(getpid(), USER, ip);

		assert_string_equal(s.dso, "[vdso]");
		assert_int_equal(s.kind, SYMBOL_USER);
		named += strstr(s.name, "vdso_") != NULL;
	}
	assert_true(named > 0);
}

TEST(test_no_mapping)
{
	struct symbol s;

	begin_in_tree();
	s = of(1234, USER, 0x5000);
	assert_string_equal(s.name, "[unknown]");
	assert_string_equal(s.dso, "[unknown]");
	assert_int_equal(s.kind, SYMBOL_UNKNOWN);
	assert_true(s.offset == 0x5000);
	assert_string_equal(shown(-1, USER, 7), "[unknown]+7 [unknown]");
	assert_string_equal(shown(0, USER, 7), "[unknown]+7 [unknown]");
}

TEST(test_spaces)
{
	static const struct {
		uint16_t mode;
		enum symbol_kind kind;
		const char *dso;
	} rows[] = {
		{ PERF_RECORD_MISC_HYPERVISOR, SYMBOL_HYPERVISOR,
		  "[hypervisor]" },
		{ PERF_RECORD_MISC_GUEST_KERNEL, SYMBOL_GUEST,
		  "[guest.kernel]" },
		{ PERF_RECORD_MISC_GUEST_USER, SYMBOL_GUEST, "[guest]" },
		{ 7, SYMBOL_UNKNOWN, "[unknown]" },
	};

	fake_tree_write(&tree, "kallsyms", "ffffffff81000000 T _text\n");
	begin_in_tree();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct symbol s = of(1, rows[i].mode, 0xffffffff81000000);

		assert_string_equal(s.name, "[unknown]");
		assert_string_equal(s.dso, rows[i].dso);
		assert_int_equal(s.kind, rows[i].kind);
	}
	/* if the kernel does not set the mode */
	assert_string_equal(shown(1, 0, 0xffffffff81000002),
			    "_text+2 [kernel.kallsyms]");
	assert_int_equal(of(1, 0, 0x1000).kind, SYMBOL_UNKNOWN);
}

static void ksymbol(uint64_t addr, const char *name, bool unregister)
{
	const struct side_band r = {
		.type = PERF_RECORD_KSYMBOL,
		.ksymbol = {
			.addr = addr,
			.len = 0x100,
			.unregister = unregister,
			.name = name,
		},
	};

	resolver_record(resolver, &r);
}

TEST(test_kernel)
{
	struct resolver_stats stats;
	uint64_t start;

	fake_tree_write(&tree, "kallsyms",
			"ffffffff81000000 T _text\n"
			"ffffffff81000100 T schedule\n"
			"ffffffffc0000000 t ext4_read\t[ext4]\n");
	begin_in_tree();
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.kernel_symbols, 0);
	assert_string_equal(shown(0, KERNEL, 0xffffffff81000108),
			    "schedule+8 [kernel.kallsyms]");
	assert_int_equal(of(0, KERNEL, 0xffffffff81000108).kind,
			 SYMBOL_KERNEL);
	assert_string_equal(shown(1, KERNEL, 0xffffffffc0000010),
			    "ext4_read+10 [ext4]");
	assert_string_equal(shown(1, KERNEL, 0xffffffffd0000010),
			    "[unknown]+ffffffffd0000010 [kernel.kallsyms]");
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.kernel_symbols, 3);
	assert_null(stats.kernel_hidden);
	assert_true(stats.bytes > 0 && stats.limit == 48 << 20);
	assert_string_equal(
		resolver_function(resolver, 0xffffffff81000104, &start),
		"schedule");
	assert_true(start == 0xffffffff81000100);
	assert_null(resolver_function(resolver, 1, &start));
	ksymbol(0xffffffffd0000000, "bpf_prog_x", false);
	assert_string_equal(shown(1, KERNEL, 0xffffffffd0000010),
			    "bpf_prog_x+10 [bpf]");
	ksymbol(0xffffffffd0000000, "bpf_prog_x", true);
	assert_string_equal(shown(1, KERNEL, 0xffffffffd0000010),
			    "[unknown]+ffffffffd0000010 [kernel.kallsyms]");
}

/* A recording that starts again has changed nothing yet. */
TEST(test_kernel_again)
{
	fake_tree_write(&tree, "kallsyms",
			"ffffffff81000000 T _text\n"
			"ffffffffc0000000 t bpf_prog_x\t[bpf]\n");
	begin_in_tree();
	assert_string_equal(shown(1, KERNEL, 0xffffffffc0000010),
			    "bpf_prog_x+10 [bpf]");
	ksymbol(0xffffffffc0000000, "bpf_prog_x", true);
	ksymbol(0xffffffffd0000000, "bpf_prog_y", false);
	assert_string_equal(of(1, KERNEL, 0xffffffffc0000010).name,
			    "[unknown]");
	resolver_restart(resolver);
	assert_string_equal(shown(1, KERNEL, 0xffffffffc0000010),
			    "bpf_prog_x+10 [bpf]");
	assert_string_equal(of(1, KERNEL, 0xffffffffd0000010).name,
			    "[unknown]");
}

/* A recording's programs, and not what has their addresses now. */
TEST(test_kernel_of_recording)
{
	char path[512];

	fake_tree_write(&tree, "kallsyms",
			"ffffffff81000000 T _text\n"
			"ffffffffc0000000 t bpf_prog_now\t[bpf]\n"
			"ffffffffc0000400 t bpf_prog_other\t[bpf]\n");
	snprintf(path, sizeof(path), "%s/kallsyms", tree.root);
	begin("", path, 0);
	for (int i = 0; i < 2; i++) {
		ksymbol(0xffffffffc0000000, "bpf_prog_then", false);
		assert_string_equal(shown(1, KERNEL, 0xffffffffc0000010),
				    "bpf_prog_then+10 [bpf]");
		assert_string_equal(shown(1, KERNEL, 0xffffffffc0000410),
				    "bpf_prog_other+10 [bpf]");
		/* unknown for long */
		of(1, KERNEL, 0xffffffffd0000000);
		resolver_idle(resolver, 20000000000);
		resolver_idle(resolver, 40000000000);
		assert_string_equal(shown(1, KERNEL, 0xffffffffc0000010),
				    "bpf_prog_then+10 [bpf]");
		resolver_restart(resolver);
	}
}

/* There is no record of a module: kallsyms is read again, but not often. */
TEST(test_module_loaded_later)
{
	fake_tree_write(&tree, "kallsyms", "ffffffff81000000 T _text\n");
	begin_in_tree();
	resolver_idle(resolver, 1 * SECOND);
	of(1, KERNEL, 0xffffffffc0000010);
	fake_tree_write(&tree, "kallsyms",
			"ffffffff81000000 T _text\n"
			"ffffffffc0000000 t new\t[module]\n");
	resolver_idle(resolver, 3 * SECOND);
	assert_string_equal(of(1, KERNEL, 0xffffffffc0000010).name,
			    "[unknown]");
	resolver_idle(resolver, 60 * SECOND);
	assert_string_equal(shown(1, KERNEL, 0xffffffffc0000010),
			    "new+10 [module]");
}

static const char *hidden_with(const char *restricted)
{
	static struct resolver_stats stats;

	fake_tree_write(&tree, "kallsyms", "0000000000000000 T _text\n");
	fake_tree_write(&tree, "sys/kernel/kptr_restrict", restricted);
	resolver_free(resolver);
	begin_in_tree();
	resolver_read_stats(resolver, &stats);
	assert_null(stats.kernel_hidden);
	assert_string_equal(of(0, KERNEL, UINT64_MAX - 5).name, "[unknown]");
	resolver_read_stats(resolver, &stats);
	assert_non_null(stats.kernel_hidden);
	return stats.kernel_hidden;
}

TEST(test_kernel_hidden)
{
	struct resolver_stats stats;

	assert_non_null(strstr(hidden_with("2"), "kptr_restrict is 2"));
	assert_non_null(strstr(hidden_with("1"), "CAP_SYSLOG"));
	assert_non_null(strstr(hidden_with("0"), "perf_event_paranoid"));
	resolver_free(resolver);
	begin(tree.root, "/nonexistent/kallsyms", 0);
	of(0, KERNEL, UINT64_MAX - 5);
	resolver_read_stats(resolver, &stats);
	assert_non_null(strstr(stats.kernel_hidden, "CONFIG_KALLSYMS"));
}

TEST(test_exec_changes_names)
{
	struct stat st = copy_self("50/root/opt/app");
	uint64_t at = file_offset();

	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	exec_record(50, "x");
	/* execve(2), called from there, has not returned yet */
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	map_record(50, 0x1000, 0x1000, "/opt/x", 0);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	assert_string_equal(of(50, USER, 0x1000).dso, "/opt/x");
	assert_string_equal(of(50, USER, MAPPED + at).dso, "[unknown]");
	assert_string_equal(resolver_comm(resolver, 50, 50), "x");
}

/*
 * There was no record of an exec(2), as on a CPU that is not watched: it is
 * detected by an address in no mapping.  But /proc is not read all the time.
 */
TEST(test_heals_itself)
{
	fake_tree_write(&tree, "50/maps", "1000-2000 r-xp 0 0:0 7 /bin/sh\n");
	fake_tree_write(&tree, "50/task/50/comm", "sh\n");
	begin_in_tree();
	resolver_idle(resolver, 10 * SECOND);
	assert_string_equal(of(50, USER, 0x1000).dso, "/bin/sh");
	assert_string_equal(resolver_comm(resolver, 50, 50), "sh");
	fake_tree_write(&tree, "50/maps", "8000-9000 r-xp 0 0:0 8 /bin/ls\n");
	fake_tree_write(&tree, "50/task/50/comm", "ls\n");
	assert_string_equal(of(50, USER, 0x1000).dso, "/bin/sh");
	assert_string_equal(resolver_comm(resolver, 50, 50), "sh");
	assert_string_equal(of(50, USER, 0x8000).dso, "/bin/ls");
	assert_string_equal(of(50, USER, 0x1000).dso, "[unknown]");
	assert_string_equal(resolver_comm(resolver, 50, 50), "ls");
	fake_tree_write(&tree, "50/maps", "3000-4000 r-xp 0 0:0 9 /bin/ps\n");
	fake_tree_write(&tree, "50/task/50/comm", "ps\n");
	assert_string_equal(of(50, USER, 0x3000).dso, "[unknown]");
	assert_string_equal(resolver_comm(resolver, 50, 50), "ls");
	resolver_idle(resolver, 11 * SECOND);
	assert_string_equal(of(50, USER, 0x3000).dso, "/bin/ps");
	assert_string_equal(resolver_comm(resolver, 50, 50), "ps");
}

static void cgroup(uint64_t id, const char *path)
{
	const struct side_band r = {
		.type = PERF_RECORD_CGROUP,
		.cgroup = { .id = id, .path = path },
	};

	resolver_record(resolver, &r);
}

TEST(test_cgroups)
{
	char path[32];

	begin_in_tree();
	assert_null(resolver_cgroup(resolver, 1));
	cgroup(1, "/");
	cgroup(7, "/user\033[2J");
	assert_string_equal(resolver_cgroup(resolver, 1), "/");
	assert_string_equal(resolver_cgroup(resolver, 7), "/user?[2J");
	/* a reused id is another group's */
	cgroup(7, "/system");
	assert_string_equal(resolver_cgroup(resolver, 7), "/system");
	/* many short-lived containers: the latest are known */
	for (uint64_t id = 100; id < 100100; id++) {
		snprintf(path, sizeof(path), "/box-%" PRIu64, id);
		cgroup(id, path);
	}
	assert_string_equal(resolver_cgroup(resolver, 100099), "/box-100099");
	assert_string_equal(resolver_cgroup(resolver, 99500), "/box-99500");
	assert_null(resolver_cgroup(resolver, 7));
	assert_null(resolver_cgroup(resolver, 98000));
}

/* A program with a mapping that only one of 64 bits can have. */
TEST(test_native)
{
	begin_in_tree();
	assert_false(resolver_is_native(resolver, 0));
	assert_false(resolver_is_native(resolver, -1));
	assert_false(resolver_is_native(resolver, 5));
	map_record(5, 0x400000, 0x1000, "/bin/wide", 1);
	map_record(6, 0x8048000, 0x1000, "/bin/narrow", 2);
	map_record(6, 0x7fffffffe000, 0x1000, "//anon", 0);
	map_record(6, 0xf7f00000, 0x2000, "[vdso]", 0);
#if __SIZEOF_LONG__ == 8
	assert_false(resolver_is_native(resolver, 5));
	map_record(5, 0x7fff12345000, 0x2000, "[vdso]", 0);
	map_record(5, 0x500000, 0x1000, "/lib/late", 3);
	assert_true(resolver_is_native(resolver, 5));
	assert_false(resolver_is_native(resolver, 6));
	assert_false(resolver_is_native(resolver, 7));
#else
	assert_true(resolver_is_native(resolver, 6));
#endif
}

/* Random words through every entry point of the resolver: no crash. */
TEST(test_noise)
{
	static const uint32_t types[] = {
		PERF_RECORD_MMAP, PERF_RECORD_MMAP2, PERF_RECORD_COMM,
		PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_SWITCH,
		PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_KSYMBOL,
		PERF_RECORD_CGROUP, 999,
	};
	struct symbol symbol;

	fake_tree_write(&tree, "kallsyms", "ffffffff81000000 T _text\n");
	begin_in_tree();
	srand(7);
	for (int i = 0; i < 20000; i++) {
		struct side_band r;
		uint8_t *bytes = (uint8_t *)&r;

		for (size_t j = 0; j < sizeof(r); j++)
			bytes[j] = (uint8_t)rand();
		memset(&r.map, 0, offsetof(struct side_band_map, start));
		r.map.pid = r.map.tid = rand() % 8 - 1;
		r.type = types[(size_t)rand() % 10];
		r.map.executable = r.map.kernel = r.map.has_inode = false;
		if (r.type <= PERF_RECORD_MMAP2) {
			r.map.name = i % 2 ? "//anon" : "/x\033[2J";
			r.map.executable = true;
		}
		if (r.type == PERF_RECORD_COMM) {
			r.comm.exec = i % 2;
			r.comm.comm = "a\033[2J";
		}
		if (r.type == PERF_RECORD_SWITCH ||
		    r.type == PERF_RECORD_SWITCH_CPU_WIDE)
			r.sched = (struct side_band_switch){ .out = i % 2 };
		if (r.type == PERF_RECORD_CGROUP)
			r.cgroup.path = "/a\033[2J";
		if (r.type == PERF_RECORD_KSYMBOL) {
			r.ksymbol.unregister = i % 2;
			r.ksymbol.name = "bpf_x";
		}
		resolver_record(resolver, &r);
		resolver_symbol(resolver, rand() % 8 - 1,
				(uint16_t)(rand() % 8),
				(uint64_t)rand() << 33 ^ (uint64_t)rand(),
				&symbol);
		assert_null(strchr(symbol.dso, '\033'));
		assert_null(strchr(resolver_comm(resolver, 1, rand() % 8),
				   '\033'));
	}
}

/* The machine's own processes and kernel, in slices. */
TEST(test_idle)
{
	struct resolver_stats stats;
	const struct resolver_opts opts = { .names = names };
	struct err err;
	int slices = 0;

	resolver = resolver_new(&opts, &err);
	assert_non_null(resolver);
	while (resolver_idle(resolver, sys_now_ns()))
		assert_true(++slices < 100000);
	resolver_read_stats(resolver, &stats);
	assert_true(stats.processes >= 2);
	resolver_resync(resolver);
	while (resolver_idle(resolver, sys_now_ns()))
		assert_true(++slices < 100000);
	assert_string_equal(of(getpid(), USER, (uintptr_t)known_function).name,
			    "known_function");
}

/* The cost of a repeated lookup: most samples hit few addresses. */
TEST(test_cost)
{
	enum { NR = 1000000 };
	uint64_t ip = (uintptr_t)known_function;
	double begun, first, each;

	begin(NULL, NULL, 0);
	begun = sys_thread_cpu();
	of(getpid(), USER, ip);
	first = sys_thread_cpu() - begun;
	begun = sys_thread_cpu();
	for (unsigned int i = 0; i < NR; i++)
		of(getpid(), USER, ip + i % 4);
	each = (sys_thread_cpu() - begun) / NR;
	print_message("# %.0f ns for an address that was asked before, %.0f "
		      "for the first\n", each * 1e9, first * 1e9);
	assert_true(each < first / 20);
}

static int group_setup(void **state)
{
	ssize_t len = readlink("/proc/self/exe", self_exe,
			       sizeof(self_exe) - 1);

	(void)state;
	return len < 0 ? -1 : 0;
}

TEST_GROUP(resolver, .setup = group_setup, .each_setup = setup,
	   .each_teardown = teardown);
