/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samples/hot_query.h"

#define KERNEL "[kernel.kallsyms]"
#define LIBC "/lib/libc.so.6"
#define DD "/usr/bin/dd"
#define KEY(key) (1u << HOT_##key)

/* Names are compared as pointers. */
static const char vfs_read[] = "vfs_read", syscall[] = "do_syscall_64";
static const char read_[] = "read", main_[] = "main", copy[] = "copy";
static const char kernel[] = KERNEL, libc[] = LIBC, dd[] = DD;
static const char comm_dd[] = "dd", comm_cat[] = "cat", bash[] = "bash";
static const char none[] = "";

enum { SYM_VFS_READ, SYM_SYSCALL, SYM_READ, SYM_MAIN, SYM_COPY };

static struct hot_symbol symbols[] = {
	[SYM_VFS_READ] = { vfs_read, kernel, SYMBOL_KERNEL },
	[SYM_SYSCALL] = { syscall, kernel, SYMBOL_KERNEL },
	[SYM_READ] = { read_, libc, SYMBOL_USER },
	[SYM_MAIN] = { main_, dd, SYMBOL_USER },
	[SYM_COPY] = { copy, dd, SYMBOL_USER },
};

/* main -> copy -> read -> do_syscall_64 -> vfs_read, and copy calls itself. */
enum { N_MAIN, N_COPY, N_READ, N_SYSCALL, N_VFS_READ, N_COPY_AGAIN,
       N_ALONE };

static struct hot_node nodes[] = {
	[N_MAIN] = { HOT_NONE, SYM_MAIN, false },
	[N_COPY] = { N_MAIN, SYM_COPY, false },
	[N_READ] = { N_COPY, SYM_READ, false },
	[N_SYSCALL] = { N_READ, SYM_SYSCALL, false },
	[N_VFS_READ] = { N_SYSCALL, SYM_VFS_READ, false },
	[N_COPY_AGAIN] = { N_COPY, SYM_COPY, true },
	[N_ALONE] = { HOT_NONE, SYM_VFS_READ, false },
};

#define CELL(n, e, c, p, co, f, all, lately)                           \
	{ .node = n, .event = e, .cpu = c, .pid = p, .comm = co,       \
	  .field = f, .total = { .sum = all, .squares = all },         \
	  .recent = { .sum = lately, .squares = lately } }

/* 100 samples, of which 10 are recent. */
static struct hot_cell cells[] = {
	CELL(N_VFS_READ, 0, 0, 1, comm_dd, none, 40, 0),
	CELL(N_VFS_READ, 0, 1, 2, comm_dd, none, 10, 6),
	CELL(N_COPY_AGAIN, 0, 0, 1, comm_dd, none, 20, 0),
	CELL(N_MAIN, 1, 1, 1, comm_dd, bash, 5, 0),
	CELL(N_ALONE, 0, 0, 3, comm_cat, none, 25, 4),
};

static const char *events[] = { "cycles", "sched:sched_switch" };

static struct hot hot = {
	.symbols = symbols,
	.nr_symbols = sizeof(symbols) / sizeof(*symbols),
	.nodes = nodes,
	.nr_nodes = sizeof(nodes) / sizeof(*nodes),
	.cells = cells,
	.nr_cells = sizeof(cells) / sizeof(*cells),
	.events = events,
	.nr_events = 2,
};

static struct hot_rows ask(const struct hot_query *query)
{
	struct hot_rows rows;

	assert_int_equal(hot_rows_query(&hot, query, &rows), 0);
	return rows;
}

static void assert_near(double value, double want)
{
	if (fabs(value - want) > 1e-9)
		fail_msg("%.12g, not %.12g", value, want);
}

/* Check row @i: the texts of its @keys, joined by blanks, and its shares. */
static void assert_row(const struct hot_rows *rows, size_t i,
		       unsigned int keys, const char *want, double self,
		       double children)
{
	char text[256] = "", part[64];

	assert_true(i < rows->nr);
	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (!(keys & 1u << key))
			continue;
		if (*text)
			strcat(text, " ");
		strcat(text, hot_key_text(&hot, (enum hot_key)key,
					    &rows->rows[i].value, part,
					    sizeof(part)));
	}
	assert_string_equal(text, want);
	assert_near(rows->rows[i].self, self);
	assert_near(rows->rows[i].children, children);
}

