/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "samples/names.h"
#include "task/process_maps.h"

static struct names *names;
static struct process_maps *maps;

static int setup(void **state)
{
	(void)state;
	names = names_new(1 << 20);
	maps = process_maps_new();
	return names && maps ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	process_maps_free(maps);
	names_free(names);
	return 0;
}

static void add(struct process_maps *to, uint64_t start, uint64_t end,
		uint64_t pgoff, const char *path)
{
	struct process_map map = {
		.start = start,
		.end = end,
		.pgoff = pgoff,
	};

	assert_int_equal(process_maps_name(&map, path, names), 0);
	assert_int_equal(process_maps_add(to, &map), 0);
}

/* The mappings as text, "start-end@pgoff path" each. */
static const char *shown(struct process_maps *of)
{
	static char text[1024];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < process_maps_len(of); i++) {
		const struct process_map *map = process_maps_at(of, i);

		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%lx-%lx@%lx %s", i ? ", " : "",
					 (unsigned long)map->start,
					 (unsigned long)map->end,
					 (unsigned long)map->pgoff,
					 map->path);
	}
	return text;
}

TEST(test_sorted_and_found)
{
	assert_null(process_maps_find(maps, 0x1000));
	add(maps, 0x7000, 0x8000, 0, "/b");
	add(maps, 0x1000, 0x2000, 0x3000, "/a");
	add(maps, 0x2000, 0x3000, 0, "/c");
	assert_string_equal(shown(maps), "1000-2000@3000 /a, 2000-3000@0 /c, "
					 "7000-8000@0 /b");
	assert_null(process_maps_find(maps, 0xfff));
	assert_string_equal(process_maps_find(maps, 0x1000)->path, "/a");
	assert_string_equal(process_maps_find(maps, 0x1fff)->path, "/a");
	assert_string_equal(process_maps_find(maps, 0x2000)->path, "/c");
	assert_null(process_maps_find(maps, 0x3000));
	assert_string_equal(process_maps_find(maps, 0x7fff)->path, "/b");
	assert_null(process_maps_find(maps, 0x8000));
	assert_null(process_maps_find(maps, UINT64_MAX));
}

