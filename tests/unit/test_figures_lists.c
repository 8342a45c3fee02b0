/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures as columns of lists: their order, names and widths. */
#include "tests/unit/figures_rig.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ring/ring_row.h"

TEST(test_values_sort)
{
	struct ring_row a = own(), b = own();

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

TEST(test_compare)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row a = foreign(), b = foreign(), none = unknown();

	b.id = 7;
	b.fill = 0.5;
	snprintf(b.comm, sizeof(b.comm), "parca");
	assert_true(figure_compare(FIGURE_FILL, &a, &b) < 0);
	assert_true(figure_compare(FIGURE_FILL, &b, &a) > 0);
	assert_true(figure_compare(FIGURE_OWNER, &a, &b) > 0);
	/* Equal: whoever sorts puts those in the order in which they came. */
	assert_int_equal(figure_compare(FIGURE_SIZE, &a, &b), 0);
	assert_int_equal(figure_compare(FIGURE_USER, &b, &a), 0);
	for (size_t i = 0; i < nr; i++) {
		if (all[i] == FIGURE_WARN)
			continue;
		assert_true(figure_compare(all[i], &a, &none) < 0);
		assert_true(figure_compare(all[i], &none, &b) > 0);
	}
}

/* CPU 10 after CPU 9; threads after CPUs. */
TEST(test_order_of_rings)
{
	struct ring_row a = foreign(), b = foreign();

	a.cpu = 10;
	snprintf(a.label, sizeof(a.label), "CPU 10");
	b.cpu = 9;
	assert_true(figure_compare(FIGURE_RING, &a, &b) > 0);
	b.cpu = -1;
	b.tid = 7;
	assert_true(figure_compare(FIGURE_RING, &a, &b) < 0);
}

TEST(test_find)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);

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
 * Columns of a list with the figures shown by default up to @last's rank, the
 * mark of a loss and the gutter, and a bar of 10.
 */
static int default_width(enum figure last, bool aux)
{
	int width = 3 - 1, max = figure_info(last)->in[IN_RINGS].rank;
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);

	for (size_t i = 0; i < nr; i++) {
		const struct figure_info *info = figure_info(all[i]);

		if (info->in[IN_RINGS].hidden || (info->aux && !aux) ||
		    info->in[IN_RINGS].rank > max)
			continue;
		width += figure_width(all[i], IN_RINGS) + info->loss + 1;
		width += info->width ? 0 : 10;
	}
	return width;
}

/* The size is there at 80 columns, all but what belongs to AUX at 120, with any
 * label of a ring; at 200 all. */
TEST(test_default_set_fits)
{
	assert_true(default_width(FIGURE_SIZE, false) <= 80);
	assert_true(default_width(FIGURE_LOSTRATE, true) <= 80);
	assert_true(default_width(FIGURE_PENDING, false) <= 120);
	assert_true(default_width(FIGURE_PENDING, true) <= 120);
	assert_true(default_width(FIGURE_HIST, true) <= 200);
}

/* Extreme figures stay within their columns. */
TEST(test_widths_of_own)
{
	struct ring_row ring = own();
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);
	char buf[64];

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
TEST(test_widths_of_others)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_HOST, all);
	struct ring_row row = foreign();
	char buf[64];

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
TEST(test_text_tables_fit)
{
	enum figure all[FIGURES];

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
TEST(test_headers_fit)
{
	enum figure all[FIGURES];

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
TEST(test_names)
{
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

TEST_GROUP(figures_lists);
