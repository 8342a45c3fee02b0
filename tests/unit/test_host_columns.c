/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "host/table/host_columns.h"

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
		.aux = { .size = 1 << 20, .head = (5 << 20) + 2048 },
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

static void check(enum host_column column, const struct ring_row *row,
		  const char *expected)
{
	char buf[64];

	assert_string_equal(host_column_text(column, row, buf, sizeof(buf)),
			    expected);
}

static void test_texts(void **state)
{
	struct ring_row row = usual();

	(void)state;
	check(HOST_COLUMN_PID, &row, "1234");
	check(HOST_COLUMN_OWNER, &row, "perf");
	check(HOST_COLUMN_RING, &row, "CPU 3");
	check(HOST_COLUMN_EVENT, &row, "cycles +2");
	check(HOST_COLUMN_SIZE, &row, "512K");
	check(HOST_COLUMN_FILL, &row, "41%");
	check(HOST_COLUMN_FILLPCT, &row, "41%");
	check(HOST_COLUMN_RATE, &row, "1.5M");
	check(HOST_COLUMN_WAKE, &row, "12");
	check(HOST_COLUMN_LOST, &row, "1.23k");
	check(HOST_COLUMN_PENDING, &row, "34");
	check(HOST_COLUMN_LOSTRATE, &row, "0");
	check(HOST_COLUMN_AUX, &row, "2K");
	check(HOST_COLUMN_AUXSIZE, &row, "1M");
	check(HOST_COLUMN_WATERMARK, &row, "256K");
	check(HOST_COLUMN_LOCKED, &row, "516K");
	check(HOST_COLUMN_USER, &row, "alice");
	check(HOST_COLUMN_WARN, &row, "-");
}

/* At least so much; where there is no more, or nothing, it is exact. */
static void test_bounds(void **state)
{
	struct ring_row row = usual();

	(void)state;
	check(HOST_COLUMN_PEAK, &row, ">58%");
	check(HOST_COLUMN_DRAINS, &row, ">9");
	check(HOST_COLUMN_UNDRAINED, &row, ">250ms");
	check(HOST_COLUMN_GAP, &row, ">1.5s");
	row.peak = 0.0009;
	check(HOST_COLUMN_PEAK, &row, ">0%");
	row.peak = 0.001;
	check(HOST_COLUMN_PEAK, &row, ">0.1%");
	row.peak = 0;
	check(HOST_COLUMN_PEAK, &row, "0%");
	row.peak = 1;
	row.drains_per_s = row.undrained = row.worst_gap = 0;
	check(HOST_COLUMN_PEAK, &row, "100%");
	check(HOST_COLUMN_DRAINS, &row, "0");
	check(HOST_COLUMN_UNDRAINED, &row, "0");
	check(HOST_COLUMN_GAP, &row, "0");
	/* ">0" would look like losses. */
	row.gone = true;
	check(HOST_COLUMN_LOST, &row, ">1.23k");
	row.lost = 0;
	check(HOST_COLUMN_LOST, &row, "0");
}

static void test_unknown(void **state)
{
	struct ring_row row = unknown();

	(void)state;
	for (int i = 0; i < HOST_COLUMNS; i++) {
		check((enum host_column)i, &row, "-");
		if (i != HOST_COLUMN_WARN)
			assert_true(isnan(host_column_value(
				(enum host_column)i, &row)));
	}
	row.aux.size = 4096;
	row.aux.head = UNKNOWN;
	check(HOST_COLUMN_AUX, &row, "-");
	check(HOST_COLUMN_AUXSIZE, &row, "4K");
	/* A BPF ring buffer has none. */
	row.watermark = 0;
	check(HOST_COLUMN_WATERMARK, &row, "-");
}

