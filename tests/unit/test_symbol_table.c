/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "samples/names.h"
#include "symbols/elf/symbol_table.h"

static struct names *names;
static struct symbol_table *table;

static int set_up(void **state)
{
	(void)state;
	names = names_new(64 << 20);
	table = symbol_table_new();
	return names && table ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	symbol_table_free(table);
	names_free(names);
	return 0;
}

static void add(uint64_t start, uint64_t size, const char *name,
		enum symbol_rank rank)
{
	assert_int_equal(symbol_table_add(table, start, size, name, rank), 0);
}

/* Check the symbol at @addr; @name NULL: there is none. */
static void expect(uint64_t addr, const char *name, uint64_t start)
{
	uint64_t got_start = 0;
	const char *got = symbol_table_find(table, addr, names, &got_start);

	if (!name) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	assert_string_equal(got, name);
	assert_int_equal(got_start, start);
}

TEST(test_empty)
{
	expect(0, NULL, 0);
	assert_int_equal(symbol_table_sort(table), 0);
	expect(0, NULL, 0);
	expect(UINT64_MAX, NULL, 0);
	symbol_table_remove(table, 0);
	assert_int_equal(symbol_table_len(table), 0);
}

TEST(test_bounds)
{
	add(0x200, 0x10, "second", SYMBOL_RANK_GLOBAL);
	add(0x100, 0x10, "first", SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	expect(0xff, NULL, 0);
	expect(0x100, "first", 0x100);
	expect(0x10f, "first", 0x100);
	expect(0x110, NULL, 0);
	expect(0x1ff, NULL, 0);
	expect(0x200, "second", 0x200);
	expect(0x20f, "second", 0x200);
	expect(0x210, NULL, 0);
	assert_int_equal(symbol_table_len(table), 2);
}

/* A symbol without a size extends to the next, the last one over a page. */
TEST(test_no_size)
{
	add(0x1000, 0, "start", SYMBOL_RANK_GLOBAL);
	add(0x1040, 8, "sized", SYMBOL_RANK_GLOBAL);
	add(0x2010, 0, "last", SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	expect(0x103f, "start", 0x1000);
	expect(0x1047, "sized", 0x1040);
	expect(0x1048, NULL, 0);
	expect(0x3fff, "last", 0x2010);
	expect(0x4000, NULL, 0);
}

struct alias {
	uint64_t size;
	const char *name;
	enum symbol_rank rank;
};

/* The first of each pair is the better one. */
static const struct alias aliases[][2] = {
	{ { 8, "weak", SYMBOL_RANK_WEAK }, { 0, "glob", SYMBOL_RANK_GLOBAL } },
	{ { 8, "loc", SYMBOL_RANK_LOCAL }, { 8, "longer", SYMBOL_RANK_WEAK } },
	{ { 8, "a", SYMBOL_RANK_GLOBAL }, { 8, "longer", SYMBOL_RANK_LOCAL } },
	{ { 8, "a", SYMBOL_RANK_GLOBAL }, { 8, "longer", SYMBOL_RANK_WEAK } },
	{ { 8, "read", SYMBOL_RANK_WEAK }, { 8, "__read", SYMBOL_RANK_WEAK } },
	{ { 8, "_read", SYMBOL_RANK_GLOBAL },
	  { 8, "__libc_read", SYMBOL_RANK_GLOBAL } },
	{ { 8, "readlonger", SYMBOL_RANK_LOCAL },
	  { 8, "read", SYMBOL_RANK_LOCAL } },
	{ { 8, "sys_a", SYMBOL_RANK_GLOBAL },
	  { 8, "SyS_a", SYMBOL_RANK_GLOBAL } },
	/* lengths as shown: "ab" and "abc" */
	{ { 8, "_Z3abcv", SYMBOL_RANK_GLOBAL },
	  { 8, "_Z2abvvvvvvv", SYMBOL_RANK_GLOBAL } },
	{ { 8, "_Z1av", SYMBOL_RANK_GLOBAL },
	  { 8, "_longer", SYMBOL_RANK_GLOBAL } },
};

TEST(test_aliases)
{
	for (size_t i = 0; i < 2 * sizeof(aliases) / sizeof(aliases[0]); i++) {
		const struct alias *pair = aliases[i / 2];
		const struct alias *one = &pair[i % 2];
		const struct alias *other = &pair[!(i % 2)];
		const char *got;
		uint64_t start;

		symbol_table_free(table);
		table = symbol_table_new();
		add(0x100, one->size, one->name, one->rank);
		add(0x100, other->size, other->name, other->rank);
		add(0x100 + 8, 8, "next", SYMBOL_RANK_GLOBAL);
		symbol_table_sort(table);
		assert_int_equal(symbol_table_len(table), 2);
		got = symbol_table_find(table, 0x104, names, &start);
		assert_non_null(got);
		/*
		 * Without a size, but last, it gets one and then counts: as in
		 * perf.
		 */
		if (!other->size)
			assert_string_equal(got, other->name);
		else if (!strncmp(pair[0].name, "_Z", 2))
			assert_string_equal(got, pair[0].name[2] == '3' ?
							 "abc" : "a");
		else
			assert_string_equal(got, pair[0].name);
	}
}

/* Of two equal ones the first one is kept. */
TEST(test_alike)
{
	add(0x100, 8, "one", SYMBOL_RANK_GLOBAL);
	add(0x100, 8, "two", SYMBOL_RANK_GLOBAL);
	add(0x100, 8, "six", SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	expect(0x100, "one", 0x100);
}

TEST(test_nested)
{
	add(0x100, 0x100, "outer", SYMBOL_RANK_GLOBAL);
	add(0x110, 0x40, "middle", SYMBOL_RANK_GLOBAL);
	add(0x120, 0x10, "inner", SYMBOL_RANK_GLOBAL);
	add(0x180, 0x10, "sibling", SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	expect(0x10f, "outer", 0x100);
	expect(0x110, "middle", 0x110);
	expect(0x12f, "inner", 0x120);
	expect(0x130, "middle", 0x110);
	expect(0x150, "outer", 0x100);
	expect(0x18f, "sibling", 0x180);
	expect(0x190, "outer", 0x100);
	expect(0x200, NULL, 0);
}

/* Demangled, sanitized, and always the same pointer. */
TEST(test_names)
{
	const char *first, *second;
	uint64_t start;

	add(0x100, 0x10, "_ZN3app3boxImE4spinEm", SYMBOL_RANK_GLOBAL);
	add(0x200, 0x10, "evil\033[31m", SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	first = symbol_table_find(table, 0x101, names, &start);
	second = symbol_table_find(table, 0x10f, names, &start);
	assert_string_equal(first, "app::box<unsigned long>::spin");
	assert_ptr_equal(first, second);
	assert_ptr_equal(first, names_add(names, first));
	expect(0x200, "evil?[31m", 0x200);
	/* Names stay valid after another sort. */
	add(0x300, 0x10, "more", SYMBOL_RANK_GLOBAL);
	expect(0x100, "app::box<unsigned long>::spin", 0x100);
	expect(0x300, "more", 0x300);
}

TEST(test_absurd_sizes)
{
	add(UINT64_MAX, UINT64_MAX, "end", SYMBOL_RANK_GLOBAL);
	add(UINT64_MAX - 8, 0, "before", SYMBOL_RANK_GLOBAL);
	add(0, UINT64_MAX, "all", SYMBOL_RANK_GLOBAL);
	add(1, 0, "", SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	expect(0, "all", 0);
	expect(UINT64_MAX, "end", UINT64_MAX);
	expect(UINT64_MAX - 1, "before", UINT64_MAX - 8);
	expect(1, "", 1);
	/* No symbol is 2^64 long. */
	expect(UINT64_MAX - 9, NULL, 0);
	assert_int_equal(symbol_table_replace(table, UINT64_MAX - 3, 100,
					      "late"), 0);
	expect(UINT64_MAX, "late", UINT64_MAX - 3);
	expect(UINT64_MAX - 4, NULL, 0);
}

TEST(test_replace)
{
	add(0x100, 0x40, "a", SYMBOL_RANK_GLOBAL);
	add(0x140, 0x40, "b", SYMBOL_RANK_GLOBAL);
	add(0x180, 0x40, "c", SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	symbol_table_replace(table, 0x130, 0x20, "new");
	expect(0x100, NULL, 0);
	expect(0x130, "new", 0x130);
	expect(0x14f, "new", 0x130);
	expect(0x150, NULL, 0);
	expect(0x180, "c", 0x180);
	/* the newer of two, completely or partly over the older */
	symbol_table_replace(table, 0x140, 0x10, "newer");
	expect(0x130, NULL, 0);
	expect(0x140, "newer", 0x140);
	symbol_table_replace(table, 0x100, 0x100, "all");
	expect(0x1bf, "all", 0x100);
	/* one byte where no size is known */
	symbol_table_replace(table, 0x300, 0, "trampoline");
	expect(0x300, "trampoline", 0x300);
	expect(0x301, NULL, 0);
}

TEST(test_remove)
{
	add(0x100, 0x100, "outer", SYMBOL_RANK_GLOBAL);
	add(0x140, 0x10, "inner", SYMBOL_RANK_GLOBAL);
	symbol_table_replace(table, 0x400, 0x40, "prog");
	symbol_table_remove(table, 0x141);
	expect(0x141, "inner", 0x140);
	symbol_table_remove(table, 0x140);
	expect(0x141, "outer", 0x100);
	symbol_table_remove(table, 0x401);
	expect(0x401, "prog", 0x400);
	symbol_table_remove(table, 0x400);
	expect(0x401, NULL, 0);
	symbol_table_remove(table, 0x100);
	expect(0x141, NULL, 0);
	/* A removed symbol does not block a new one. */
	add(0x100, 0x10, "again", SYMBOL_RANK_WEAK);
	expect(0x100, "again", 0x100);
}

enum { MODEL_BYTES = 4096, MODEL_ROUNDS = 4000 };

/* Against an array with the symbol of each byte. */
TEST(test_replace_model)
{
	static int owner[MODEL_BYTES], begin[MODEL_ROUNDS + 1];
	unsigned int seed = 1;

	for (int i = 1; i <= MODEL_ROUNDS; i++) {
		unsigned int start = (unsigned int)rand_r(&seed) % MODEL_BYTES;
		unsigned int size = 1 + (unsigned int)rand_r(&seed) % 64;
		char name[16];

		for (unsigned int a = start; a < start + size &&
		     a < MODEL_BYTES; a++) {
			int old = owner[a];

			for (int b = 0; old && b < MODEL_BYTES; b++)
				if (owner[b] == old)
					owner[b] = 0;
		}
		for (unsigned int a = start; a < start + size &&
		     a < MODEL_BYTES; a++)
			owner[a] = i;
		begin[i] = (int)start;
		snprintf(name, sizeof(name), "f%d", i);
		symbol_table_replace(table, start, size, name);
	}
	for (unsigned int a = 0; a < MODEL_BYTES; a++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", owner[a]);
		expect(a, owner[a] ? name : NULL, (uint64_t)begin[owner[a]]);
	}
	/* Replaced symbols use no memory. */
	assert_true(symbol_table_len(table) < MODEL_BYTES);
	assert_true(symbol_table_bytes(table) < MODEL_BYTES * 128);
}

/* All are fast, whatever the file contains. */
TEST(test_many)
{
	enum { MANY = 200000 };
	double begun = sys_thread_cpu();
	uint64_t start;
	char name[64];

	/* all at one address, all mangled */
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "_ZN3app1fILi%dEEEvv", i);
		add(0x1000, 16, name, SYMBOL_RANK_GLOBAL);
	}
	/* each contains all that follow */
	for (int i = 0; i < MANY; i++)
		add(0x100000 + (uint64_t)i, 2 * MANY - 2 * (uint64_t)i, "deep",
		    SYMBOL_RANK_GLOBAL);
	symbol_table_sort(table);
	assert_int_equal(symbol_table_len(table), 1 + MANY);
	/* the first of the longest ones */
	expect(0x1000, "app::f<100000>", 0x1000);
	for (uint64_t i = 0; i < 1000; i++)
		symbol_table_find(table, 0x100000 + 2 * MANY - i, names,
				  &start);
	assert_true(sys_thread_cpu() - begun < 10);
}

TEST_GROUP(symbol_table, .each_setup = set_up, .each_teardown = tear_down);
