/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/hot_table.h"
#include "samples/names.h"

#define KERNEL "[kernel.kallsyms]"

static struct names *names;

static int setup(void **state)
{
	(void)state;
	names = names_new(64 * 1024 * 1024);
	return names ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	names_free(names);
	return 0;
}

static const char *name(const char *text)
{
	return names_add(names, text);
}

static const char *numbered(const char *what, unsigned int number)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%u", what, number);
	return name(text);
}

static struct symbol user(const char *symbol)
{
	return (struct symbol){ .name = name(symbol), .dso = name("/bin/x"),
				.kind = SYMBOL_USER };
}

/* A sample of @nr frames, innermost first. */
static struct hot_sample sample_of(const struct symbol *frames, size_t nr)
{
	return (struct hot_sample){
		.event = name("cycles"),
		.cpu = 1,
		.pid = 10,
		.comm = name("x"),
		.field = "",
		.frames = frames,
		.nr_frames = nr,
		.weight = 1,
	};
}

static struct hot_table *table_of(uint32_t cells, uint32_t nodes)
{
	const struct hot_table_opts opts = {
		.max_cells = cells,
		.max_nodes = nodes,
		.half_life = 2,
	};
	struct hot_table *t = hot_table_new(&opts);

	assert_non_null(t);
	return t;
}

static void assert_near(double value, double want)
{
	if (fabs(value - want) > 1e-9 * (1 + fabs(want)))
		fail_msg("%.12g, not %.12g", value, want);
}

TEST(test_cells)
{
	struct hot_table *t = table_of(0, 0);
	const struct symbol frame = user("main");
	struct hot_sample sample = sample_of(&frame, 1);
	struct hot hot = { 0 };

	hot_table_add(t, &sample);
	sample.weight = 4;
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.nr_cells, 1);
	assert_near(hot.cells[0].total.sum, 5);
	assert_near(hot.cells[0].total.squares, 17);
	assert_near(hot.cells[0].recent.sum, 5);
	assert_near(hot.total.sum, 5);
	assert_true(hot.thinned);
	assert_string_equal(hot.events[hot.cells[0].event], "cycles");

	sample.cpu = 2;
	hot_table_add(t, &sample);
	sample.pid = 11;
	hot_table_add(t, &sample);
	sample.comm = name("y");
	hot_table_add(t, &sample);
	sample.field = name("f");
	hot_table_add(t, &sample);
	sample.event = name("faults");
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.nr_cells, 6);
	assert_int_equal(hot.nr_nodes, 1);
	assert_int_equal(hot.nr_events, 2);
	assert_near(hot.total.sum, 25);
	hot_free(&hot);
	hot_table_free(t);
	hot_table_free(NULL);
}

/*
 * A sample counts for its period's events, k times; without a period for one.
 */
TEST(test_periods)
{
	const struct symbol frame = user("main");
	struct hot_table *t = table_of(0, 0);
	struct hot_sample sample = sample_of(&frame, 1);
	struct hot hot = { 0 };

	hot_table_add(t, &sample);
	sample.weight = 4;
	sample.period = 100;
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_near(hot.cells[0].total.sum, 5);
	assert_near(hot.cells[0].total.squares, 17);
	assert_near(hot.cells[0].total.events, 401);
	assert_near(hot.cells[0].total.event_squares, 160001);
	assert_near(hot.total.events, 401);
	hot_table_decay(t, 2);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_near(hot.cells[0].total.events, 401);
	assert_near(hot.cells[0].recent.events, 200.5);
	assert_near(hot.recent.event_squares, 160001 / 4.);
	hot_free(&hot);
	hot_table_free(t);
}

