/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>

#include "ring/history.h"

static void test_empty(void **state)
{
	struct history h = { 0 };

	(void)state;
	assert_true(isnan(history_at(&h, 0)));
	assert_true(history_max(&h, 10) == 0);
}

static void test_latest_first(void **state)
{
	struct history h = { 0 };

	(void)state;
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

static void test_oldest_falls_off(void **state)
{
	struct history h = { 0 };

	(void)state;
	for (int i = 0; i < HISTORY_LEN + 5; i++)
		history_push(&h, i);
	assert_true(history_at(&h, 0) == HISTORY_LEN + 4);
	assert_true(history_at(&h, HISTORY_LEN - 1) == 5);
	assert_true(isnan(history_at(&h, HISTORY_LEN)));
}

/* What is not a number hides no maximum. */
static void test_nan_is_skipped(void **state)
{
	struct history h = { 0 };

	(void)state;
	history_push(&h, 3);
	history_push(&h, NAN);
	assert_true(history_max(&h, 2) == 3);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_empty),
	cmocka_unit_test(test_latest_first),
	cmocka_unit_test(test_oldest_falls_off),
	cmocka_unit_test(test_nan_is_skipped),
};

TEST_GROUP(history, tests, NULL, NULL);