TEST(test_keys)
{
	assert_string_equal(hot_key_info(HOT_SYMBOL)->name, "symbol");
	assert_string_equal(hot_key_info(HOT_FIELD)->name, "field");
}

TEST(test_symbol)
{
	const struct hot_query query = { .keys = KEY(SYMBOL) };
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 5);
	assert_near(rows.samples, 100);
	assert_row(&rows, 0, KEY(SYMBOL), "vfs_read", 0.75, 0.75);
	/* For a function that calls itself, its callees' samples count once. */
	assert_row(&rows, 1, KEY(SYMBOL), "copy", 0.2, 0.7);
	assert_row(&rows, 2, KEY(SYMBOL), "main", 0.05, 0.75);
	assert_row(&rows, 3, KEY(SYMBOL), "do_syscall_64", 0, 0.5);
	assert_row(&rows, 4, KEY(SYMBOL), "read", 0, 0.5);
	assert_int_equal(rows.rows[0].kind, SYMBOL_KERNEL);
	assert_int_equal(rows.rows[0].value.symbol, SYM_VFS_READ);
	assert_near(rows.rows[1].samples, 20);
	assert_true(rows.rows[0].error == 0);
	hot_rows_free(&rows);
}

/* By where a sample was taken, whatever called it; idle is process 0. */
TEST(test_parts)
{
	struct hot_query query = { .keys = KEY(SYMBOL), .part = HOT_USER };
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 2);
	assert_row(&rows, 0, KEY(SYMBOL), "copy", 0.8, 0.8);
	assert_row(&rows, 1, KEY(SYMBOL), "main", 0.2, 1);
	hot_rows_free(&rows);
	symbols[SYM_COPY].kind = SYMBOL_UNKNOWN;
	rows = ask(&query);
	assert_near(rows.samples, 25);
	hot_rows_free(&rows);
	symbols[SYM_COPY].kind = SYMBOL_USER;
	cells[4].pid = 0;
	query.part = HOT_BUSY;
	rows = ask(&query);
	assert_near(rows.samples, 75);
	hot_rows_free(&rows);
	query.part = HOT_KERNEL;
	rows = ask(&query);
	assert_near(rows.samples, 50);
	assert_row(&rows, 0, KEY(SYMBOL), "vfs_read", 1, 1);
	hot_rows_free(&rows);
	cells[4].pid = 3;
	assert_null(hot_part_name(HOT_EVERYTHING));
}

TEST(test_by_children)
{
	const struct hot_query query = { .keys = KEY(SYMBOL),
					 .by_children = true };
	struct hot_rows rows = ask(&query);

	/* Equal with children: the one with more of its own is first. */
	assert_row(&rows, 0, KEY(SYMBOL), "vfs_read", 0.75, 0.75);
	assert_row(&rows, 1, KEY(SYMBOL), "main", 0.05, 0.75);
	assert_row(&rows, 2, KEY(SYMBOL), "copy", 0.2, 0.7);
	assert_row(&rows, 3, KEY(SYMBOL), "do_syscall_64", 0, 0.5);
	assert_row(&rows, 4, KEY(SYMBOL), "read", 0, 0.5);
	hot_rows_free(&rows);
}

/* A file that calls itself, directly or through another. */
TEST(test_dso)
{
	const struct hot_query query = { .keys = KEY(DSO) };
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 3);
	assert_row(&rows, 0, KEY(DSO), KERNEL, 0.75, 0.75);
	assert_row(&rows, 1, KEY(DSO), DD, 0.25, 0.75);
	assert_row(&rows, 2, KEY(DSO), LIBC, 0, 0.5);
	hot_rows_free(&rows);
}

