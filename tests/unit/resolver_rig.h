/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A resolver of names, with the machine's own /proc or a fake one.  The test
 * program itself is the file whose functions are known.
 */
#ifndef RBTOP_TESTS_RESOLVER_RIG_H
#define RBTOP_TESTS_RESOLVER_RIG_H

#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/sys.h"
#include "fake_tree.h"
#include "samples/names.h"
#include "task/process_maps.h"
#include "symbols/resolver.h"

#define SECOND 1000000000ull
#define USER PERF_RECORD_MISC_USER
#define KERNEL PERF_RECORD_MISC_KERNEL

static struct fake_tree tree;
static struct names *names;
static struct resolver *resolver;
static unsigned int loaders;	/* of the next resolver */

static inline int setup(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	names = names_new(8 << 20);
	return names ? 0 : -1;
}

static inline int teardown(void **state)
{
	(void)state;
	resolver_free(resolver);
	resolver = NULL;
	names_free(names);
	fake_tree_free(&tree);
	return 0;
}

/* Make a resolver with @proc, and with the file @kallsyms. */
static inline void begin(const char *proc, const char *kallsyms, size_t limit)
{
	const pid_t self = getpid();
	const struct resolver_opts opts = {
		.proc = proc,
		.kallsyms = kallsyms,
		.limit = limit,
		.names = names,
		.pids = &self,
		.nr_pids = 1,
		.loaders = loaders,
	};

	resolver = resolver_new(&opts, NULL);
	assert_non_null(resolver);
}

static inline void begin_in_tree(void)
{
	char kallsyms[512];

	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", tree.root);
	begin(tree.root, kallsyms, 0);
}

static inline struct symbol of(pid_t pid, uint16_t mode, uint64_t ip)
{
	struct symbol symbol;

	resolver_symbol(resolver, pid, mode, ip, &symbol);
	return symbol;
}

/* "name+offset dso" */
static inline const char *shown(pid_t pid, uint16_t mode, uint64_t ip)
{
	static char text[512];
	struct symbol s = of(pid, mode, ip);

	snprintf(text, sizeof(text), "%s+%" PRIx64 " %s", s.name, s.offset,
		 s.dso);
	return text;
}

static inline void map_record(pid_t pid, uint64_t start, uint64_t len,
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

/* Map a file whose device and inode are known. */
static inline void map_file(pid_t pid, uint64_t start, uint64_t len,
			    const char *name, const struct stat *st)
{
	const struct side_band r = {
		.type = PERF_RECORD_MMAP2,
		.map = {
			.pid = pid,
			.start = start,
			.len = len,
			.executable = true,
			.has_inode = true,
			.inode = st->st_ino,
			.major = major(st->st_dev),
			.minor = minor(st->st_dev),
			.name = name,
		},
	};

	resolver_record(resolver, &r);
}

static inline void task_record(uint32_t type, pid_t pid, pid_t ppid)
{
	const struct side_band r = {
		.type = type,
		.task = { .pid = pid, .tid = pid, .ppid = ppid, .ptid = ppid },
	};

	resolver_record(resolver, &r);
}

static inline void exec_record(pid_t pid, const char *comm)
{
	const struct side_band r = {
		.type = PERF_RECORD_COMM,
		.comm = { .pid = pid, .tid = pid, .comm = comm, .exec = true },
	};

	resolver_record(resolver, &r);
}

/* A function in this program's symbol table that is not exported. */
static __attribute__((noinline, unused)) int
known_function(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x * 3;
}

/* Copy this program to ROOT/@path. */
static inline struct stat copy_self(const char *path)
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
	return st;
}

/* Make ROOT/@path a link to ROOT/@target. */
static inline void link_to(const char *path, const char *target)
{
	char from[512], to[512];

	fake_tree_write(&tree, path, "");
	snprintf(from, sizeof(from), "%s/%s", tree.root, path);
	snprintf(to, sizeof(to), "%s/%s", tree.root, target);
	assert_int_equal(unlink(from), 0);
	assert_int_equal(symlink(to, from), 0);
}

/* The offset of known_function() in the file, by our own mappings. */
static inline uint64_t file_offset(void)
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

#define MAPPED 0x40000000ull	/* where the file is mapped, from offset 0 */
#define MAPPED_LEN (256ull << 20)

#endif
