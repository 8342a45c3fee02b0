/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions are those of the mapped file, and of no other. */
#include "tests/group.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>

#include "symbols/elf/elf_symbols.h"
#include "resolver_rig.h"

/* A container: the path is in the root of the process. */
TEST(test_root_of_the_process)
{
	struct stat st = copy_self("50/root/opt/app");
	uint64_t at = file_offset();

	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
	assert_string_equal(shown(50, USER, MAPPED + at + 1),
			    "known_function+1 /opt/app");
	assert_false(of(50, USER, MAPPED + at).placed);
	/* beyond the file; without a function, the offset is that in it */
	assert_string_equal(shown(50, USER, MAPPED + MAPPED_LEN - 1),
			    "[unknown]+fffffff /opt/app");
}

/* Without symbols, functions or pages are told apart by their place. */
TEST(test_stripped)
{
	uint64_t at = file_offset();
	char command[600], function[64], page[64];
	struct stat st;

	/* not what perf has kept of this program, with its symbols */
	setenv("HOME", tree.root, 1);
	copy_self("50/root/opt/app");
	snprintf(command, sizeof(command),
		 "cd '%s/50/root/opt' && strip app 2>/dev/null", tree.root);
	if (system(command))
		skip();
	snprintf(command, sizeof(command), "%s/50/root/opt/app", tree.root);
	assert_int_equal(stat(command, &st), 0);
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
	snprintf(function, sizeof(function), "fn@0x%" PRIx64 "+1 /opt/app", at);
	snprintf(page, sizeof(page), "page@0x%" PRIx64 "+%" PRIx64 " /opt/app",
		 (at + 1) & ~UINT64_C(4095), (at + 1) & 4095);
	/* a second time from the cache */
	for (int i = 0; i < 2; i++) {
		const char *got = shown(50, USER, MAPPED + at + 1);

		/* not every machine's compiler writes .eh_frame */
		if (strcmp(got, page) != 0)
			assert_string_equal(got, function);
		assert_true(of(50, USER, MAPPED + at + 1).placed);
		assert_int_equal(of(50, USER, MAPPED + at).kind, SYMBOL_USER);
	}
}

/* Replaced by another file since: no names rather than wrong ones. */
TEST(test_replaced)
{
	struct stat st = copy_self("50/root/opt/app");
	uint64_t at = file_offset();

	begin_in_tree();
	st.st_ino++;
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
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

TEST(test_build_id)
{
	struct side_band r = with_build_id(50, "/opt/app");
	uint64_t at = file_offset();

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

/* The path is gone or is another file, but the mapping can be opened. */
TEST(test_deleted)
{
	struct stat st = copy_self("kept");
	uint64_t at = file_offset();

	link_to("50/map_files/40000000-50000000", "kept");
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app (deleted)", &st);
	assert_string_equal(shown(50, USER, MAPPED + at),
			    "known_function+0 /opt/app (deleted)");
	/* another process has the same file, and no map_files */
	map_file(51, MAPPED, MAPPED_LEN, "/opt/app (deleted)", &st);
	assert_string_equal(of(51, USER, MAPPED + at).name, "known_function");
	st.st_ino++;
	map_file(52, MAPPED, MAPPED_LEN, "/opt/app (deleted)", &st);
	assert_string_equal(of(52, USER, MAPPED + at).name, "[unknown]");
}

/* Another file is mapped there now, which replaced the first. */
TEST(test_place_taken)
{
	struct stat first = copy_self("50/root/opt/first");
	uint64_t at = file_offset();

	fake_tree_write(&tree, "second", "no program");
	link_to("50/map_files/40000000-50000000", "second");
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/first", &first);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	/* and vice versa: not named by what is mapped there now */
	copy_self("second");
	first.st_ino += 1000;
	map_file(51, MAPPED, MAPPED_LEN, "/opt/gone", &first);
	link_to("51/map_files/40000000-50000000", "second");
	assert_string_equal(of(51, USER, MAPPED + at).name, "[unknown]");
	map_record(52, MAPPED, MAPPED_LEN, "/opt/gone", 0);
	link_to("52/map_files/40000000-50000000", "second");
	assert_string_equal(of(52, USER, MAPPED + at).name, "[unknown]");
}

/*
 * Inode numbers of layered file systems may differ: the name of the mapping is
 * used.
 */
TEST(test_same_name)
{
	struct stat st = copy_self("layered");
	uint64_t at = file_offset();
	char path[512];

	st.st_dev = makedev(0, 12345);
	st.st_ino += 1000;
	link_to("50/map_files/40000000-50000000", "layered");
	snprintf(path, sizeof(path), "%s/layered", tree.root);
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, path, &st);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	link_to("51/map_files/40000000-50000000", "layered");
	path[strlen(path) - 1] = '\0';
	map_file(51, MAPPED, MAPPED_LEN, path, &st);
	assert_string_equal(of(51, USER, MAPPED + at).name, "[unknown]");
}

/* The same inode on another device is another file. */
TEST(test_other_device)
{
	struct stat st = copy_self("50/root/opt/app");
	uint64_t at = file_offset();

	if (!major(st.st_dev))
		skip();
	st.st_dev = makedev(major(st.st_dev), minor(st.st_dev) + 1);
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
}

/*
 * In rbtop's own root the device must be the same: a path and an inode can be
 * made up in a mount namespace.
 */
TEST(test_made_up_inode)
{
	struct stat st = copy_self("ours");
	uint64_t at = file_offset();
	char path[512];

	snprintf(path, sizeof(path), "%s/ours", tree.root);
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, path, &st);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	st.st_dev = makedev(0, 12345);
	map_file(51, MAPPED, MAPPED_LEN, path, &st);
	assert_string_equal(of(51, USER, MAPPED + at).name, "[unknown]");
	/* of a layered file system, in the process' own */
	st = copy_self("52/root/opt/app");
	st.st_dev = makedev(0, 12345);
	map_file(52, MAPPED, MAPPED_LEN, "/opt/app", &st);
	assert_string_equal(of(52, USER, MAPPED + at).name, "known_function");
}