TEST(test_symbol_and_comm)
{
	const unsigned int keys = KEY(SYMBOL) | KEY(DSO) | KEY(COMM);
	const struct hot_query query = { .keys = keys };
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 6);
	assert_row(&rows, 0, keys, "vfs_read " KERNEL " dd", 0.5, 0.5);
	assert_row(&rows, 1, keys, "vfs_read " KERNEL " cat", 0.25, 0.25);
	assert_row(&rows, 2, keys, "copy " DD " dd", 0.2, 0.7);
	assert_row(&rows, 3, keys, "main " DD " dd", 0.05, 0.75);
	hot_rows_free(&rows);
}

TEST(test_other_keys)
{
	struct hot_query query = { .keys = KEY(PID) };
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 3);
	assert_row(&rows, 0, KEY(PID), "1", 0.65, 0.65);
	assert_row(&rows, 1, KEY(PID), "3", 0.25, 0.25);
	assert_row(&rows, 2, KEY(PID), "2", 0.1, 0.1);
	hot_rows_free(&rows);

	query.keys = KEY(CPU) | KEY(EVENT);
	rows = ask(&query);
	assert_int_equal(rows.nr, 3);
	assert_row(&rows, 0, query.keys, "0 cycles", 0.85, 0.85);
	assert_row(&rows, 1, query.keys, "1 cycles", 0.1, 0.1);
	assert_row(&rows, 2, query.keys, "1 sched:sched_switch", 0.05, 0.05);
	hot_rows_free(&rows);

	query.keys = KEY(FIELD);
	rows = ask(&query);
	assert_int_equal(rows.nr, 1);	/* only of those that have the field */
	assert_row(&rows, 0, query.keys, "bash", 1, 1);
	hot_rows_free(&rows);

	query.keys = 0;
	rows = ask(&query);
	assert_int_equal(rows.nr, 1);
	assert_near(rows.rows[0].self, 1);
	hot_rows_free(&rows);
}

TEST(test_by_name)
{
	struct hot_query query = { .keys = KEY(PID), .by_name = true };
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 3);
	assert_row(&rows, 0, KEY(PID), "1", 0.65, 0.65);
	assert_row(&rows, 1, KEY(PID), "2", 0.1, 0.1);
	assert_row(&rows, 2, KEY(PID), "3", 0.25, 0.25);
	hot_rows_free(&rows);
}

TEST(test_recent)
{
	const struct hot_query query = { .keys = KEY(COMM), .recent = true };
	struct hot_rows rows = ask(&query);

	assert_near(rows.samples, 10);
	assert_row(&rows, 0, KEY(COMM), "dd", 0.6, 0.6);
	assert_row(&rows, 1, KEY(COMM), "cat", 0.4, 0.4);
	hot_rows_free(&rows);
}

TEST(test_where)
{
	struct hot_query query = {
		.keys = KEY(SYMBOL),
		.where = { { .key = HOT_COMM, .value = { .comm = comm_dd } },
			   { .key = HOT_PID, .value = { .pid = 1 } } },
		.nr_where = 2,
	};
	struct hot_rows rows = ask(&query);

	assert_near(rows.samples, 65);
	assert_row(&rows, 0, KEY(SYMBOL), "vfs_read", 40 / 65., 40 / 65.);
	hot_rows_free(&rows);

	query.where[1] = (struct hot_where){ .key = HOT_CPU,
					     .value = { .cpu = 1 } };
	rows = ask(&query);
	assert_near(rows.samples, 15);
	hot_rows_free(&rows);

	query.where[0] = (struct hot_where){ .key = HOT_EVENT,
					     .value = { .event = 1 } };
	rows = ask(&query);
	assert_near(rows.samples, 5);
	hot_rows_free(&rows);

	query.where[1] = (struct hot_where){ .key = HOT_FIELD,
					     .field = "" };
	rows = ask(&query);
	assert_near(rows.samples, 0);
	assert_int_equal(rows.nr, 0);
	hot_rows_free(&rows);

	strcpy(query.where[1].field, "bash");
	rows = ask(&query);
	assert_near(rows.samples, 5);
	hot_rows_free(&rows);
}

