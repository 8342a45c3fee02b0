/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "fake_tree.h"
#include "model/names.h"
#include "symbols/elf_symbols.h"
#include "symbols/process_maps.h"
#include "symbols/resolver.h"

#define SECOND 1000000000ull
#define USER PERF_RECORD_MISC_USER
#define KERNEL PERF_RECORD_MISC_KERNEL

static struct fake_tree tree;
static struct names *names;
static struct resolver *resolver;
static char self_exe[4096];	/* this very program */

static int setup(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	names = names_new(8 << 20);
	return names ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	resolver_free(resolver);
	resolver = NULL;
	names_free(names);
	fake_tree_free(&tree);
	return 0;
}

/* Of the machine's own /proc, but for what @kallsyms is the path of. */
static void begin(const char *proc, const char *kallsyms, size_t limit)
{
	const pid_t self = getpid();
	const struct resolver_opts opts = {
		.proc = proc,
		.kallsyms = kallsyms,
		.limit = limit,
		.names = names,
		.pids = &self,
		.nr_pids = 1,
	};

	resolver = resolver_new(&opts, NULL);
	assert_non_null(resolver);
}

static void begin_in_tree(void)
{
	char kallsyms[512];

	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", tree.root);
	begin(tree.root, kallsyms, 0);
}

static struct symbol of(pid_t pid, uint16_t mode, uint64_t ip)
{
	struct symbol symbol;

	resolver_symbol(resolver, pid, mode, ip, &symbol);
	return symbol;
}

/* "name+offset dso" */
static const char *shown(pid_t pid, uint16_t mode, uint64_t ip)
{
	static char text[512];
	struct symbol s = of(pid, mode, ip);

	snprintf(text, sizeof(text), "%s+%" PRIx64 " %s", s.name, s.offset,
		 s.dso);
	return text;
}

static void map_record(pid_t pid, uint64_t start, uint64_t len,
		       const char *name, uint64_t inode)
{
	const struct side_band r = {
		.type = PERF_RECORD_MMAP2,
		.map = {
			.pid = pid,
			.start = start,
			.len = len,
			.executable = true,
			.has_inode = inode != 0,
			.inode = inode,
			.name = name,
		},
	};

	resolver_record(resolver, &r);
}

/* A function that this file's symbol table names, and nothing exports. */
static __attribute__((noinline)) int known_function(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x * 3;
}

static void test_own_functions(void **state)
{
	uint64_t ip = (uintptr_t)known_function;
	struct symbol s;

	(void)state;
	begin(NULL, NULL, 0);
	assert_int_equal(known_function(2), 6);
	s = of(getpid(), USER, ip + 1);
	assert_string_equal(s.name, "known_function");
	assert_string_equal(s.dso, self_exe);
	assert_int_equal(s.kind, SYMBOL_USER);
	assert_true(s.offset == 1);
	/* the second time from the cache: the same */
	assert_ptr_equal(of(getpid(), USER, ip + 1).name, s.name);
	s = of(getpid(), USER, (uintptr_t)dlsym(RTLD_DEFAULT, "getppid") + 2);
	assert_non_null(strstr(s.name, "getppid"));
	assert_true(strstr(s.dso, "libc") != NULL);
}

static void test_vdso(void **state)
{
	uint64_t vdso = getauxval(AT_SYSINFO_EHDR);
	size_t named = 0;

	(void)state;
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

static void test_no_mapping(void **state)
{
	struct symbol s;

	(void)state;
	begin_in_tree();
	s = of(1234, USER, 0x5000);
	assert_string_equal(s.name, "[unknown]");
	assert_string_equal(s.dso, "[unknown]");
	assert_int_equal(s.kind, SYMBOL_UNKNOWN);
	assert_true(s.offset == 0x5000);
	assert_string_equal(shown(-1, USER, 7), "[unknown]+7 [unknown]");
	assert_string_equal(shown(0, USER, 7), "[unknown]+7 [unknown]");
}

static void test_spaces(void **state)
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

	(void)state;
	fake_tree_write(&tree, "kallsyms", "ffffffff81000000 T _text\n");
	begin_in_tree();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct symbol s = of(1, rows[i].mode, 0xffffffff81000000);

		assert_string_equal(s.name, "[unknown]");
		assert_string_equal(s.dso, rows[i].dso);
		assert_int_equal(s.kind, rows[i].kind);
	}
	/* where the kernel does not say */
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

