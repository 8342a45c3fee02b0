/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ring/figures.h"
#include "ring/ring_warning.h"

static struct ring_row usual(void)
{
	return (struct ring_row){
		.id = 5,
		.label = "CPU 3",
		.cpu = 3,
		.tid = -1,
		.pid = 1234,
		.comm = "perf",
		.user = "alice",
		.event = "cycles +2",
		.known = true,
		.size = 512 << 10,
		.watermark = 256 << 10,
		.fill = 0.41,
		.peak = 0.58,
		.bytes_per_s = 1.5 * (1 << 20),
		.wakeups_per_s = 12,
		.drains_per_s = 9,
		.undrained = 0.25,
		.worst_gap = 1.5,
		.lost = 1234,
		.lost_pending = 34,
		.lost_per_s = 0,
		.aux = { .size = 1 << 20, .head = (5 << 20) + 2048,
			 .position = 2048 },
		.locked = 516 << 10,
	};
}

static struct ring_row unknown(void)
{
	return (struct ring_row){
		.id = 6,
		.cpu = -1,
		.tid = -1,
		.pid = -1,
		.watermark = UNKNOWN,
		.fill = NAN,
		.peak = NAN,
		.bytes_per_s = NAN,
		.wakeups_per_s = NAN,
		.drains_per_s = NAN,
		.undrained = NAN,
		.worst_gap = NAN,
		.lost = UNKNOWN,
		.lost_pending = UNKNOWN,
		.lost_per_s = NAN,
		.locked = UNKNOWN,
		.size = UNKNOWN,
	};
}

static void check(enum figure column, const struct ring_row *row,
		  const char *expected)
{
	char buf[64];

	assert_string_equal(figure_text(column, row, buf, sizeof(buf)),
			    expected);
}

static void test_texts(void **state)
{
	struct ring_row row = usual();

	(void)state;
	check(FIGURE_PID, &row, "1234");
	check(FIGURE_OWNER, &row, "perf");
	check(FIGURE_RING, &row, "CPU 3");
	check(FIGURE_EVENT, &row, "cycles +2");
	check(FIGURE_SIZE, &row, "512K");
	check(FIGURE_FILL, &row, "41%");
	check(FIGURE_FILLPCT, &row, "41%");
	check(FIGURE_RATE, &row, "1.5M");
	check(FIGURE_WAKE, &row, "12");
	check(FIGURE_LOST, &row, "1.23k");
	check(FIGURE_PENDING, &row, "34");
	check(FIGURE_LOSTRATE, &row, "0");
	check(FIGURE_AUXHEAD, &row, "2K");
	check(FIGURE_AUX, &row, "1M");
	check(FIGURE_WATERMARK, &row, "256K");
	check(FIGURE_LOCKED, &row, "516K");
	check(FIGURE_USER, &row, "alice");
	check(FIGURE_WARN, &row, "-");
}

/* At least so much; where there is no more, or nothing, it is exact. */
static void test_bounds(void **state)
{
	struct ring_row row = usual();

	(void)state;
	check(FIGURE_PEAK, &row, ">58%");
	check(FIGURE_DRAINRATE, &row, ">9");
	check(FIGURE_UNDRAINED, &row, ">250ms");
	check(FIGURE_GAP, &row, ">1.5s");
	row.peak = 0.0009;
	check(FIGURE_PEAK, &row, ">0%");
	row.peak = 0.001;
	check(FIGURE_PEAK, &row, ">0.1%");
	row.peak = 0;
	check(FIGURE_PEAK, &row, "0%");
	row.peak = 1;
	row.drains_per_s = row.undrained = row.worst_gap = 0;
	check(FIGURE_PEAK, &row, "100%");
	check(FIGURE_DRAINRATE, &row, "0");
	check(FIGURE_UNDRAINED, &row, "0");
	check(FIGURE_GAP, &row, "0");
	/* ">0" would look like losses. */
	row.gone = true;
	check(FIGURE_LOST, &row, ">1.23k");
	row.lost = 0;
	check(FIGURE_LOST, &row, "0");
}

static void test_unknown(void **state)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row row = unknown();

	(void)state;
	for (size_t i = 0; i < nr; i++) {
		check(all[i], &row, "-");
		if (all[i] != FIGURE_WARN)
			assert_true(isnan(figure_number(all[i], &row)));
	}
	row.aux.size = 4096;
	row.aux.head = UNKNOWN;
	check(FIGURE_AUXHEAD, &row, "-");
	check(FIGURE_AUX, &row, "4K");
	/* A BPF ring buffer has none. */
	row.watermark = 0;
	check(FIGURE_WATERMARK, &row, "-");
}