/* main -> f -> g -> f, and main -> h: the outer frames share nodes. */
TEST(test_chains)
{
	const struct symbol first[] = { user("f"), user("g"), user("f"),
					user("main") };
	const struct symbol second[] = { user("h"), user("main") };
	struct hot_table *t = table_of(0, 0);
	struct hot_sample a = sample_of(first, 4), b = sample_of(second, 2);
	struct hot hot = { 0 };

	hot_table_set_chains(t, true);
	hot_table_add(t, &a);
	hot_table_add(t, &b);
	hot_table_add(t, &a);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_true(hot.chains);
	assert_false(hot.thinned);
	assert_int_equal(hot.nr_symbols, 4);
	assert_int_equal(hot.nr_nodes, 5);
	assert_int_equal(hot.nr_cells, 2);
	for (uint32_t i = 0; i < hot.nr_nodes; i++) {
		const struct hot_node *node = &hot.nodes[i];

		assert_true(node->parent == HOT_NONE || node->parent < i);
		/* only the inner f */
		assert_int_equal(node->recursive, i == 3);
	}
	assert_string_equal(hot.symbols[hot.nodes[3].symbol].name, "f");
	assert_int_equal(hot.nodes[4].parent, 0);
	assert_int_equal(hot.cells[0].node, 3);
	hot_free(&hot);
	hot_table_free(t);
}

/* The same name in another file, or of another kind, is another symbol. */
TEST(test_symbols)
{
	struct symbol frame = user("read");
	struct hot_table *t = table_of(0, 0);
	struct hot_sample sample = sample_of(&frame, 1);
	struct hot hot = { 0 };

	hot_table_add(t, &sample);
	frame.offset = 12;
	hot_table_add(t, &sample);
	frame.dso = name(KERNEL);
	hot_table_add(t, &sample);
	frame.kind = SYMBOL_KERNEL;
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.nr_symbols, 3);
	assert_int_equal(hot.symbols[2].kind, SYMBOL_KERNEL);
	hot_free(&hot);
	hot_table_free(t);
}

TEST(test_decay)
{
	const struct symbol frame = user("main");
	struct hot_table *t = table_of(0, 0);
	struct hot_sample sample = sample_of(&frame, 1);
	struct hot hot = { 0 };

	sample.weight = 8;
	hot_table_add(t, &sample);
	hot_table_decay(t, 2);
	sample.weight = 1;
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_near(hot.cells[0].total.sum, 9);
	assert_near(hot.cells[0].recent.sum, 5);
	assert_near(hot.cells[0].recent.squares, 64 / 4. + 1);
	assert_near(hot.recent.sum, 5);

	/* After a long time without samples: 0, not a denormal number. */
	hot_table_decay(t, 3600);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_true(hot.recent.sum == 0 && hot.cells[0].recent.sum == 0);
	assert_near(hot.total.sum, 9);
	hot_table_decay(t, 0);
	hot_free(&hot);
	hot_table_free(t);
}

TEST(test_reset)
{
	const struct symbol before = user("before"), after = user("after");
	struct hot_table *t = table_of(0, 0);
	struct hot_sample sample = sample_of(&before, 1);
	struct hot hot = { 0 };

	sample.weight = 2;
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	hot_table_reset(t);
	sample.frames = &after;
	sample.weight = 1;
	hot_table_add(t, &sample);
	assert_int_equal(hot.generation, 0);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.generation, 1);
	assert_int_equal(hot.nr_cells, 1);
	assert_int_equal(hot.nr_symbols, 1);
	assert_string_equal(hot.symbols[0].name, "after");
	assert_near(hot.total.sum, 1);
	assert_false(hot.thinned);
	hot_free(&hot);
	hot_table_free(t);
}

