/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/figures_rig.h"

#include <stdio.h>
#include <string.h>

#include "ring/ring_row.h"

/* Figures that are left out if there is no AUX ring. */
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

TEST(test_texts_of_own)
{
	struct ring_row ring = own();

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

TEST(test_texts_of_others)
{
	struct ring_row row = foreign();

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

/* All digits, also beyond the precision of a double. */
TEST(test_exact)
{
	struct ring_row row = foreign();

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

/* A loss alarms while it grows; what was lost before a reset is not shown. */
TEST(test_lost_now)
{
	struct ring_row ring = own();

	ring.lost_per_s = 5;
	assert_int_equal(figure_alarm(FIGURE_LOST, &ring), FIGURE_LOSING);
	assert_int_equal(figure_alarm(FIGURE_LOSTRATE, &ring), FIGURE_LOSING);
	assert_int_equal(figure_alarm(FIGURE_PENDING, &ring), FIGURE_WARNS);
	ring.lost_per_s = 0;
	assert_int_equal(figure_alarm(FIGURE_LOST, &ring), FIGURE_PAST);
	assert_int_equal(figure_alarm(FIGURE_LOSTRATE, &ring), FIGURE_CALM);
	ring.lost = ring.lost_before = 1234;
	check(FIGURE_LOST, &ring, "0");
	check(FIGURE_LOST_EVER, &ring, "1.23k");
	assert_int_equal(figure_alarm(FIGURE_LOST, &ring), FIGURE_CALM);
	ring.lost = 1240;
	check(FIGURE_LOST, &ring, "6");
	ring.lost = UNKNOWN;
	check(FIGURE_LOST, &ring, "-");
}

/* Half and 80 % of the room above the watermark; without one, of the ring. */
TEST(test_levels)
{
	struct ring_row ring = own();

	assert_int_equal(ring_row_level(.749, .5), RING_LEVEL_LOW);
	assert_int_equal(ring_row_level(.75, .5), RING_LEVEL_RAISED);
	assert_int_equal(ring_row_level(.89, .5), RING_LEVEL_RAISED);
	assert_int_equal(ring_row_level(.901, .5), RING_LEVEL_HIGH);
	assert_int_equal(ring_row_level(.49, NAN), RING_LEVEL_LOW);
	assert_int_equal(ring_row_level(.5, NAN), RING_LEVEL_RAISED);
	assert_int_equal(ring_row_level(.8, NAN), RING_LEVEL_HIGH);
	assert_int_equal(ring_row_level(NAN, .5), RING_LEVEL_LOW);
	assert_int_equal(ring_row_level(.9, 1), RING_LEVEL_RAISED);
	assert_int_equal(ring_row_level(1, 1), RING_LEVEL_HIGH);
	ring.size = 4096;
	ring.watermark = 1024;
	assert_true(ring_row_mark(&ring) == .25);
	ring.watermark = 1;
	assert_true(isnan(ring_row_mark(&ring)));
	ring.watermark = 8192;
	assert_true(isnan(ring_row_mark(&ring)));
}

TEST(test_unknown_pending)
{
	struct ring_row ring = own();

	ring.lost_pending = UNKNOWN;
	ring.lost = 1000;
	check(FIGURE_PENDING, &ring, "-");
	check(FIGURE_LOST, &ring, "1.00k");
	assert_true(isnan(figure_number(FIGURE_PENDING, &ring)));
	assert_true(figure_number(FIGURE_LOST, &ring) == 1000);
}

/* Lower bounds are marked; if it cannot be more, or is 0, it is exact. */
TEST(test_bounds)
{
	struct ring_row row = foreign();

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
	row.bytes = 77;
	check(FIGURE_LOST, &row, ">1.23k");
	assert_true(figure_number(FIGURE_AT_LEAST, &row) > 0);
	row.lost_final = true;
	check(FIGURE_LOST, &row, "1.23k");
	check(FIGURE_LOST_EVER, &row, "1.23k");
	check(FIGURE_BYTES, &row, ">77B");
	assert_false(figure_number(FIGURE_AT_LEAST, &row) > 0);
	row.lost_final = false;
	row.lost = 0;
	check(FIGURE_LOST, &row, "0");
}

TEST(test_unknown)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row row = unknown();

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

TEST(test_aux)
{
	struct ring_row ring = own();

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

/* Unknown before the first record, and for rings of other programs. */
TEST(test_mean_record)
{
	struct ring_row row = own();

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

/* Only full is 100%, and only empty is 0%. */
TEST(test_shares)
{
	check_share(0, "0%");
	check_share(0.0004, "<.1%");
	check_share(0.041, "4.1%");
	check_share(0.0999, "9.9%");
	check_share(0.1, "10%");
	check_share(0.29, "29%");
	check_share(0.9999, "99%");
	check_share(1, "100%");
}

/* A cause before its effect; what loses records before what may. */
TEST(test_warnings)
{
	struct ring_row row = foreign(), other = foreign();

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
	row.warnings |= 1 << RING_WARN_STOPPED;
	check(FIGURE_WARN, &row, "stopped");
	other.warnings = 1 << RING_WARN_STOPPED;
	row.warnings = ~(1U << RING_WARN_STOPPED) &
		       ((1 << RING_WARNINGS) - 1);
	assert_true(figure_number(FIGURE_WARN, &row) <
		    figure_number(FIGURE_WARN, &other));
	other.warnings = 0;
	assert_true(figure_number(FIGURE_WARN, &row) >
		    figure_number(FIGURE_WARN, &other));
	row.gone = true;
	check(FIGURE_WARN, &row, "gone");
}

TEST(test_text_is_made_harmless)
{
	struct ring_row row = foreign();
	char small[4];

	snprintf(row.comm, sizeof(row.comm), "a\33[m");
	check(FIGURE_OWNER, &row, "a?[m");
	assert_string_equal(figure_text(FIGURE_EVENT, &row, small,
					     sizeof(small)), "cyc");
	assert_string_equal(figure_text(FIGURE_PEAK, &row, small,
					     1), "");
}

TEST_GROUP(figures);
