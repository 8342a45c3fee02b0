/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ring/figures.h"

/* Of the row that usual() made last. */
static struct ring_reads reads;

static struct ring_row usual(void)
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

/* They are left out where there is no AUX ring. */
static bool is_aux(int column)
{
	return figure_info((enum figure)column)->aux;
}

static void check(enum figure column, const struct ring_row *ring,
		  const char *expected)
{
	char buf[64];

	assert_string_equal(figure_text(column, ring, buf, sizeof(buf)),
			    expected);
}

static void test_texts(void **state)
{
	struct ring_row ring = usual();

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

static void test_unknown_pending(void **state)
{
	struct ring_row ring = usual();

	(void)state;
	ring.lost_pending = UNKNOWN;
	ring.lost = 1000;
	check(FIGURE_PENDING, &ring, "-");
	check(FIGURE_LOST, &ring, "1.00k");
	assert_true(isnan(figure_number(FIGURE_PENDING, &ring)));
	assert_true(figure_number(FIGURE_LOST, &ring) == 1000);
}

static void test_aux(void **state)
{
	struct ring_row ring = usual();

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

static void check_share(double share, const char *expected)
{
	struct ring_row ring = usual();

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

static void test_values_sort(void **state)
{
	struct ring_row a = usual(), b = usual();

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
static void test_widths_hold(void **state)
{
	struct ring_row ring = usual();
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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_texts),
	cmocka_unit_test(test_unknown_pending),
	cmocka_unit_test(test_aux),
	cmocka_unit_test(test_shares),
	cmocka_unit_test(test_values_sort),
	cmocka_unit_test(test_find),
	cmocka_unit_test(test_default_set_fits),
	cmocka_unit_test(test_widths_hold),
};

TEST_GROUP(columns, tests, NULL, NULL);