/* The cause before the effect; what loses records before what may. */
static void test_warnings(void **state)
{
	struct ring_row row = usual(), other = usual();

	(void)state;
	row.warnings = 1 << RING_WARN_MLOCK;
	check(FIGURE_WARN, &row, "mlock");
	row.warnings |= 1 << RING_WARN_PENDING;
	check(FIGURE_WARN, &row, "pending");
	row.warnings |= 1 << RING_WARN_LOSING;
	check(FIGURE_WARN, &row, "losing");
	other.warnings = 1 << RING_WARN_LOSING;
	assert_true(figure_number(FIGURE_WARN, &row) >
		    figure_number(FIGURE_WARN, &other));
	other.warnings = 1 << RING_WARN_UNDRAINED;
	assert_true(figure_number(FIGURE_WARN, &row) <
		    figure_number(FIGURE_WARN, &other));
	row.warnings |= 1 << RING_WARN_UNDRAINED;
	check(FIGURE_WARN, &row, "undrained");
	row.warnings = ~(1U << RING_WARN_UNDRAINED) &
		       ((1 << RING_WARNINGS) - 1);
	assert_true(figure_number(FIGURE_WARN, &row) <
		    figure_number(FIGURE_WARN, &other));
	other.warnings = 0;
	assert_true(figure_number(FIGURE_WARN, &row) >
		    figure_number(FIGURE_WARN, &other));
	row.gone = true;
	check(FIGURE_WARN, &row, "gone");
}

static void test_text_is_made_harmless(void **state)
{
	struct ring_row row = usual();
	char small[4];

	(void)state;
	snprintf(row.comm, sizeof(row.comm), "a\33[m");
	check(FIGURE_OWNER, &row, "a?[m");
	assert_string_equal(figure_text(FIGURE_EVENT, &row, small,
					     sizeof(small)), "cyc");
	assert_string_equal(figure_text(FIGURE_PEAK, &row, small,
					     1), "");
}

static void test_compare(void **state)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row a = usual(), b = usual(), none = unknown();

	(void)state;
	b.id = 7;
	b.fill = 0.5;
	snprintf(b.comm, sizeof(b.comm), "parca");
	assert_true(figure_compare(FIGURE_FILL, &a, &b) < 0);
	assert_true(figure_compare(FIGURE_FILL, &b, &a) > 0);
	assert_true(figure_compare(FIGURE_OWNER, &a, &b) > 0);
	/* Equal: by the order in which they came. */
	assert_true(figure_compare(FIGURE_SIZE, &a, &b) < 0);
	assert_true(figure_compare(FIGURE_USER, &b, &a) > 0);
	assert_int_equal(figure_compare(FIGURE_SIZE, &a, &a), 0);
	for (size_t i = 0; i < nr; i++) {
		if (all[i] == FIGURE_WARN)
			continue;
		assert_true(figure_compare(all[i], &a, &none) < 0);
		assert_true(figure_compare(all[i], &none, &b) > 0);
	}
}

/* CPU 10 after CPU 9; threads after CPUs. */
static void test_order_of_rings(void **state)
{
	struct ring_row a = usual(), b = usual();

	(void)state;
	a.cpu = 10;
	snprintf(a.label, sizeof(a.label), "CPU 10");
	b.cpu = 9;
	assert_true(figure_compare(FIGURE_RING, &a, &b) > 0);
	b.cpu = -1;
	b.tid = 7;
	assert_true(figure_compare(FIGURE_RING, &a, &b) < 0);
}

/* Each cell fits the width that is set for it; the bar is drawn. */
static void test_widths(void **state)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row row = usual();
	char buf[64];

	(void)state;
	row.undrained = 59 * 60 + 59;
	row.worst_gap = 23 * 3600 + 59 * 60;
	row.warnings = 1 << RING_WARN_TRUNCATED;
	row.bytes_per_s = row.lost_per_s = row.wakeups_per_s = 1e9 - 1;
	row.drains_per_s = 12345;
	row.peak = 0.00001;
	for (size_t i = 0; i < nr; i++) {
		int width = figure_width(all[i], IN_HOST);

		figure_text(all[i], &row, buf, sizeof(buf));
		if (width && text_width(buf) > width)
			fail_msg("%s: %s", figure_info(all[i])->id, buf);
		assert_true(!width ||
			    text_width(figure_header(all[i], IN_HOST)) <=
				    width);
	}
}

static void test_find(void **state)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);

	(void)state;
	assert_true(nr > 20);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(figure_find(figure_info(all[i])->id, IN_HOST),
				 all[i]);
	assert_int_equal(figure_find("FILL%", IN_HOST), FIGURE_FILLPCT);
	assert_int_equal(figure_find("nothing", IN_HOST), FIGURES);
	assert_int_equal(figure_find("", IN_HOST), FIGURES);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_texts),
	cmocka_unit_test(test_bounds),
	cmocka_unit_test(test_unknown),
	cmocka_unit_test(test_warnings),
	cmocka_unit_test(test_text_is_made_harmless),
	cmocka_unit_test(test_compare),
	cmocka_unit_test(test_order_of_rings),
	cmocka_unit_test(test_widths),
	cmocka_unit_test(test_find),
};

TEST_GROUP(host_columns, tests, NULL, NULL);