/* Overlaps at each side, within, over all: the covered part is removed. */
TEST(test_add_replaces_overlap)
{
	static const struct {
		uint64_t start, end;
		const char *want;
	} rows[] = {
		{ 0x800, 0x1800, "800-1800@0 /n, 1800-2000@800 /a, "
				 "3000-4000@10000 /b" },
		{ 0x1800, 0x2800, "1000-1800@0 /a, 1800-2800@0 /n, "
				  "3000-4000@10000 /b" },
		{ 0x1400, 0x1800, "1000-1400@0 /a, 1400-1800@0 /n, "
				  "1800-2000@800 /a, 3000-4000@10000 /b" },
		{ 0x1000, 0x2000, "1000-2000@0 /n, 3000-4000@10000 /b" },
		{ 0x1800, 0x3800, "1000-1800@0 /a, 1800-3800@0 /n, "
				  "3800-4000@10800 /b" },
		{ 0, 0x9000, "0-9000@0 /n" },
		{ 0x2000, 0x3000, "1000-2000@0 /a, 2000-3000@0 /n, "
				  "3000-4000@10000 /b" },
		{ 0x1800, 0x1800, "1000-2000@0 /a, 3000-4000@10000 /b" },
		{ 0x1800, 0x1000, "1000-2000@0 /a, 3000-4000@10000 /b" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		process_maps_clear(maps);
		add(maps, 0x1000, 0x2000, 0, "/a");
		add(maps, 0x3000, 0x4000, 0x10000, "/b");
		add(maps, rows[i].start, rows[i].end, 0, "/n");
		assert_string_equal(shown(maps), rows[i].want);
	}
}

/*
 * Parent and child share mappings until one of them maps, which must not affect
 * the other.
 */
TEST(test_copies)
{
	struct process_maps *child, *grandchild;

	add(maps, 0x1000, 0x2000, 0, "/a");
	child = process_maps_copy(maps);
	grandchild = process_maps_copy(child);
	add(child, 0x5000, 0x6000, 0, "/child");
	add(maps, 0x1000, 0x3000, 0, "/parent");
	assert_string_equal(shown(maps), "1000-3000@0 /parent");
	assert_string_equal(shown(child),
			    "1000-2000@0 /a, 5000-6000@0 /child");
	process_maps_clear(maps);
	assert_string_equal(shown(maps), "");
	assert_string_equal(shown(grandchild), "1000-2000@0 /a");
	process_maps_free(child);
	assert_string_equal(shown(grandchild), "1000-2000@0 /a");
	process_maps_free(grandchild);
}

TEST(test_copies_cost_little)
{
	struct process_maps *child;
	size_t alone;

	for (uint64_t i = 0; i < 1000; i++)
		add(maps, i << 12, (i + 1) << 12, 0, "/a");
	alone = process_maps_bytes(maps);
	child = process_maps_copy(maps);
	assert_true(process_maps_bytes(maps) + process_maps_bytes(child) <
		    alone + 100);
	process_maps_free(child);
}

TEST_WITH(test_kinds, NULL, NULL)
{
	static const struct {
		const char *name;
		enum map_kind kind;
		bool deleted;
	} rows[] = {
		{ "/usr/bin/cat", MAP_KIND_FILE, false },
		{ "/usr/bin/cat (deleted)", MAP_KIND_FILE, true },
		{ "/x (deleted)y", MAP_KIND_FILE, false },
		{ "[vdso]", MAP_KIND_VDSO, false },
		{ "[vsyscall]", MAP_KIND_VSYSCALL, false },
		{ "", MAP_KIND_ANONYMOUS, false },
		{ "//anon", MAP_KIND_ANONYMOUS, false },
		{ "[heap]", MAP_KIND_ANONYMOUS, false },
		{ "[stack]", MAP_KIND_ANONYMOUS, false },
		{ "[anon:code]", MAP_KIND_ANONYMOUS, false },
		{ "/memfd:jit (deleted)", MAP_KIND_ANONYMOUS, true },
		{ "/SYSV00000000 (deleted)", MAP_KIND_ANONYMOUS, true },
		{ "/dev/zero (deleted)", MAP_KIND_ANONYMOUS, true },
		{ "/anon_hugepage (deleted)", MAP_KIND_ANONYMOUS, true },
		{ " (deleted)", MAP_KIND_ANONYMOUS, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool deleted;

		assert_int_equal(process_maps_kind(rows[i].name, &deleted),
				 rows[i].kind);
		assert_int_equal(deleted, rows[i].deleted);
	}
}

static const char maps_text[] =
	"55ea9dce7000-55ea9dce9000 r--p 00000000 fe:00 247134"
	"                     /usr/bin/cat\n"
	"55ea9dce9000-55ea9dcee000 r-xp 00002000 fe:00 247134"
	"                     /usr/bin/cat\n"
	"55eab5e5a000-55eab5e7b000 rw-p 00000000 00:00 0      [heap]\n"
	"7f2ebd64e000-7f2ebd670000 rwxp 00000000 00:00 0 \n"
	"7f2ebd6f7000-7f2ebd84d000 r-xp 00026000 103:02 332835"
	"                     /tmp/a b (x).so (deleted)\n"
	"7f2ebd8c6000-7f2ebd8c8000 r-xp 00000000 00:00 0      [vdso]\n"
	"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]";

TEST(test_parse)
{
	const struct process_map *map;

	assert_int_equal(process_maps_parse(maps, maps_text, names), 0);
	assert_int_equal(process_maps_len(maps), 5);
	map = process_maps_at(maps, 0);
	assert_string_equal(map->path, "/usr/bin/cat");
	assert_true(map->start == 0x55ea9dce9000 &&
		    map->end == 0x55ea9dcee000 && map->pgoff == 0x2000);
	assert_true(map->dev == makedev(0xfe, 0) && map->inode == 247134);
	assert_int_equal(map->kind, MAP_KIND_FILE);
	assert_false(map->deleted);
	map = process_maps_at(maps, 1);
	assert_string_equal(map->path, "//anon");
	assert_int_equal(map->kind, MAP_KIND_ANONYMOUS);
	map = process_maps_at(maps, 2);
	assert_string_equal(map->path, "/tmp/a b (x).so");
	assert_true(map->deleted && map->dev == makedev(0x103, 2));
	assert_int_equal(process_maps_at(maps, 3)->kind, MAP_KIND_VDSO);
	assert_int_equal(process_maps_at(maps, 4)->kind, MAP_KIND_VSYSCALL);
}

TEST(test_parse_noise)
{
	static const char *const texts[] = {
		"",
		"\n\n\n",
		"garbage",
		"1000-2000",
		"1000-2000 r-xp",
		"1000-2000 x 0 0:0 0 /short-perms",
		"zz-2000 r-xp 0 0:0 0 /a",
		"2000-1000 r-xp 0 0:0 0 /backwards",
		"1000-1000 r-xp 0 0:0 0 /empty",
		"1000-2000 rw-p 0 0:0 0 /not-executable",
		"-",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(process_maps_parse(maps, texts[i], names), 0);
		assert_int_equal(process_maps_len(maps), 0);
	}
}

/* Every prefix of a text: no more mappings than complete lines. */
TEST(test_parse_truncated)
{
	char text[sizeof(maps_text)];

	for (size_t len = 0; len < sizeof(maps_text); len++) {
		memcpy(text, maps_text, len);
		text[len] = '\0';
		process_maps_clear(maps);
		assert_int_equal(process_maps_parse(maps, text, names), 0);
		assert_in_range(process_maps_len(maps), 0, 5);
	}
	assert_int_equal(process_maps_len(maps), 5);
}

/* Random order, against a model with a cell for each page. */
TEST(test_random)
{
	enum { PAGES = 64 };
	static const char *const paths[] = { "/a", "/b", "/c", "/d" };
	const char *model[PAGES] = { NULL };
	struct process_maps *copy = NULL;
	unsigned int seed = 5;

	for (int round = 0; round < 20000; round++) {
		unsigned int start = (unsigned int)rand_r(&seed) % PAGES;
		unsigned int len = (unsigned int)rand_r(&seed) % 6;
		const char *path = paths[rand_r(&seed) % 4];

		if (start + len > PAGES)
			len = PAGES - start;
		add(maps, start << 12, (start + len) << 12, 0, path);
		for (unsigned int i = start; i < start + len; i++)
			model[i] = path;
		if (round % 100 == 0) {
			process_maps_free(copy);
			copy = process_maps_copy(maps);
		}
		if (round % 1000 == 999) {
			process_maps_clear(maps);
			memset(model, 0, sizeof(model));
		}
		for (unsigned int i = 0; i < PAGES; i++) {
			const struct process_map *map =
				process_maps_find(maps, i << 12);

			assert_int_equal(!map, !model[i]);
			if (map)
				assert_string_equal(map->path, model[i]);
		}
	}
	process_maps_free(copy);
}

/* There are no records of munmap(2), so the number must be limited. */
TEST(test_bounded)
{
	struct process_map map = { .path = "/a" };
	uint64_t i;
	int ret = 0;

	for (i = 0; i < 200000 && !ret; i++) {
		map.start = i << 13;
		map.end = map.start + 4096;
		ret = process_maps_add(maps, &map);
	}
	assert_int_equal(ret, -ENOSPC);
	assert_in_range(process_maps_len(maps), 4000, 4096);
}

/* The mappings of a text that fit are kept. */
TEST(test_parse_bounded)
{
	size_t size = 10000 * 64, used = 0;
	char *text = malloc(size);

	assert_non_null(text);
	for (unsigned int i = 0; i < 10000; i++)
		used += (size_t)snprintf(text + used, size - used,
					 "%x-%x r-xp 0 0:0 0 /a\n",
					 i * 8192, i * 8192 + 4096);
	assert_int_equal(process_maps_parse(maps, text, names), 0);
	assert_in_range(process_maps_len(maps), 4000, 4096);
	free(text);
}

TEST_GROUP(process_maps, .each_setup = setup, .each_teardown = teardown);
