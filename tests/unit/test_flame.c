/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "samples/flame.h"
#include "samples/names.h"

static struct names *names;
static struct hot_table *table;
static struct hot hot;

static int setup(void **state)
{
	const struct hot_table_opts opts = { 0 };

	(void)state;
	names = names_new(16 * 1024 * 1024);
	table = hot_table_new(&opts);
	return names && table ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	hot_free(&hot);
	hot_table_free(table);
	names_free(names);
	return 0;
}

/*
 * Add a sample.  @chain has the functions, outermost first, separated by
 * blanks; those with '!' are the kernel's.
 */
static void add(const char *comm, const char *chain, double weight)
{
	struct symbol frames[16];
	size_t nr = 0;
	char words[128], *rest = words, *word;
	struct hot_sample sample = {
		.event = names_add(names, "cycles"),
		.comm = names_add(names, comm),
		.field = "",
		.weight = weight,
	};

	snprintf(words, sizeof(words), "%s", chain);
	while ((word = strsep(&rest, " ")))
		frames[15 - nr++] = (struct symbol){
			.name = names_add(names, word),
			.dso = names_add(names, strchr(word, '!') ?
					 "[kernel.kallsyms]" : "/bin/x"),
			.kind = strchr(word, '!') ? SYMBOL_KERNEL :
				SYMBOL_USER,
		};
	sample.frames = frames + 16 - nr;
	sample.nr_frames = nr;
	hot_table_add(table, &sample);
}

static struct flame build(const struct hot_query *query)
{
	const struct hot_query all = { 0 };
	struct flame flame;

	assert_int_equal(hot_table_copy(table, &hot), 0);
	assert_int_equal(flame_build(&hot, query ? query : &all, &flame), 0);
	return flame;
}

/* "name:weight:self:start" of @box and, in parentheses, of its callees. */
static void put(const struct flame *flame, uint32_t box, char *text,
		size_t size)
{
	const struct flame_box *b = &flame->boxes[box];
	size_t len = strlen(text);
	uint32_t i;

	snprintf(text + len, size - len, "%s:%g:%g:%g", b->name, b->weight,
		 b->self, b->start);
	for (i = b->first; i != FLAME_NONE; i = flame->boxes[i].next) {
		strcat(text, i == b->first ? "(" : " ");
		assert_int_equal(flame->boxes[i].parent, box);
		assert_true(i > box);
		assert_int_equal(flame->boxes[i].depth, b->depth + 1);
		put(flame, i, text, size);
	}
	if (b->first != FLAME_NONE)
		strcat(text, ")");
}

static void assert_flame(const struct flame *flame, const char *want)
{
	char text[1024] = "";

	put(flame, 0, text, sizeof(text));
	assert_string_equal(text, want);
}

TEST(test_icicle)
{
	struct flame flame;

	add("dd", "main write", 2);
	add("dd", "main read sys! vfs!", 5);
	add("dd", "main", 1);
	add("cat", "main read", 2);
	flame = build(NULL);
	assert_flame(&flame, "all:10:0:0("
		     "cat:2:0:0(main:2:0:0(read:2:2:0)) "
		     "dd:8:0:0.2(main:8:1:0.2("
		     "read:5:0:0.2(sys!:5:0:0.2(vfs!:5:5:0.2)) "
		     "write:2:2:0.7)))");
	assert_int_equal(flame.depth, 5);
	assert_null(flame.boxes[0].dso);
	assert_null(flame.boxes[flame.boxes[0].first].dso);
	flame_free(&flame);
	flame_free(&flame);
}

TEST(test_narrowed)
{
	struct hot_query query = {
		.keys = 1u << HOT_PID,	/* does not matter */
		.where = { { .key = HOT_COMM } },
		.nr_where = 1,
	};
	struct flame flame;

	add("dd", "main write", 2);
	add("cat", "main read", 3);
	query.where[0].value.comm = names_add(names, "cat");
	flame = build(&query);
	assert_flame(&flame, "all:3:0:0(cat:3:0:0(main:3:0:0(read:3:3:0)))");
	flame_free(&flame);

	hot_table_decay(table, 1e6);
	add("dd", "main write", 4);
	query = (struct hot_query){ .recent = true };
	flame = build(&query);
	assert_flame(&flame, "all:4:0:0(dd:4:0:0(main:4:0:0(write:4:4:0)))");
	flame_free(&flame);
}

/*
 * Widths are by events if all samples are of one event; the number of samples
 * is known too.
 */
TEST(test_by_events)
{
	const struct symbol frame = { .name = "fault", .dso = "/bin/x",
				      .kind = SYMBOL_USER };
	struct hot_sample sample = { .event = names_add(names, "cycles"),
				     .comm = names_add(names, "dd"),
				     .field = "", .frames = &frame,
				     .nr_frames = 1, .weight = 2,
				     .period = 45 };
	struct flame flame;

	add("dd", "main", 10);
	hot_table_add(table, &sample);
	flame = build(NULL);
	assert_true(flame.by_events);
	assert_flame(&flame, "all:100:0:0(dd:100:0:0("
		     "fault:90:90:0 main:10:10:0.9))");
	assert_true(flame.boxes[0].samples == 12);
	flame_free(&flame);
	sample.event = names_add(names, "page-faults");
	hot_table_add(table, &sample);
	flame = build(NULL);
	assert_false(flame.by_events);
	assert_flame(&flame, "all:14:0:0(dd:14:0:0("
		     "fault:4:4:0 main:10:10:0.285714))");
	flame_free(&flame);
}

