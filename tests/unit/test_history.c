/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>

#include "ring/history.h"

TEST(test_empty)
{
	struct history h = { 0 };

	assert_true(isnan(history_at(&h, 0)));
	assert_true(history_max(&h, 10) == 0);
}

TEST(test_latest_first)
{
	struct history h = { 0 };

	history_push(&h, 1);
	history_push(&h, 5);
	history_push(&h, 2);
	assert_true(history_at(&h, 0) == 2);
	assert_true(history_at(&h, 1) == 5);
	assert_true(history_at(&h, 2) == 1);
	assert_true(isnan(history_at(&h, 3)));
	assert_true(history_max(&h, 1) == 2);
	assert_true(history_max(&h, 2) == 5);
	assert_true(history_max(&h, 1000) == 5);
}

TEST(test_oldest_falls_off)
{
	struct history h = { 0 };

	for (int i = 0; i < HISTORY_LEN + 5; i++)
		history_push(&h, i);
	assert_true(history_at(&h, 0) == HISTORY_LEN + 4);
	assert_true(history_at(&h, HISTORY_LEN - 1) == 5);
	assert_true(history_at(&h, HISTORY_LEN) == 4);
	assert_true(history_at(&h, HISTORY_LEN + 1) == 3);
	assert_true(history_at(&h, HISTORY_LEN + 4) == 3);
	assert_true(isnan(history_at(&h, HISTORY_LEN + 5)));
	for (int i = 0; i < HISTORY_TICKS + 500; i++)
		history_push(&h, 1);
	assert_true(history_at(&h, HISTORY_TICKS - 1) == 1);
	assert_true(isnan(history_at(&h, HISTORY_TICKS + 400)));
	assert_true(history_max(&h, HISTORY_TICKS + 600) == 1);
}

/* One tick with a loss among many without: seen as long as it is held. */
TEST(test_peaks_survive)
{
	struct history h = { 0 };
	double columns[75];
	int seen = 0;

	history_push(&h, 0);
	history_push(&h, 7);
	for (int i = 0; i < 598; i++)
		history_push(&h, 0);
	assert_true(history_max(&h, 600) == 7);
	history_columns(&h, 8, 75, columns);
	assert_true(columns[0] == 7);
	for (int i = 0; i < 75; i++)
		seen += columns[i] > 0;
	assert_int_equal(seen, 1);
}

/* The mean of a ramp, and its largest value, are those of the ticks in a
 * column, however many levels they went through. */
TEST(test_levels)
{
	struct history means = { .merge = HISTORY_MEAN }, max = { 0 };
	const int ticks = 40000, step = 256;
	double mean[150], peak[150];

	for (int i = 0; i < ticks; i++) {
		history_push(&means, i);
		history_push(&max, i);
	}
	history_columns(&means, (unsigned int)step, 150, mean);
	history_columns(&max, (unsigned int)step, 150, peak);
	for (int i = 0; i < 149; i++) {
		/* columns begin at multiples of the step */
		int first = (ticks / step - 149 + i) * step;

		assert_true(fabs(mean[i] - (first + (step - 1) / 2.)) < .5);
		assert_true(peak[i] == first + step - 1);
	}
	assert_true(peak[149] == ticks - 1);
	/* the newest bucket of each level may be partly filled */
	for (int n = 0; n < 300; n++, history_push(&max, ticks - 1 + n)) {
		for (int age = 0; age < 30000; age += 7) {
			double value = history_at(&max, (size_t)age);
			double exact = (double)max.nr - 1 - age;

			assert_true(value >= exact && value < exact + step);
		}
	}
}

TEST(test_means)
{
	struct history h = { .merge = HISTORY_MEAN };
	double columns[3];

	history_push(&h, 2);
	history_push(&h, NAN);
	history_push(&h, 4);
	history_push(&h, 6);
	history_push(&h, 1);
	history_columns(&h, 4, 3, columns);
	assert_true(isnan(columns[0]));
	assert_true(columns[1] == 4);
	assert_true(columns[2] == 1);
	for (int i = 0; i < HISTORY_LEN; i++)
		history_push(&h, 1);
	assert_true(history_at(&h, HISTORY_LEN + 1) == 4);
}

/* A tick stays in its column: only the newest column changes. */
TEST(test_columns_stand)
{
	struct history h = { 0 };
	double columns[3];

	for (int i = 1; i <= 6; i++)
		history_push(&h, i);
	history_columns(&h, 2, 3, columns);
	assert_true(columns[0] == 2 && columns[1] == 4 && columns[2] == 6);
	history_push(&h, 7);
	history_columns(&h, 2, 3, columns);
	assert_true(columns[0] == 4 && columns[1] == 6 && columns[2] == 7);
	history_push(&h, NAN);
	history_columns(&h, 2, 3, columns);
	assert_true(columns[2] == 7);
}

TEST(test_span)
{
	struct history h = { .merge = HISTORY_MEAN };

	assert_true(history_span(&h, 1, 10) == 0);
	history_push(&h, 0);
	history_push(&h, 2);
	history_push(&h, 2);
	assert_true(history_span(&h, 1, 10) == 20);
	for (int i = 0; i < 600; i++)
		history_push(&h, 2);
	assert_true(history_span(&h, 1, 500) == 1000);
}

/* NAN values do not hide the maximum. */
TEST(test_nan_is_skipped)
{
	struct history h = { 0 };

	history_push(&h, 3);
	history_push(&h, NAN);
	assert_true(history_max(&h, 2) == 3);
}

TEST_GROUP(history);
