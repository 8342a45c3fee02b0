/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ring/figures.h"
#include "ring/ring_warning.h"

/* Of the row that own() made last. */
static struct ring_reads reads;

static struct ring_row own(void)
{
	reads = (struct ring_reads){
		.records_per_s = 12345,
		.latency_p50 = 12e-6,
		.latency_p99 = NAN,
	};
	return (struct ring_row){
		.id = 3,
		.label = "CPU 3",
		.cpu = 3,
		.tid = -1,
		.pid = -1,
		.known = true,
		.size = 512 << 10,
		.used = 210 << 10,
		.fill = 0.41,
		.peak = 0.999,
		.bytes_per_s = 1.5 * (1 << 20),
		.lost = 1234,
		.lost_reported = 1000,
		.lost_pending = 234,
		.reads = &reads,
	};
}

/* Another program's. */
static struct ring_row foreign(void)
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

/* Of which /proc alone tells, and that not all. */
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

/* They are left out where there is no AUX ring. */
static bool is_aux(int figure)
{
	return figure_info((enum figure)figure)->aux;
}

static void check(enum figure figure, const struct ring_row *row,
		  const char *expected)
{
	char buf[64];

	assert_string_equal(figure_text(figure, row, buf, sizeof(buf)),
			    expected);
}

static void check_exact(enum figure figure, const struct ring_row *row,
			const char *expected)
{
	char buf[64];

	assert_string_equal(figure_exact(figure, row, buf, sizeof(buf)),
			    expected);
}

static void test_texts_of_own(void **state)
{
	struct ring_row ring = own();

	(void)state;
	check(FIGURE_RING, &ring, "CPU 3");
	check(FIGURE_CPU, &ring, "3");
	check(FIGURE_TID, &ring, "-");
	check(FIGURE_COMM, &ring, "-");
	check(FIGURE_SIZE, &ring, "512K");
	check(FIGURE_USED, &ring, "210K");
	check(FIGURE_FILLPCT, &ring, "41%");
	check(FIGURE_PEAK, &ring, "99%");
	check(FIGURE_RATE, &ring, "1.5M");
	check(FIGURE_RECORDS, &ring, "12.3k");
	check(FIGURE_P50, &ring, "12us");
	check(FIGURE_P99, &ring, "-");
	check(FIGURE_LOST, &ring, "1.23k");
	check(FIGURE_PENDING, &ring, "234");
	strcpy(ring.comm, "dd");
	check(FIGURE_COMM, &ring, "dd");
}