TEST(test_empty)
{
	struct flame flame = build(NULL);

	assert_flame(&flame, "all:0:0:0");
	assert_int_equal(flame.nr, 1);
	assert_int_equal(flame.depth, 0);
	flame_free(&flame);
}

/* Two functions of one name, in two files, are two boxes. */
TEST(test_same_name)
{
	struct flame flame;

	add("dd", "main read", 1);
	add("dd", "main read!", 2);
	flame = build(NULL);
	assert_flame(&flame, "all:3:0:0(dd:3:0:0(main:3:0:0("
		     "read:1:1:0 read!:2:2:0.333333)))");
	flame_free(&flame);
}

static uint32_t find(const struct flame *flame, const char *name)
{
	uint32_t i;

	for (i = 0; i < flame->nr; i++)
		if (strcmp(flame->boxes[i].name, name) == 0)
			return i;
	fail_msg("no %s", name);
	return 0;
}

/* A zoomed box is found again by the frames that lead to it. */
TEST(test_same)
{
	struct flame before, after;
	uint32_t box;

	add("dd", "main read sys! vfs!", 5);
	before = build(NULL);
	add("cat", "main read sys!", 5);
	add("dd", "main a", 5);
	after = build(NULL);
	assert_int_equal(flame_same(&after, &before, 0), 0);
	box = flame_same(&after, &before, find(&before, "vfs!"));
	assert_string_equal(after.boxes[box].name, "vfs!");
	box = flame_same(&after, &before, find(&before, "main"));
	assert_string_equal(after.boxes[box].name, "main");
	assert_string_equal(after.boxes[after.boxes[box].parent].name, "dd");
	flame_free(&after);

	/* If it is gone: its caller, else its comm, else the root. */
	hot_table_reset(table);
	add("dd", "main read", 5);
	add("sys!", "vfs!", 5);
	after = build(NULL);
	box = flame_same(&after, &before, find(&before, "vfs!"));
	assert_string_equal(after.boxes[box].name, "read");
	flame_free(&after);
	hot_table_reset(table);
	add("cat", "main read", 5);
	after = build(NULL);
	assert_int_equal(flame_same(&after, &before,
				    find(&before, "vfs!")), 0);
	flame_free(&after);
	flame_free(&before);
}

/*
 * A task that changes its name with each sample of a deep callchain does not
 * use unlimited memory: further comms share one.
 */
TEST(test_renamer)
{
	struct symbol frames[128];
	struct flame flame;
	char text[32];

	for (int f = 0; f < 128; f++) {
		snprintf(text, sizeof(text), "f%d", f);
		frames[f] = (struct symbol){ .name = names_add(names, text),
					     .dso = "/bin/x" };
	}
	for (int i = 0; i < 10000; i++) {
		struct hot_sample sample = { .event = "cycles", .field = "",
					     .frames = frames,
					     .nr_frames = 128, .weight = 1 };

		snprintf(text, sizeof(text), "comm%d", i);
		sample.comm = names_add(names, text);
		hot_table_add(table, &sample);
	}
	flame = build(NULL);
	assert_true(flame.nr < 300000);
	assert_true(fabs(flame.boxes[0].weight - 10000) < 1e-6);
	assert_true(flame.boxes[find(&flame, HOT_MERGED)].weight > 1000);
	flame_free(&flame);
}

TEST(test_folded_name)
{
	struct flame_box box = { .name = "a;b\nc", .dso = "x",
				 .kind = SYMBOL_USER };
	char buf[32];

	assert_string_equal(flame_folded_name(&box, buf, sizeof(buf)),
			    "a:b?c");
	box.kind = SYMBOL_KERNEL;
	box.name = "vfs_read";
	assert_string_equal(flame_folded_name(&box, buf, sizeof(buf)),
			    "vfs_read_[k]");
	assert_string_equal(flame_folded_name(&box, buf, 9), "vfs__[k]");
	box.kind = SYMBOL_JIT;
	assert_string_equal(flame_folded_name(&box, buf, sizeof(buf)),
			    "vfs_read_[j]");
	/* A comm has no kind. */
	box.dso = NULL;
	assert_string_equal(flame_folded_name(&box, buf, sizeof(buf)),
			    "vfs_read");
	/* A name is not cut within a character. */
	box.name = "a\xc3\xa4\xe2\x82\xac";
	assert_string_equal(flame_folded_name(&box, buf, 6), "a\xc3\xa4");
	assert_string_equal(flame_folded_name(&box, buf, 3), "a");
	box.name = "";
	assert_string_equal(flame_folded_name(&box, buf, sizeof(buf)), "?");
}

TEST_GROUP(flame, .each_setup = setup, .each_teardown = teardown);