/* Device and inode of a mapped file, as the kernel numbers them. */
static struct stat numbers_of_mapping(const char *path)
{
	struct process_maps *maps = process_maps_new();
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	const struct process_map *map;
	struct stat st = { 0 };

	assert_true(at != MAP_FAILED);
	assert_int_equal(process_maps_read(maps, "/proc", getpid(), 1 << 24,
					   names), 0);
	map = process_maps_find(maps, (uintptr_t)at);
	assert_non_null(map);
	st.st_dev = map->dev;
	st.st_ino = map->inode;
	process_maps_free(maps);
	munmap(at, 4096);
	close(fd);
	return st;
}

/*
 * A layered file system, whose numbers in mappings are not those of fstat(2):
 * also in rbtop's own root the file is the mapped one, and no other is.
 */
TEST(test_layers)
{
	char path[512], options[1600];
	struct stat st, named;
	uint64_t at = file_offset();

	copy_self("lower/app");
	fake_tree_write(&tree, "upper/x", "");
	fake_tree_write(&tree, "work/x", "");
	fake_tree_write(&tree, "merged/x", "");
	snprintf(path, sizeof(path), "%s/work/x", tree.root);
	unlink(path);
	snprintf(options, sizeof(options),
		 "lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work",
		 tree.root, tree.root, tree.root);
	snprintf(path, sizeof(path), "%s/merged", tree.root);
	if (mount("overlay", path, "overlay", 0, options))
		skip();
	snprintf(path, sizeof(path), "%s/merged/app", tree.root);
	st = numbers_of_mapping(path);
	assert_int_equal(stat(path, &named), 0);
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, path, &st);
	map_file(52, MAPPED, MAPPED_LEN, path, &named);
	st.st_ino++;
	map_file(51, MAPPED, MAPPED_LEN, path, &st);
	named.st_dev = makedev(0, 12345);
	map_file(53, MAPPED, MAPPED_LEN, path, &named);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	assert_string_equal(of(51, USER, MAPPED + at).name, "[unknown]");
	assert_string_equal(of(52, USER, MAPPED + at).name, "known_function");
	assert_string_equal(of(53, USER, MAPPED + at).name, "[unknown]");
	snprintf(path, sizeof(path), "%s/merged", tree.root);
	assert_int_equal(umount2(path, MNT_DETACH), 0);
}

/* Links in the root of the process do not lead to files out of it. */
TEST(test_link_out)
{
	struct stat st = copy_self("ours/app");
	uint64_t at = file_offset();
	char path[512];

	snprintf(path, sizeof(path), "%s/ours", tree.root);
	fake_tree_write(&tree, "50/root/bin", "");
	fake_tree_link(&tree, "50/root/opt", path);
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
}

/* Only a path, which is used only in the root of the process. */
TEST(test_only_a_path)
{
	uint64_t at = file_offset();
	char path[512];

	copy_self("50/root/opt/app");
	copy_self("ours");
	begin_in_tree();
	map_record(50, MAPPED, MAPPED_LEN, "/opt/app", 0);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	snprintf(path, sizeof(path), "%s/ours", tree.root);
	map_record(51, MAPPED, MAPPED_LEN, path, 0);
	assert_string_equal(of(51, USER, MAPPED + at).name, "[unknown]");
}