/* Narrowed by a row's value: the innermost frame, or any frame. */
TEST(test_where_frame)
{
	struct hot_query query = { .keys = KEY(SYMBOL) };
	struct hot_rows rows = ask(&query);

	query.where[0] = (struct hot_where){ .key = HOT_SYMBOL,
					     .value = rows.rows[1].value };
	query.nr_where = 1;
	query.keys = KEY(PID);
	hot_rows_free(&rows);

	rows = ask(&query);	/* copy */
	assert_near(rows.samples, 20);
	hot_rows_free(&rows);
	query.where[0].anywhere = true;
	rows = ask(&query);
	assert_near(rows.samples, 70);
	hot_rows_free(&rows);

	query.where[0] = (struct hot_where){ .key = HOT_DSO,
					     .value = { .dso = libc } };
	rows = ask(&query);
	assert_near(rows.samples, 0);
	hot_rows_free(&rows);
	query.where[0].anywhere = true;
	rows = ask(&query);
	assert_near(rows.samples, 50);
	hot_rows_free(&rows);
}

/* The same name with another kind is another symbol. */
TEST(test_where_kind)
{
	const struct hot_query query = {
		.where = { { .key = HOT_SYMBOL,
			     .value = { .name = vfs_read, .dso = kernel,
					.kind = SYMBOL_USER } } },
		.nr_where = 1,
	};
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 0);
	hot_rows_free(&rows);
}

/*
 * 100 samples with weight 4 each: +- 1.96 sqrt(.25 / 100), and a little less by
 * Wilson's interval.
 */
TEST(test_error)
{
	struct hot_cell two[] = {
		CELL(N_MAIN, 0, 0, 1, comm_dd, none, 200, 0),
		CELL(N_ALONE, 0, 0, 1, comm_cat, none, 200, 0),
	};
	const struct hot_query query = { .keys = KEY(COMM) };
	struct hot thinned = hot;
	struct hot_rows rows;

	two[0].total.squares = two[1].total.squares = 50 * 16;
	thinned.cells = two;
	thinned.nr_cells = 2;
	thinned.thinned = true;
	assert_int_equal(hot_rows_query(&thinned, &query, &rows), 0);
	assert_near(rows.decoded, 100);
	assert_row(&rows, 0, KEY(COMM), "cat", 0.5, 0.5);
	assert_true(fabs(rows.rows[0].error - 0.09617) < 1e-4);
	hot_rows_free(&rows);

	/* Even if all are in one row it is not certain. */
	thinned.nr_cells = 1;
	assert_int_equal(hot_rows_query(&thinned, &query, &rows), 0);
	assert_near(rows.decoded, 50);
	assert_true(fabs(rows.rows[0].error - 0.03567) < 1e-4);
	hot_rows_free(&rows);
}

/*
 * Samples of one event are weighted by period: one of main(), of 900 events,
 * against 99 of one event each and one of 1.
 */
TEST(test_by_events)
{
	struct hot_cell few[] = {
		{ .node = N_MAIN, .comm = comm_dd, .field = none,
		  .total = { 1, 1, 900, 900 * 900 } },
		{ .node = N_ALONE, .comm = comm_dd, .field = none,
		  .total = { 100, 100, 100, 100 } },
	};
	struct hot_query query = { .keys = KEY(SYMBOL) };
	struct hot one = hot;
	struct hot_rows rows;

	one.cells = few;
	one.nr_cells = 2;
	assert_int_equal(hot_rows_query(&one, &query, &rows), 0);
	assert_true(rows.by_events);
	assert_near(rows.samples, 101);
	assert_row(&rows, 0, KEY(SYMBOL), "main", 0.9, 0.9);
	assert_row(&rows, 1, KEY(SYMBOL), "vfs_read", 0.1, 0.1);
	assert_near(rows.rows[0].samples, 1);
	hot_rows_free(&rows);

	/* Two events cannot be added up. */
	few[1].event = 1;
	assert_int_equal(hot_rows_query(&one, &query, &rows), 0);
	assert_false(rows.by_events);
	assert_row(&rows, 0, KEY(SYMBOL), "vfs_read", 100 / 101., 100 / 101.);
	hot_rows_free(&rows);
	query.where[0] = (struct hot_where){ .key = HOT_EVENT };
	query.nr_where = 1;
	assert_int_equal(hot_rows_query(&one, &query, &rows), 0);
	assert_true(rows.by_events);
	assert_row(&rows, 0, KEY(SYMBOL), "main", 1, 1);
	hot_rows_free(&rows);
}