/* Values of the previous field are not values of the new one. */
TEST(test_field)
{
	const struct symbol frame = user("main");
	struct hot_table *t = table_of(0, 0);
	struct hot_sample sample = sample_of(&frame, 1);
	struct hot hot = { 0 };
	char value[16];

	hot_table_set_field(t, "prev_comm");
	sample.field = value;
	strcpy(value, "ba\x1bsh");
	hot_table_add(t, &sample);
	strcpy(value, "dd");
	hot_table_add(t, &sample);
	strcpy(value, "ba\x1bsh");
	hot_table_add(t, &sample);
	hot_table_set_field(t, "prev_comm");
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_string_equal(hot.field, "prev_comm");
	assert_int_equal(hot.nr_cells, 2);
	assert_string_equal(hot.cells[0].field, "ba?sh");
	assert_string_equal(hot.cells[1].field, "dd");
	assert_near(hot.cells[0].total.sum, 2);

	hot_table_set_field(t, "next\x1b_comm");
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_string_equal(hot.field, "next?_comm");
	assert_int_equal(hot.nr_cells, 1);
	assert_string_equal(hot.cells[0].field, "");
	assert_near(hot.cells[0].total.sum, 3);
	assert_near(hot.merged.sum, 0);
	/* "" is a single value */
	value[0] = '\0';
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.nr_cells, 1);
	hot_free(&hot);
	hot_table_free(t);
}

/* The number of cells with the value @text. */
static unsigned int nr_of_value(const struct hot *hot, const char *text)
{
	unsigned int nr = 0;

	for (uint32_t i = 0; i < hot->nr_cells; i++)
		nr += !strcmp(hot->cells[i].field, text);
	return nr;
}

/*
 * A field whose value never repeats does not use unlimited memory; another
 * field, or a reset, has all of it again.  A copy keeps its values.
 */
TEST(test_field_values)
{
	const struct symbol frame = user("main");
	struct hot_table *t = table_of(0, 0);
	struct hot_sample sample = sample_of(&frame, 1);
	struct hot hot = { 0 };
	char value[300];

	sample.field = value;
	hot_table_set_field(t, "address");
	for (unsigned int i = 0; i < 20000; i++) {
		snprintf(value, sizeof(value), "%u", i);
		hot_table_add(t, &sample);
	}
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_near(hot.total.sum, 20000);
	assert_int_equal(hot.nr_fields, 4096);
	assert_int_equal(nr_of_value(&hot, "4000"), 1);
	assert_int_equal(nr_of_value(&hot, "19999"), 0);
	assert_int_equal(nr_of_value(&hot, HOT_OTHER), 1);

	hot_table_reset(t);
	assert_int_equal(nr_of_value(&hot, "4000"), 1);
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.nr_fields, 2);
	assert_int_equal(nr_of_value(&hot, "19999"), 1);
	hot_table_set_field(t, "path");
	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	hot_table_add(t, &sample);
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.nr_fields, 2);
	assert_int_equal(nr_of_value(&hot, "19999"), 0);
	assert_int_equal(strlen(hot.fields[1].text), HOT_FIELD_MAX - 1);
	hot_free(&hot);
	hot_table_free(t);
}

static void assert_same(const struct hot *a, const struct hot *b)
{
	assert_int_equal(a->nr_symbols, b->nr_symbols);
	assert_int_equal(a->nr_nodes, b->nr_nodes);
	assert_int_equal(a->nr_cells, b->nr_cells);
	assert_int_equal(a->nr_events, b->nr_events);
	for (uint32_t i = 0; i < a->nr_nodes; i++) {
		assert_int_equal(a->nodes[i].parent, b->nodes[i].parent);
		assert_int_equal(a->nodes[i].symbol, b->nodes[i].symbol);
	}
	for (uint32_t i = 0; i < a->nr_symbols; i++)
		assert_ptr_equal(a->symbols[i].name, b->symbols[i].name);
	for (uint32_t i = 0; i < a->nr_cells; i++) {
		assert_int_equal(a->cells[i].node, b->cells[i].node);
		assert_true(a->cells[i].total.sum == b->cells[i].total.sum);
	}
}

/* An updated copy equals a new one, after merges and resets. */
TEST(test_copy)
{
	struct hot_table *t = table_of(200, 400);
	struct hot kept = { 0 }, new = { 0 };
	struct symbol frames[3];

	for (unsigned int i = 0; i < 3000; i++) {
		struct hot_sample sample = sample_of(frames, 3);

		for (unsigned int f = 0; f < 3; f++)
			frames[f] = user(numbered("f", (i * 7 + f) % 500));
		sample.pid = (pid_t)(i % 90);
		hot_table_add(t, &sample);
		if (i % 37 == 0)
			hot_table_decay(t, 0.1);
		if (i == 2000)
			hot_table_reset(t);
		if (i % 11 && i != 2000)
			continue;
		assert_int_equal(hot_table_copy(t, &kept), 0);
		assert_int_equal(hot_table_copy(t, &new), 0);
		assert_same(&kept, &new);
		hot_free(&new);
	}
	hot_free(&kept);
	hot_free(&kept);
	hot_table_free(t);
}