static void test_texts_of_others(void **state)
{
	struct ring_row row = foreign();

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

/* To the last digit, beyond what a double holds. */
static void test_exact(void **state)
{
	struct ring_row row = foreign();

	(void)state;
	row.bytes = UINT64_MAX - 1;
	row.remapped = 0;
	assert_true(figure_count(FIGURE_BYTES, &row) == UINT64_MAX - 1);
	check_exact(FIGURE_BYTES, &row, "18446744073709551614");
	row.gone = true;
	check_exact(FIGURE_BYTES, &row, ">18446744073709551614");
	check_exact(FIGURE_REMAPPED, &row, "0");
	check_exact(FIGURE_RATE, &row, "1.5M");
	row.bytes = UNKNOWN;
	check_exact(FIGURE_BYTES, &row, "-");
	row.aux.overwrite = true;
	row.aux.wraps = 12345;
	check_exact(FIGURE_AUXWRAPS, &row, "12345+");
}

static void test_unknown_pending(void **state)
{
	struct ring_row ring = own();

	(void)state;
	ring.lost_pending = UNKNOWN;
	ring.lost = 1000;
	check(FIGURE_PENDING, &ring, "-");
	check(FIGURE_LOST, &ring, "1.00k");
	assert_true(isnan(figure_number(FIGURE_PENDING, &ring)));
	assert_true(figure_number(FIGURE_LOST, &ring) == 1000);
}

/* At least so much; where there is no more, or nothing, it is exact. */
static void test_bounds(void **state)
{
	struct ring_row row = foreign();

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

static void test_aux(void **state)
{
	struct ring_row ring = own();

	(void)state;
	for (int i = 0; i < FIGURES; i++)
		if (is_aux(i))
			check((enum figure)i, &ring, "-");
	ring.aux = (struct ring_aux){
		.size = 4 << 20, .position = 3 << 20, .head = 7 << 20,
		.fill = 0.25, .bytes_per_s = 2 << 20, .wraps = 1,
	};
	reads.aux.peak = 0.5;
	reads.aux.head_age = NAN;
	reads.stats.aux = (struct aux_stats){
		.truncated = 2, .partial = 3, .collision = 4,
	};
	check(FIGURE_AUX, &ring, "4M");
	check(FIGURE_AUXHEAD, &ring, "3M");
	check(FIGURE_AUXAGE, &ring, "-");
	check(FIGURE_AUXFILL, &ring, "25%");
	check(FIGURE_AUXPEAK, &ring, "50%");
	check(FIGURE_AUXRATE, &ring, "2M");
	check(FIGURE_AUXWRAPS, &ring, "1");
	check(FIGURE_TRUNCATED, &ring, "2");
	check(FIGURE_PARTIAL, &ring, "3");
	check(FIGURE_COLLISION, &ring, "4");
	/* snapshot mode, never stopped, then stopped 2 s ago */
	ring.aux.overwrite = true;
	ring.aux.fill = reads.aux.peak = ring.aux.bytes_per_s = NAN;
	check(FIGURE_AUXHEAD, &ring, "-");
	check(FIGURE_AUXAGE, &ring, "-");
	check(FIGURE_AUXFILL, &ring, "-");
	check(FIGURE_AUXWRAPS, &ring, "1+");
	reads.aux.head_age = 2;
	check(FIGURE_AUXHEAD, &ring, "3M");
	check(FIGURE_AUXAGE, &ring, "2s");
}

/* What one is: unknown before the first, and of rings that others read. */
static void test_mean_record(void **state)
{
	struct ring_row row = own();

	(void)state;
	check(FIGURE_MEAN, &row, "-");
	reads.stats.bytes = 3 << 20;
	reads.stats.records = 2048;
	check(FIGURE_MEAN, &row, "1.5K");
	assert_true(figure_number(FIGURE_MEAN, &row) == 1536);
	row = foreign();
	check(FIGURE_MEAN, &row, "-");
}

static void check_share(double share, const char *expected)
{
	struct ring_row ring = own();

	ring.fill = share;
	check(FIGURE_FILLPCT, &ring, expected);
}

/* 100% is full and 0% is empty, never nearly so. */
static void test_shares(void **state)
{
	(void)state;
	check_share(0, "0%");
	check_share(0.0004, "<.1%");
	check_share(0.041, "4.1%");
	check_share(0.0999, "9.9%");
	check_share(0.1, "10%");
	check_share(0.29, "29%");
	check_share(0.9999, "99%");
	check_share(1, "100%");
}

/* The cause before the effect; what loses records before what may. */
static void test_warnings(void **state)
{
	struct ring_row row = foreign(), other = foreign();

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
	struct ring_row row = foreign();
	char small[4];

	(void)state;
	snprintf(row.comm, sizeof(row.comm), "a\33[m");
	check(FIGURE_OWNER, &row, "a?[m");
	assert_string_equal(figure_text(FIGURE_EVENT, &row, small,
					     sizeof(small)), "cyc");
	assert_string_equal(figure_text(FIGURE_PEAK, &row, small,
					     1), "");
}

static void test_values_sort(void **state)
{
	struct ring_row a = own(), b = own();

	(void)state;
	strcpy(a.comm, "bash");
	strcpy(b.comm, "bashful");
	assert_true(figure_number(FIGURE_COMM, &a) <
		    figure_number(FIGURE_COMM, &b));
	strcpy(b.comm, "a\xc3\xa9");
	assert_true(figure_number(FIGURE_COMM, &a) >
		    figure_number(FIGURE_COMM, &b));
	assert_true(figure_number(FIGURE_RING, &a) == 3);
	assert_true(figure_number(FIGURE_FILL, &a) == 0.41);
	assert_true(isnan(figure_number(FIGURE_TID, &a)));
}

static void test_compare(void **state)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row a = foreign(), b = foreign(), none = unknown();

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
	struct ring_row a = foreign(), b = foreign();

	(void)state;
	a.cpu = 10;
	snprintf(a.label, sizeof(a.label), "CPU 10");
	b.cpu = 9;
	assert_true(figure_compare(FIGURE_RING, &a, &b) > 0);
	b.cpu = -1;
	b.tid = 7;
	assert_true(figure_compare(FIGURE_RING, &a, &b) < 0);
}

static void test_find(void **state)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);

	(void)state;
	assert_true(nr > 30);
	for (size_t i = 0; i < nr; i++) {
		const struct figure_info *info = figure_info(all[i]);

		assert_int_equal(figure_find(info->id, IN_RINGS), all[i]);
		assert_true(info->help[0] != '\0');
		if (info->width)
			assert_true((int)strlen(info->header) <= info->width);
	}
	assert_int_equal(figure_find("FiLL", IN_RINGS), FIGURE_FILL);
	assert_int_equal(figure_find("", IN_RINGS), FIGURES);
	assert_int_equal(figure_find("fillx", IN_RINGS), FIGURES);
	assert_int_equal(figure_find("owner", IN_RINGS), FIGURES);
	nr = figure_columns(IN_HOST, all);
	assert_true(nr > 20);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(figure_find(figure_info(all[i])->id, IN_HOST),
				 all[i]);
	assert_int_equal(figure_find("FILL%", IN_HOST), FIGURE_FILLPCT);
	assert_int_equal(figure_find("nothing", IN_HOST), FIGURES);
}