/* The cause before the effect; what loses records before what may. */
static void test_warnings(void **state)
{
	struct ring_row row = usual(), other = usual();

	(void)state;
	row.warnings = 1 << RING_WARN_MLOCK;
	check(HOST_COLUMN_WARN, &row, "mlock");
	row.warnings |= 1 << RING_WARN_PENDING;
	check(HOST_COLUMN_WARN, &row, "pending");
	row.warnings |= 1 << RING_WARN_LOSING;
	check(HOST_COLUMN_WARN, &row, "losing");
	other.warnings = 1 << RING_WARN_LOSING;
	assert_true(host_column_value(HOST_COLUMN_WARN, &row) >
		    host_column_value(HOST_COLUMN_WARN, &other));
	other.warnings = 1 << RING_WARN_UNDRAINED;
	assert_true(host_column_value(HOST_COLUMN_WARN, &row) <
		    host_column_value(HOST_COLUMN_WARN, &other));
	row.warnings |= 1 << RING_WARN_UNDRAINED;
	check(HOST_COLUMN_WARN, &row, "undrained");
	row.warnings = ~(1U << RING_WARN_UNDRAINED) &
		       ((1 << RING_WARNINGS) - 1);
	assert_true(host_column_value(HOST_COLUMN_WARN, &row) <
		    host_column_value(HOST_COLUMN_WARN, &other));
	other.warnings = 0;
	assert_true(host_column_value(HOST_COLUMN_WARN, &row) >
		    host_column_value(HOST_COLUMN_WARN, &other));
	row.gone = true;
	check(HOST_COLUMN_WARN, &row, "gone");
}

static void test_text_is_made_harmless(void **state)
{
	struct ring_row row = usual();
	char small[4];

	(void)state;
	snprintf(row.comm, sizeof(row.comm), "a\33[m");
	check(HOST_COLUMN_OWNER, &row, "a?[m");
	assert_string_equal(host_column_text(HOST_COLUMN_EVENT, &row, small,
					     sizeof(small)), "cyc");
	assert_string_equal(host_column_text(HOST_COLUMN_PEAK, &row, small,
					     1), "");
}

static void test_compare(void **state)
{
	struct ring_row a = usual(), b = usual(), none = unknown();

	(void)state;
	b.id = 7;
	b.fill = 0.5;
	snprintf(b.comm, sizeof(b.comm), "parca");
	assert_true(host_column_compare(HOST_COLUMN_FILL, &a, &b) < 0);
	assert_true(host_column_compare(HOST_COLUMN_FILL, &b, &a) > 0);
	assert_true(host_column_compare(HOST_COLUMN_OWNER, &a, &b) > 0);
	/* Equal: by the order in which they came. */
	assert_true(host_column_compare(HOST_COLUMN_SIZE, &a, &b) < 0);
	assert_true(host_column_compare(HOST_COLUMN_USER, &b, &a) > 0);
	assert_int_equal(host_column_compare(HOST_COLUMN_SIZE, &a, &a), 0);
	for (int i = 0; i < HOST_COLUMNS; i++) {
		if (i == HOST_COLUMN_WARN)
			continue;
		assert_true(host_column_compare((enum host_column)i, &a,
						&none) < 0);
		assert_true(host_column_compare((enum host_column)i, &none,
						&b) > 0);
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
	assert_true(host_column_compare(HOST_COLUMN_RING, &a, &b) > 0);
	b.cpu = -1;
	b.tid = 7;
	assert_true(host_column_compare(HOST_COLUMN_RING, &a, &b) < 0);
}

/* Each cell fits the width that is set for it; the bar is drawn. */
static void test_widths(void **state)
{
	struct ring_row row = usual();
	char buf[64];

	(void)state;
	row.undrained = 59 * 60 + 59;
	row.worst_gap = 23 * 3600 + 59 * 60;
	row.warnings = 1 << RING_WARN_TRUNCATED;
	row.bytes_per_s = row.lost_per_s = row.wakeups_per_s = 1e9 - 1;
	row.drains_per_s = 12345;
	row.peak = 0.00001;
	for (int i = 0; i < HOST_COLUMNS; i++) {
		const struct host_column_info *info =
			host_column_info((enum host_column)i);

		host_column_text((enum host_column)i, &row, buf, sizeof(buf));
		if (info->width && text_width(buf) > info->width)
			fail_msg("%s: %s", info->id, buf);
		assert_true(!info->width ||
			    text_width(info->header) <= info->width);
	}
}

static void test_find(void **state)
{
	(void)state;
	for (int i = 0; i < HOST_COLUMNS; i++)
		assert_int_equal(host_column_find(
			host_column_info((enum host_column)i)->id), i);
	assert_int_equal(host_column_find("FILL%"), HOST_COLUMN_FILLPCT);
	assert_int_equal(host_column_find("nothing"), HOST_COLUMNS);
	assert_int_equal(host_column_find(""), HOST_COLUMNS);
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