static double sum_of_event(const struct hot *hot, const char *event)
{
	double sum = 0;

	for (uint32_t i = 0; i < hot->nr_cells; i++)
		if (strcmp(hot->events[hot->cells[i].event], event) == 0)
			sum += hot->cells[i].total.sum;
	return sum;
}

static void check_bounds(const struct hot *hot)
{
	double total = 0, recent = 0, merged = 0;

	assert_true(hot->nr_cells <= hot->max_cells);
	assert_true(hot->nr_nodes <= hot->max_nodes);
	assert_true(hot->nr_symbols <= hot->max_nodes);
	for (uint32_t i = 0; i < hot->nr_nodes; i++)
		assert_true(hot->nodes[i].parent == HOT_NONE ||
			    hot->nodes[i].parent < i);
	for (uint32_t i = 0; i < hot->nr_cells; i++) {
		const struct hot_cell *cell = &hot->cells[i];

		total += cell->total.sum;
		recent += cell->recent.sum;
		if (cell->pid == HOT_MERGED_ID)
			merged += cell->total.sum;
	}
	assert_near(total, hot->total.sum);
	assert_near(recent, hot->recent.sum);
	/* Samples since the last merge may have been added to merged cells. */
	assert_true(merged >= hot->merged.sum - 1e-6);
}

/*
 * Half of all samples are equal, the others never repeat.  The table is far too
 * small; the heavy cell stays exact, and so do all sums.
 */
TEST(test_merge)
{
	enum { NR = 20000 };
	struct hot_table *t = table_of(256, 512);
	struct symbol frames[8];
	struct hot hot = { 0 };
	double heavy = 0;

	for (unsigned int i = 0; i < NR; i++) {
		struct hot_sample sample = sample_of(frames, 8);

		for (unsigned int f = 0; f < 8; f++)
			frames[f] = user(i % 2 ? numbered("h", f) :
					 numbered("l", i * 8 + f));
		if (i % 2 == 0) {
			sample.pid = (pid_t)i;
			sample.comm = numbered("c", i);
			sample.field = numbered("v", i);
			sample.event = name(i % 4 ? "light" : "lighter");
		}
		hot_table_add(t, &sample);
	}
	assert_int_equal(hot_table_copy(t, &hot), 0);
	check_bounds(&hot);
	assert_near(hot.total.sum, NR);
	assert_near(sum_of_event(&hot, "cycles"), NR / 2);
	assert_near(sum_of_event(&hot, "light"), NR / 4);
	assert_near(sum_of_event(&hot, "lighter"), NR / 4);
	/* most of the light ones had to be merged, and this is reported */
	assert_true(hot.merged.sum > NR / 2 - 256);
	assert_true(hot.merged.sum <= NR / 2);
	for (uint32_t i = 0; i < hot.nr_cells; i++)
		if (hot.cells[i].pid == 10 && hot.cells[i].comm == name("x"))
			heavy = hot.cells[i].total.sum;
	assert_near(heavy, NR / 2);
	hot_free(&hot);
	hot_table_free(t);
}

/*
 * The lightest cells lose CPU, pid and field first: as long as that is enough,
 * the sums of symbols and comms are exact.
 */