/*
 * Of the default set the sparkline and all that goes after it leave a bar of 12
 * in 80 columns; with AUX rings it does without the sparkline.
 */
static void test_default_set_fits(void **state)
{
	int width = -1, aux = 0, bars = 0;
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);

	(void)state;
	for (size_t i = 0; i < nr; i++) {
		const struct figure_info *info = figure_info(all[i]);

		if (info->in[IN_RINGS].hidden ||
		    info->in[IN_RINGS].rank > figure_info(FIGURE_HIST)
						      ->in[IN_RINGS].rank)
			continue;
		if (info->aux)
			aux += info->width + 1;
		else
			width += info->width + 1;
		bars += info->width == 0;
	}
	assert_int_equal(bars, 1);
	assert_true(width + 12 <= 80);
	width -= figure_width(FIGURE_HIST, IN_RINGS) + 1;
	assert_true(aux > 0 && width + aux + 12 <= 80);
}

/* Extreme figures stay within their columns. */
static void test_widths_of_own(void **state)
{
	struct ring_row ring = own();
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);
	char buf[64];

	(void)state;
	ring.cpu = 8191;
	ring.tid = 4194304;
	snprintf(ring.label, sizeof(ring.label), "tid 4194304");
	ring.peak = ring.fill = ring.peak_tick = 1;
	ring.size = ring.used = ring.watermark = 1ULL << 40;
	ring.bytes_per_s = reads.records_per_s = 99999999999.;
	ring.lost_per_s = ring.wakeups_per_s = 999999;
	ring.lost = ring.wakeups = ring.drains = 123456789012345;
	ring.crossings = reads.stats.own = 99999999999;
	for (int i = 0; i < RECORD_TYPES; i++)
		reads.stats.types[i] = 99999999999;
	reads.latency_p50 = reads.latency_p99 = 12345;
	memcpy(ring.comm, "fifteen letters", 16);
	ring.aux = (struct ring_aux){
		.size = 1ULL << 40, .overwrite = true, .position = 1ULL << 40,
		.fill = 1, .bytes_per_s = 99999999999., .wraps = 99999999999,
	};
	reads.aux.peak = 1;
	reads.aux.head_age = 12345;
	reads.stats.aux = (struct aux_stats){
		.truncated = 99999999999, .partial = 99999999999,
		.collision = 99999999999,
	};
	for (size_t i = 0; i < nr; i++) {
		int width = figure_width(all[i], IN_RINGS);

		figure_text(all[i], &ring, buf, sizeof(buf));
		if (width)
			assert_true((int)strlen(buf) <= width);
	}
}