static void stop_loaders(void)
{
	pid_t pids[2];
	size_t nr = resolver_loaders(resolver, pids, 2);

	assert_int_equal(nr, 2);
	while (nr-- > 0)
		assert_int_equal(kill(pids[nr], SIGSTOP), 0);
}

/*
 * A recording's file that is never read is waited for, but not for ever, and
 * not at the end.
 */
TEST(test_hanging)
{
	uint64_t at = file_offset(), began;
	char path[512];
	struct stat st;

	copy_self("app");
	copy_self("other");
	loaders = 2;
	begin("", "", 0);
	snprintf(path, sizeof(path), "%s/app", tree.root);
	map_record(50, MAPPED, MAPPED_LEN, path, 0);
	snprintf(path, sizeof(path), "%s/other", tree.root);
	assert_int_equal(stat(path, &st), 0);
	map_file(51, MAPPED, MAPPED_LEN, path, &st);
	map_record(52, MAPPED, MAPPED_LEN, tree.root, 0);
	stop_loaders();
	began = sys_now_ns();
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
	assert_true(sys_now_ns() - began >= 5 * SECOND);
	began = sys_now_ns();
	assert_string_equal(of(50, USER, MAPPED + at).name, "[unknown]");
	assert_true(sys_now_ns() - began < SECOND);
	/* only its process has been replaced */
	assert_string_equal(of(51, USER, MAPPED + at).name, "known_function");
	stop_loaders();
	resolver_stop(resolver);
	assert_string_equal(of(52, USER, MAPPED + at).name, "[loading]");
	loaders = 0;
}

/* Opening other than regular files does not block; links are not followed. */
TEST(test_not_plain)
{
	char path[512];
	struct stat st;

	fake_tree_write(&tree, "50/root/opt/x", "");
	snprintf(path, sizeof(path), "%s/50/root/opt/fifo", tree.root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(stat(path, &st), 0);
	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/fifo", &st);
	assert_string_equal(of(50, USER, MAPPED).name, "[unknown]");
	link_to("51/root/opt/link", "real");
	st = copy_self("real");
	map_file(51, MAPPED, MAPPED_LEN, "/opt/link", &st);
	assert_string_equal(of(51, USER, MAPPED + file_offset()).name,
			    "[unknown]");
	map_record(52, MAPPED, MAPPED_LEN, "/dev/watchdog", 9);
	assert_string_equal(of(52, USER, MAPPED).dso, "/dev/watchdog");
}

/* A file that could not be opened is tried again, but only after a second. */
TEST(test_tried_again)
{
	struct stat st = copy_self("elsewhere");
	uint64_t at = file_offset();

	begin_in_tree();
	resolver_idle(resolver, 10 * SECOND);
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
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

/* Two files, but memory for one: the least recently used is freed. */
TEST(test_limit)
{
	struct resolver_stats stats;
	struct stat first = copy_self("50/root/opt/first");
	struct stat second = copy_self("50/root/opt/second");
	uint64_t at = file_offset();
	size_t one;

	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/first", &first);
	assert_string_equal(of(50, USER, MAPPED + at).name, "known_function");
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.files, 1);
	one = stats.bytes;
	resolver_free(resolver);

	begin(tree.root, NULL, 2 * one);
	map_file(50, MAPPED, MAPPED_LEN, "/opt/first", &first);
	map_file(50, 2 * MAPPED, MAPPED_LEN, "/opt/second", &second);
	for (unsigned int i = 0; i < 6; i++) {
		/* a freed file is read again, but not within a second */
		resolver_idle(resolver, (10 + 2 * i) * SECOND);
		assert_string_equal(shown(50, USER, (1 + i % 2) * MAPPED + at),
				    i % 2 ? "known_function+0 /opt/second" :
					    "known_function+0 /opt/first");
		resolver_read_stats(resolver, &stats);
		assert_true(stats.bytes <= stats.limit);
	}
}

/* A file whose functions do not all fit is counted as long as it is loaded. */
TEST(test_cut)
{
	struct stat st = copy_self("50/root/opt/app");
	struct resolver_stats stats;

	begin_in_tree();
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
	of(50, USER, MAPPED + file_offset());
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.files, 1);
	assert_int_equal(stats.cut, 0);
	resolver_free(resolver);

	begin(tree.root, NULL, 3000);
	map_file(50, MAPPED, MAPPED_LEN, "/opt/app", &st);
	of(50, USER, MAPPED + file_offset());
	resolver_read_stats(resolver, &stats);
	assert_int_equal(stats.files, 1);
	assert_int_equal(stats.cut, 1);
}

/* Programs that are built, run once and deleted leave nothing behind. */
TEST(test_files_are_forgotten)
{
	struct resolver_stats stats;
	char name[64];

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

TEST_GROUP(resolver_files, .each_setup = setup, .each_teardown = teardown);