TEST(test_merge_keeps_symbols)
{
	enum { NR = 5000 };
	struct hot_table *t = table_of(512, 512);
	double a = 0, b = 0;
	struct hot hot = { 0 };

	for (unsigned int i = 0; i < NR; i++) {
		const struct symbol frame = user(i % 5 ? "a" : "b");
		struct hot_sample sample = sample_of(&frame, 1);

		sample.pid = (pid_t)(1000 + i);
		sample.cpu = (int)(i % 64);
		hot_table_add(t, &sample);
	}
	assert_int_equal(hot_table_copy(t, &hot), 0);
	check_bounds(&hot);
	assert_int_equal(hot.nr_symbols, 2);
	for (uint32_t i = 0; i < hot.nr_cells; i++) {
		const struct hot_node *node = &hot.nodes[hot.cells[i].node];
		const char *symbol = hot.symbols[node->symbol].name;

		assert_ptr_equal(hot.cells[i].comm, name("x"));
		if (symbol == name("a"))
			a += hot.cells[i].total.sum;
		else if (symbol == name("b"))
			b += hot.cells[i].total.sum;
	}
	assert_near(a, NR / 5 * 4);
	assert_near(b, NR / 5);
	hot_free(&hot);
	hot_table_free(t);
}

/*
 * Cells that are heavy now displace those that were heavy long ago, and vice
 * versa.
 */
TEST(test_merge_recent)
{
	struct hot_table *t = table_of(64, 64);
	double now = 0;
	struct hot hot = { 0 };

	for (unsigned int i = 0; i < 6400; i++) {
		const struct symbol frame = user("old");
		struct hot_sample sample = sample_of(&frame, 1);

		sample.pid = (pid_t)(100 + i % 60);
		hot_table_add(t, &sample);
	}
	hot_table_decay(t, 40);
	for (unsigned int i = 0; i < 60; i++) {
		const struct symbol frame = user("new");
		struct hot_sample sample = sample_of(&frame, 1);

		sample.pid = i % 2 ? 7 : (pid_t)(1000 + i);
		hot_table_add(t, &sample);
	}
	assert_int_equal(hot_table_copy(t, &hot), 0);
	check_bounds(&hot);
	for (uint32_t i = 0; i < hot.nr_cells; i++)
		if (hot.cells[i].pid == 7)
			now = hot.cells[i].total.sum;
	assert_near(now, 30);
	hot_free(&hot);
	hot_table_free(t);
}

/* More frames than nodes allowed: the innermost are counted. */
TEST(test_deep)
{
	enum { DEPTH = 3000 };
	static struct symbol frames[DEPTH];
	struct hot_sample sample = sample_of(frames, DEPTH);
	struct hot_table *small = table_of(64, 64), *t = table_of(0, 0);
	struct hot hot = { 0 };

	for (unsigned int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < DEPTH; i++)
			frames[i] = user(numbered("f", round + i));
		hot_table_add(small, &sample);
		hot_table_add(t, &sample);
	}
	assert_int_equal(hot_table_copy(small, &hot), 0);
	check_bounds(&hot);
	assert_near(hot.total.sum, 20);
	hot_free(&hot);

	assert_int_equal(hot_table_copy(t, &hot), 0);
	check_bounds(&hot);
	assert_int_equal(hot.nr_nodes, 20 * HOT_MAX_DEPTH);
	assert_ptr_equal(hot.symbols[hot.nodes[hot.cells[0].node].symbol].name,
			 name("f0"));
	hot_free(&hot);
	hot_table_free(small);
	hot_table_free(t);
}

/* Events beyond the limit share the last name. */
TEST(test_events)
{
	const struct symbol frame = user("main");
	struct hot_table *t = table_of(0, 0);
	struct hot hot = { 0 };

	for (unsigned int i = 0; i < 5000; i++) {
		struct hot_sample sample = sample_of(&frame, 1);

		sample.event = numbered("event", i);
		hot_table_add(t, &sample);
	}
	assert_int_equal(hot_table_copy(t, &hot), 0);
	assert_int_equal(hot.nr_events, 4096);
	assert_near(sum_of_event(&hot, "event7"), 1);
	assert_near(sum_of_event(&hot, HOT_MERGED), 5000 - 4095);
	assert_near(hot.total.sum, 5000);
	hot_free(&hot);
	hot_table_free(t);
}

TEST_GROUP(hot_table, .setup = setup, .teardown = teardown);