/* Each cell fits the width that is set for it; the bar is drawn. */
static void test_widths_of_others(void **state)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row row = foreign();
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

/* Behind a mark and a blank where it is of other programs' rings. */
static void test_text_tables_fit(void **state)
{
	enum figure all[FIGURES];

	(void)state;
	for (int list = IN_TEXT; list <= IN_TEXT_HOST; list++) {
		size_t nr = figure_columns((enum figure_list)list, all);
		int width = list == IN_TEXT_HOST ? 2 : 0;

		assert_true(nr > 9);
		for (size_t i = 0; i < nr; i++) {
			assert_true(figure_width(all[i],
						 (enum figure_list)list) > 0);
			width += (i > 0) + figure_width(
				all[i], (enum figure_list)list);
		}
		assert_true(width <= 80);
	}
}

/* Bars alone have none. */
static void test_headers_fit(void **state)
{
	enum figure all[FIGURES];

	(void)state;
	for (int list = 0; list < FIGURE_LISTS; list++) {
		size_t nr = figure_columns((enum figure_list)list, all);
		bool line = list == IN_TOTALS || list == IN_HOST_TOTALS;

		for (size_t i = 0; i < nr && !line; i++) {
			int width = figure_width(all[i],
						 (enum figure_list)list);
			const char *header = figure_header(
				all[i], (enum figure_list)list);

			assert_true(!width || text_width(header) <= width);
			assert_true(width || all[i] == FIGURE_FILL);
		}
	}
}

static bool same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* What is shown has a name, and no two have the same. */
static void test_names(void **state)
{
	(void)state;
	for (int i = 0; i < FIGURES; i++) {
		const struct figure_info *info = figure_info((enum figure)i);

		assert_non_null(info->help);
		if (info->own || info->host)
			assert_non_null(info->label);
		for (int j = 0; j < i; j++) {
			const struct figure_info *other =
				figure_info((enum figure)j);

			assert_false(same(info->id, other->id));
			if (info->aux != other->aux)
				continue;
			assert_false(same(info->key, other->key));
			assert_false(same(info->metric, other->metric));
		}
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_texts_of_own),
	cmocka_unit_test(test_texts_of_others),
	cmocka_unit_test(test_exact),
	cmocka_unit_test(test_unknown_pending),
	cmocka_unit_test(test_bounds),
	cmocka_unit_test(test_unknown),
	cmocka_unit_test(test_aux),
	cmocka_unit_test(test_mean_record),
	cmocka_unit_test(test_shares),
	cmocka_unit_test(test_warnings),
	cmocka_unit_test(test_text_is_made_harmless),
	cmocka_unit_test(test_values_sort),
	cmocka_unit_test(test_compare),
	cmocka_unit_test(test_order_of_rings),
	cmocka_unit_test(test_find),
	cmocka_unit_test(test_default_set_fits),
	cmocka_unit_test(test_widths_of_own),
	cmocka_unit_test(test_widths_of_others),
	cmocka_unit_test(test_text_tables_fit),
	cmocka_unit_test(test_headers_fit),
	cmocka_unit_test(test_names),
};

TEST_GROUP(figures, tests, NULL, NULL);
