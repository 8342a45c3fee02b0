/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "ui/kit/list.h"
#include "ui/kit/tags.h"

static int setup(void **state)
{
	static struct tags tags;

	*state = &tags;
	return tags_reserve(&tags, 4) ? 0 : -1;
}

static int teardown(void **state)
{
	tags_free(*state);
	return 0;
}

static bool is_multiple(const void *ctx, size_t ring)
{
	const size_t *of = ctx;

	return ring % *of == 0;
}

/* No room was asked for yet: as when a key comes before the first frame. */
static void none(void **state)
{
	struct tags t = { 0 };

	(void)state;
	assert_false(tags_has(&t, 0));
	assert_false(tags_toggle(&t, 0));
	assert_int_equal(tags_targets(&t, 4, 1, NULL, NULL), 0);
	tags_clear(&t);
	assert_int_equal(t.nr, 0);
	tags_free(&t);
}

static void toggle(void **state)
{
	struct tags *t = *state;

	assert_true(tags_toggle(t, 3));
	assert_true(tags_toggle(t, 1));
	assert_int_equal(t->nr, 2);
	assert_false(tags_has(t, 0));
	assert_true(tags_has(t, 1));
	assert_true(tags_has(t, 3));
	assert_true(tags_toggle(t, 3));
	assert_int_equal(t->nr, 1);
	assert_false(tags_has(t, 3));
	assert_true(tags_has(t, 1));
}

static void no_such_ring(void **state)
{
	struct tags *t = *state;

	assert_false(tags_toggle(t, 4));
	assert_false(tags_toggle(t, LIST_NONE));
	assert_false(tags_has(t, 4));
	assert_false(tags_has(t, LIST_NONE));
	assert_int_equal(t->nr, 0);
}

static void clear(void **state)
{
	struct tags *t = *state;

	for (size_t ring = 0; ring < 4; ring++)
		tags_toggle(t, ring);
	tags_clear(t);
	assert_int_equal(t->nr, 0);
	for (size_t ring = 0; ring < 4; ring++)
		assert_false(tags_has(t, ring));
}

/* More rings keep the tags there are; fewer take no room away. */
static void grows(void **state)
{
	struct tags *t = *state;

	tags_toggle(t, 2);
	assert_true(tags_reserve(t, 1000));
	assert_int_equal(t->nr, 1);
	for (size_t ring = 0; ring < 1000; ring++)
		assert_int_equal(tags_has(t, ring), ring == 2);
	assert_true(tags_toggle(t, 999));
	assert_true(tags_reserve(t, 1));
	assert_true(tags_has(t, 999));
}

/* In the order of the rings, not of the tagging. */
static void tagged(void **state)
{
	struct tags *t = *state;

	tags_toggle(t, 3);
	tags_toggle(t, 0);
	assert_int_equal(tags_targets(t, 4, 1, NULL, NULL), 2);
	assert_int_equal(t->targets[0], 0);
	assert_int_equal(t->targets[1], 3);
	/* a frame that has fewer rings */
	assert_int_equal(tags_targets(t, 3, 1, NULL, NULL), 1);
	assert_int_equal(t->targets[0], 0);
}

static void untagged(void **state)
{
	struct tags *t = *state;

	assert_int_equal(tags_targets(t, 4, 2, NULL, NULL), 1);
	assert_int_equal(t->targets[0], 2);
	assert_int_equal(tags_targets(t, 2, 2, NULL, NULL), 0);
	assert_int_equal(tags_targets(t, 9, 4, NULL, NULL), 0);
	assert_int_equal(tags_targets(t, 4, LIST_NONE, NULL, NULL), 0);
}

/* The one under the cursor stands in for what is not wanted, too. */
static void wanted(void **state)
{
	struct tags *t = *state;
	size_t two = 2;

	tags_toggle(t, 1);
	tags_toggle(t, 2);
	tags_toggle(t, 3);
	assert_int_equal(tags_targets(t, 4, 0, is_multiple, &two), 1);
	assert_int_equal(t->targets[0], 2);
	tags_toggle(t, 2);
	assert_int_equal(tags_targets(t, 4, 0, is_multiple, &two), 1);
	assert_int_equal(t->targets[0], 0);
	assert_int_equal(tags_targets(t, 4, LIST_NONE, is_multiple, &two), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
	cmocka_unit_test(none), TEST(toggle), TEST(no_such_ring),
	TEST(clear), TEST(grows), TEST(tagged), TEST(untagged),
	TEST(wanted),
};

TEST_GROUP(tags, tests, NULL, NULL);