static void test_kernel(void **state)
{
	struct resolver_stats stats;
	uint64_t start;

	(void)state;
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

/* No record tells of a module: the text is read again, but not often. */
static void test_module_loaded_later(void **state)
{
	(void)state;
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

static void test_kernel_hidden(void **state)
{
	struct resolver_stats stats;

	(void)state;
	assert_non_null(strstr(hidden_with("2"), "kptr_restrict is 2"));
	assert_non_null(strstr(hidden_with("1"), "CAP_SYSLOG"));
	assert_non_null(strstr(hidden_with("0"), "perf_event_paranoid"));
	resolver_free(resolver);
	begin(tree.root, "/nonexistent/kallsyms", 0);
	of(0, KERNEL, UINT64_MAX - 5);
	resolver_read_stats(resolver, &stats);
	assert_non_null(strstr(stats.kernel_hidden, "CONFIG_KALLSYMS"));
}

/*
 * A copy of this program as "PATH" in the root of process 50, and its inode.
 * Its code is where the first executable mapping of ours says.
 */
static uint64_t copy_self(const char *path)
{
	char full[512], buf[65536];
	struct stat st;
	ssize_t n;
	int in, out;

	fake_tree_write(&tree, path, "");
	snprintf(full, sizeof(full), "%s/%s", tree.root, path);
	in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	out = open(full, O_WRONLY | O_CLOEXEC);
	assert_true(in >= 0 && out >= 0);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		assert_int_equal(write(out, buf, (size_t)n), n);
	assert_int_equal(fstat(out, &st), 0);
	close(in);
	close(out);
	return st.st_ino;
}

/* Where known_function() is in the file, by the mappings of ourselves. */
static uint64_t file_offset(void)
{
	uint64_t ip = (uintptr_t)known_function, offset = 0;
	struct process_maps *maps = process_maps_new();
	struct process_map *map;
	char *text;

	assert_true(sys_read_file_alloc("/proc/self/maps", 1 << 24, &text) >
		    0);
	assert_int_equal(process_maps_parse(maps, text, names), 0);
	map = process_maps_find(maps, ip);
	assert_non_null(map);
	offset = ip - map->start + map->pgoff;
	free(text);
	process_maps_free(maps);
	return offset;
}

#define MAPPED 0x40000000ull	/* from the file's beginning on */
#define MAPPED_LEN (256ull << 20)

/* A container: the path is that in the process' own root. */
static void test_root_of_the_process(void **state)
{
	uint64_t inode = copy_self("50/root/opt/app"), at = file_offset();

	(void)state;
	begin_in_tree();
	map_record(50, MAPPED, MAPPED_LEN, "/opt/app", inode);
	assert_string_equal(shown(50, USER, MAPPED + at + 1),
			    "known_function+1 /opt/app");
	/* where there is no function, the offset is the file's */
	assert_string_equal(shown(50, USER, MAPPED),
			    "[unknown]+0 /opt/app");
}

/* Replaced by another file since: no names are better than wrong ones. */
static void test_replaced(void **state)
{
	uint64_t inode = copy_self("50/root/opt/app"), at = file_offset();

	(void)state;
	begin_in_tree();
	map_record(50, MAPPED, MAPPED_LEN, "/opt/app", inode + 1);
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
	assert_string_equal(of(50, USER, MAPPED + at).dso, "/opt/app");
	assert_int_equal(of(50, USER, MAPPED + at).kind, SYMBOL_USER);
}

static struct side_band with_build_id(pid_t pid, const char *name)
{
	struct side_band r = {
		.type = PERF_RECORD_MMAP2,
		.map = {
			.pid = pid,
			.start = MAPPED,
			.len = MAPPED_LEN,
			.executable = true,
			.name = name,
		},
	};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct elf_build_id id;

	if (elf_symbols_build_id(fd, &id))
		id.len = 0;
	close(fd);
	memcpy(r.map.build_id, id.bytes, sizeof(id.bytes));
	r.map.build_id_len = id.len;
	return r;
}

static void test_build_id(void **state)
{
	struct side_band r = with_build_id(50, "/opt/app");
	uint64_t at = file_offset();

	(void)state;
	if (!r.map.build_id_len)
		skip();
	copy_self("50/root/opt/app");
	begin_in_tree();
	resolver_record(resolver, &r);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	r.map.build_id[0] ^= 1;
	resolver_record(resolver, &r);
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
}

/* Its path is gone or another file's, but the mapping itself is there. */
static void test_deleted(void **state)
{
	char from[512], to[512];
	uint64_t at = file_offset();

	(void)state;
	copy_self("kept");
	fake_tree_write(&tree, "50/map_files/.keep", "");
	snprintf(to, sizeof(to), "%s/kept", tree.root);
	snprintf(from, sizeof(from), "%s/50/map_files/%llx-%llx", tree.root,
		 MAPPED, MAPPED + MAPPED_LEN);
	assert_int_equal(symlink(to, from), 0);
	begin_in_tree();
	map_record(50, MAPPED, MAPPED_LEN, "/opt/app (deleted)", 5);
	assert_string_equal(shown(50, USER, MAPPED + at),
			    "known_function+0 /opt/app (deleted)");
	/* another process has the same file, and no map_files */
	map_record(51, MAPPED, MAPPED_LEN, "/opt/app (deleted)", 5);
	assert_string_equal(of(51, USER, MAPPED + at).name, "known_function");
	map_record(52, MAPPED, MAPPED_LEN, "/opt/app (deleted)", 6);
	assert_string_equal(of(52, USER, MAPPED + at).name, "[unknown]");
}

/* What is not a plain file is not waited for, links are not followed. */
static void test_not_plain(void **state)
{
	char path[512], to[512];
	struct stat st;

	(void)state;
	copy_self("real");
	fake_tree_write(&tree, "50/root/opt/x", "");
	snprintf(path, sizeof(path), "%s/50/root/opt/fifo", tree.root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(stat(path, &st), 0);
	begin_in_tree();
	map_record(50, MAPPED, MAPPED_LEN, "/opt/fifo", st.st_ino);
	assert_string_equal(of(50, USER, MAPPED).name, "[unknown]");
	snprintf(path, sizeof(path), "%s/50/root/opt/link", tree.root);
	snprintf(to, sizeof(to), "%s/real", tree.root);
	assert_int_equal(symlink(to, path), 0);
	assert_int_equal(stat(path, &st), 0);
	map_record(51, MAPPED, MAPPED_LEN, "/opt/link", st.st_ino);
	assert_string_equal(of(51, USER, MAPPED + file_offset()).name,
			    "[unknown]");
	map_record(52, MAPPED, MAPPED_LEN, "/dev/watchdog", 9);
	assert_string_equal(of(52, USER, MAPPED).dso, "/dev/watchdog");
}

/* A file that could not be had is tried again, but only after a second. */
static void test_tried_again(void **state)
{
	uint64_t at = file_offset(), inode;

	(void)state;
	inode = copy_self("elsewhere");
	begin_in_tree();
	resolver_idle(resolver, 10 * SECOND);
	map_record(50, MAPPED, MAPPED_LEN, "/opt/app", inode);
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
	fake_tree_write(&tree, "50/root/opt/.keep", "");
	{
		char from[512], to[512];

		snprintf(from, sizeof(from), "%s/elsewhere", tree.root);
		snprintf(to, sizeof(to), "%s/50/root/opt/app", tree.root);
		assert_int_equal(rename(from, to), 0);
	}
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
	resolver_idle(resolver, 12 * SECOND);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
}

static void test_exec_changes_names(void **state)
{
	uint64_t inode = copy_self("50/root/opt/app"), at = file_offset();
	const struct side_band exec = {
		.type = PERF_RECORD_COMM,
		.comm = { .pid = 50, .tid = 50, .comm = "x", .exec = true },
	};

	(void)state;
	begin_in_tree();
	map_record(50, MAPPED, MAPPED_LEN, "/opt/app", inode);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	resolver_record(resolver, &exec);
	assert_string_equal(of(50, USER, MAPPED + at).dso, "[unknown]");
	assert_string_equal(resolver_comm(resolver, 50, 50), "x");
}

static void write_status(const char *pid)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "%s/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\tx\nPid:\t%s\nUid:\t%d\t%d\t%d\t%d\nNSpid:\t%s\n", pid,
		 geteuid(), geteuid(), geteuid(), geteuid(), pid);
	fake_tree_write(&tree, path, text);
}

static void test_jit(void **state)
{
	(void)state;
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
	/* more code, and other code where there was some */
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

/* The map comes after the first samples of its code. */
static void test_jit_late(void **state)
{
	(void)state;
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

/* Two files in room for one: the one not asked for longest goes. */
static void test_limit(void **state)
{
	struct resolver_stats stats;
	uint64_t at = file_offset(), first, second;
	size_t one;

	(void)state;
	first = copy_self("50/root/opt/first");
	second = copy_self("50/root/opt/second");
	begin_in_tree();
	map_record(50, MAPPED, MAPPED_LEN, "/opt/first", first);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.files, 1);
	one = stats.bytes;
	resolver_free(resolver);

	begin(tree.root, NULL, 2 * one);
	map_record(50, MAPPED, MAPPED_LEN, "/opt/first", first);
	map_record(50, 2 * MAPPED, MAPPED_LEN, "/opt/second", second);
	for (unsigned int i = 0; i < 6; i++) {
		/* a file let go is read again, but not within a second */
		resolver_idle(resolver, (10 + 2 * i) * SECOND);
		assert_string_equal(shown(50, USER, (1 + i % 2) * MAPPED + at),
				    i % 2 ? "known_function+0 /opt/second" :
					    "known_function+0 /opt/first");
		resolver_read_stats(resolver, &stats);
		assert_true(stats.bytes <= stats.limit);
	}
}

/* Programs that are built, run once and deleted leave nothing behind. */
static void test_files_are_forgotten(void **state)
{
	struct resolver_stats stats;
	char name[64];

	(void)state;
	begin_in_tree();
	for (uint64_t i = 0; i < 5000; i++) {
		pid_t pid = 1000 + (pid_t)i;
		const struct side_band exit = {
			.type = PERF_RECORD_EXIT,
			.time = i * SECOND,
			.task = { .pid = pid, .tid = pid },
		};

		snprintf(name, sizeof(name), "/tmp/conftest%d", pid);
		map_record(pid, MAPPED, MAPPED_LEN, name, 0);
		of(pid, USER, MAPPED);
		resolver_record(resolver, &exit);
		resolver_idle(resolver, i * SECOND);
	}
	resolver_read_stats(resolver, &stats);
	assert_in_range(stats.processes, 0, 10);
	assert_true(stats.bytes < 1 << 20);
}

/* Every path into the resolver with random words: nothing to crash on. */
static void test_noise(void **state)
{
	static const uint32_t types[] = {
		PERF_RECORD_MMAP, PERF_RECORD_MMAP2, PERF_RECORD_COMM,
		PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_SWITCH,
		PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_KSYMBOL,
		PERF_RECORD_CGROUP, 999,
	};
	struct symbol symbol;

	(void)state;
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
static void test_idle(void **state)
{
	struct resolver_stats stats;
	const struct resolver_opts opts = { .names = names };
	struct err err;
	int slices = 0;

	(void)state;
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

/* What a lookup costs the second time: most samples hit few addresses. */
static void test_cost(void **state)
{
	enum { NR = 1000000 };
	uint64_t ip = (uintptr_t)known_function;
	double begun, each;

	(void)state;
	begin(NULL, NULL, 0);
	of(getpid(), USER, ip);
	begun = sys_now();
	for (unsigned int i = 0; i < NR; i++)
		of(getpid(), USER, ip + i % 4);
	each = (sys_now() - begun) / NR;
	print_message("# %.0f ns for an address that was asked before\n",
		      each * 1e9);
	assert_true(each < 2e-6);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_own_functions),
		TEST(test_vdso),
		TEST(test_no_mapping),
		TEST(test_spaces),
		TEST(test_kernel),
		TEST(test_module_loaded_later),
		TEST(test_kernel_hidden),
		TEST(test_root_of_the_process),
		TEST(test_replaced),
		TEST(test_build_id),
		TEST(test_deleted),
		TEST(test_not_plain),
		TEST(test_tried_again),
		TEST(test_exec_changes_names),
		TEST(test_jit),
		TEST(test_jit_late),
		TEST(test_limit),
		TEST(test_files_are_forgotten),
		TEST(test_noise),
		TEST(test_idle),
		TEST(test_cost),
	};
	ssize_t len = readlink("/proc/self/exe", self_exe,
			       sizeof(self_exe) - 1);

	if (len < 0)
		return 99;
	return cmocka_run_group_tests_name("resolver", tests, NULL, NULL);
}