/* The events of merged cells are not known. */
TEST(test_merged_event)
{
	const char *merged[] = { HOT_MERGED };
	struct hot_cell cell = { .node = N_MAIN, .comm = comm_dd,
				 .field = none,
				 .total = { 2, 2, 900, 900 * 900 } };
	const struct hot_query query = { .keys = KEY(SYMBOL) };
	struct hot one = hot;
	struct hot_rows rows;

	one.cells = &cell;
	one.nr_cells = 1;
	one.events = merged;
	assert_int_equal(hot_rows_query(&one, &query, &rows), 0);
	assert_false(rows.by_events);
	assert_near(rows.rows[0].samples, 2);
	hot_rows_free(&rows);
}

static double random_share(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

/*
 * @nr samples, of which a share @heavy has @weight and is cat's; the rest has
 * weight 1 and is dd's.  Returns whether cat's true share is within the
 * interval.
 */
static bool is_covered(unsigned int nr, double heavy, double weight,
		       uint64_t *seed)
{
	struct hot_cell two[] = {
		CELL(N_MAIN, 0, 0, 1, comm_dd, none, 0, 0),
		CELL(N_ALONE, 0, 0, 1, comm_cat, none, 0, 0),
	};
	const struct hot_query query = { .keys = KEY(COMM) };
	double truth = heavy * weight / (heavy * weight + 1 - heavy);
	struct hot thinned = hot;
	struct hot_rows rows;
	bool within = false;

	for (unsigned int i = 0; i < nr; i++) {
		bool cat = random_share(seed) < heavy;
		double w = cat ? weight : 1;

		two[cat].total.sum += w;
		two[cat].total.squares += w * w;
	}
	thinned.cells = two;
	thinned.nr_cells = 2;
	thinned.thinned = true;
	assert_int_equal(hot_rows_query(&thinned, &query, &rows), 0);
	for (size_t i = 0; i < rows.nr; i++)
		if (rows.rows[i].value.comm == comm_cat)
			within = fabs(rows.rows[i].self - truth) <=
				 rows.rows[i].error;
	hot_rows_free(&rows);
	return within;
}

/*
 * The interval covers 95 %, also if the samples of a row have larger or smaller
 * weights.
 */
TEST(test_coverage)
{
	static const struct {
		unsigned int nr;
		double heavy, weight;
	} mixes[] = {
		{ 1000, .3, 1 }, { 4000, .005, 100 }, { 1000, .1, 16 },
		{ 1000, .5, 0.1 }, { 1000, .9, 0.05 },
	};
	uint64_t seed = 88172645463325252;

	for (size_t i = 0; i < sizeof(mixes) / sizeof(*mixes); i++) {
		unsigned int covered = 0;

		for (unsigned int n = 0; n < 1000; n++)
			covered += is_covered(mixes[i].nr, mixes[i].heavy,
					      mixes[i].weight, &seed);
		if (covered < 930 || covered > 975)
			fail_msg("mix %zu: %u of 1000", i, covered);
	}
}

/*
 * More rows than the limit: the heaviest are kept, and the number left out is
 * known.
 */
TEST(test_bound)
{
	enum { NR = 3 * HOT_MAX_ROWS };
	struct hot_cell *many = calloc(NR, sizeof(*many));
	const struct hot_query query = { .keys = KEY(PID) };
	/* 9830, 19830 and so on to 89830, 98300 to 98303 */
	const struct hot_query filtered = { .keys = KEY(PID),
					    .filter = "9830" };
	struct hot big = hot;
	struct hot_rows rows;

	assert_non_null(many);
	for (int i = 0; i < NR; i++)
		many[i] = (struct hot_cell)CELL(N_MAIN, 0, 0, i, comm_dd, none,
						1 + i * 7919 % NR, 0);
	big.cells = many;
	big.nr_cells = NR;
	assert_int_equal(hot_rows_query(&big, &query, &rows), 0);
	assert_int_equal(rows.nr, HOT_MAX_ROWS);
	assert_int_equal(rows.left_out, NR - HOT_MAX_ROWS);
	assert_near(rows.samples, NR * (NR + 1.) / 2);
	for (int i = 0; i < HOT_MAX_ROWS; i++)
		assert_near(rows.rows[i].samples, NR - i);
	hot_rows_free(&rows);
	/* the same number if all have equal weights */
	for (int i = 0; i < NR; i++)
		many[i].total.sum = 1;
	assert_int_equal(hot_rows_query(&big, &query, &rows), 0);
	assert_int_equal(rows.nr, HOT_MAX_ROWS);
	assert_int_equal(rows.left_out, NR - HOT_MAX_ROWS);
	hot_rows_free(&rows);
	/* a filter also finds rows that would be left out */
	for (int i = 0; i < NR; i++)
		many[i].total.sum = NR - i;
	assert_int_equal(hot_rows_query(&big, &filtered, &rows), 0);
	assert_int_equal(rows.nr, 13);
	assert_int_equal(rows.left_out, 0);
	assert_int_equal(rows.rows[0].value.pid, 9830);
	hot_rows_free(&rows);
	free(many);
}

/*
 * A filter matches the texts of the keys; shares are still of all that is
 * narrowed to.
 */
TEST(test_filter)
{
	struct hot_query query = { .keys = KEY(SYMBOL) | KEY(DSO),
				   .filter = "LIBC" };
	struct hot_rows rows = ask(&query);

	assert_int_equal(rows.nr, 1);
	assert_row(&rows, 0, query.keys, "read " LIBC, 0, .5);
	assert_near(rows.samples, 100);
	hot_rows_free(&rows);
	query = (struct hot_query){ .keys = KEY(COMM), .filter = "libc" };
	rows = ask(&query);
	assert_int_equal(rows.nr, 0);
	hot_rows_free(&rows);
	query = (struct hot_query){ .keys = KEY(COMM) | KEY(PID),
				    .filter = "2" };
	rows = ask(&query);
	assert_int_equal(rows.nr, 1);
	assert_row(&rows, 0, query.keys, "dd 2", .1, .1);
	hot_rows_free(&rows);
}

TEST(test_empty)
{
	const struct hot_query query = { .keys = KEY(SYMBOL) };
	const struct hot nothing = { 0 };
	struct hot_rows rows;

	assert_int_equal(hot_rows_query(&nothing, &query, &rows), 0);
	assert_int_equal(rows.nr, 0);
	assert_true(rows.samples == 0 && rows.decoded == 0);
	hot_rows_free(&rows);
}

TEST(test_texts)
{
	struct hot_value value = { .name = "a\x1b" "b", .comm = "",
				   .pid = -1, .cpu = HOT_MERGED_ID,
				   .event = 9 };
	char buf[16];

	assert_string_equal(hot_key_text(&hot, HOT_SYMBOL, &value, buf, 16),
			    "a?b");
	assert_string_equal(hot_key_text(&hot, HOT_DSO, &value, buf, 16),
			    "-");
	assert_string_equal(hot_key_text(&hot, HOT_COMM, &value, buf, 16),
			    "-");
	assert_string_equal(hot_key_text(&hot, HOT_PID, &value, buf, 16),
			    "-");
	assert_string_equal(hot_key_text(&hot, HOT_CPU, &value, buf, 16),
			    HOT_MERGED);
	assert_string_equal(hot_key_text(&hot, HOT_EVENT, &value, buf, 16),
			    "-");
	value.pid = 0;
	assert_string_equal(hot_key_text(&hot, HOT_PID, &value, buf, 16),
			    "0");
}

TEST_GROUP(hot_rows);
