/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

struct thing {
	uint64_t a;
	uint32_t b;
};

TEST(test_add)
{
	struct thing *things = NULL;
	size_t nr = 0, room = 0, moves = 0;

	for (uint32_t i = 0; i < 10000; i++) {
		size_t before = room;
		struct thing *thing = array_add(things, nr, room);

		assert_non_null(thing);
		assert_ptr_equal(thing, &things[i]);
		assert_int_equal(nr, i + 1);
		assert_true(room >= nr);
		/* zeroed, though realloc(3) returns used memory */
		assert_int_equal(thing->a, 0);
		assert_int_equal(thing->b, 0);
		*thing = (struct thing){ ~(uint64_t)i, i };
		moves += room != before;
	}
	for (uint32_t i = 0; i < nr; i++) {
		assert_int_equal(things[i].a, ~(uint64_t)i);
		assert_int_equal(things[i].b, i);
	}
	/* adding takes constant time on average */
	assert_in_range(moves, 2, 30);
	assert_in_range(room, nr, 2 * nr);
	free(things);
}

TEST(test_fit)
{
	size_t room = 0, before;
	char *text = NULL;

	assert_int_equal(array_fit(text, room, 0), 0);
	assert_null(text);
	assert_int_equal(array_fit(text, room, 1000), 0);
	assert_int_equal(room, 1000);	/* reserved as requested */
	before = room;
	assert_int_equal(array_fit(text, room, 10), 0);
	assert_int_equal(room, before);
	assert_int_equal(array_fit(text, room, 1001), 0);
	assert_in_range(room, 1400, 2000);
	free(text);
}

/* New items are zero up to the capacity; items in use keep their values. */
TEST(test_fit_zero)
{
	size_t room = 0;
	int *numbers = NULL;

	for (size_t nr = 1; nr < 500; nr += 7) {
		assert_int_equal(array_fit_zero(numbers, room, nr), 0);
		for (size_t i = 0; i < room; i++)
			assert_int_equal(numbers[i], i + 7 < nr ? 1 : 0);
		for (size_t i = 0; i < nr; i++)
			numbers[i] = 1;
	}
	free(numbers);
}

TEST(test_insert_remove)
{
	static const int expected[] = { 1, 2, 3, 4, 5 };
	int *numbers = NULL;
	size_t nr = 0, room = 0;

	*(int *)array_insert(numbers, nr, room, 0) = 3;
	*(int *)array_insert(numbers, nr, room, 0) = 1;
	*(int *)array_insert(numbers, nr, room, 2) = 5;
	*(int *)array_insert(numbers, nr, room, 1) = 2;
	*(int *)array_insert(numbers, nr, room, 3) = 4;
	assert_int_equal(nr, 5);
	assert_memory_equal(numbers, expected, sizeof(expected));
	array_remove(numbers, nr, 1, 0);
	assert_int_equal(nr, 5);
	array_remove(numbers, nr, 1, 2);
	assert_int_equal(nr, 3);
	assert_int_equal(numbers[0], 1);
	assert_int_equal(numbers[1], 4);
	assert_int_equal(numbers[2], 5);
	array_remove(numbers, nr, 2, 1);
	array_remove(numbers, nr, 0, 2);
	assert_int_equal(nr, 0);
	free(numbers);
}

/* A count from a file is limited. */
TEST(test_most)
{
	struct thing *things = NULL, *first;
	size_t nr = 0, room = 0;

	for (int i = 0; i < 100; i++)
		assert_non_null(array_add_max(things, nr, room, 100));
	assert_int_equal(room, 100);
	first = things;
	things[99].b = 7;
	assert_null(array_add_max(things, nr, room, 100));
	assert_null(array_insert_max(things, nr, room, 0, 100));
	assert_int_equal(array_fit_max(things, room, 101, 100), -EFBIG);
	assert_int_equal(nr, 100);
	assert_int_equal(room, 100);
	assert_ptr_equal(things, first);
	assert_int_equal(things[99].b, 7);
	free(things);
}

/* More items than there can be, or more bytes. */
TEST(test_overflow)
{
	struct thing *things = NULL, *first;
	size_t nr = 0, room = 0, full = SIZE_MAX;

	assert_non_null(array_add(things, nr, room));
	things[0].b = 7;
	first = things;
	assert_int_equal(array_fit(things, room, SIZE_MAX), -ENOMEM);
	assert_int_equal(array_fit(things, room,
				   SIZE_MAX / sizeof(*things) + 2), -ENOMEM);
	assert_int_equal(array_fit(things, room,
				   PTRDIFF_MAX / sizeof(*things) + 1),
			 -ENOMEM);
	assert_int_equal(array_fit_zero(things, room, SIZE_MAX), -ENOMEM);
	assert_null(array_insert(things, full, room, 0));
	assert_ptr_equal(things, first);
	assert_int_equal(things[0].b, 7);
	free(things);
}

/* The capacity of an array made elsewhere is not known. */
TEST(test_no_room_known)
{
	int *numbers = calloc(5, sizeof(*numbers));
	size_t nr = 5, room = 0;

	assert_non_null(numbers);
	for (int i = 0; i < 5; i++)
		numbers[i] = i;
	*(int *)array_add(numbers, nr, room) = 5;
	for (int i = 0; i < 6; i++)
		assert_int_equal(numbers[i], i);
	assert_true(room >= 6);
	free(numbers);
}

TEST(test_trim)
{
	size_t nr = 0, room = 0;
	int *numbers = NULL;

	array_trim(numbers, room, nr);
	assert_null(numbers);
	for (int i = 0; i < 33; i++)
		*(int *)array_add(numbers, nr, room) = i;
	assert_true(room > nr);
	array_trim(numbers, room, nr);
	assert_int_equal(room, 33);
	for (int i = 0; i < 33; i++)
		assert_int_equal(numbers[i], i);
	*(int *)array_add(numbers, nr, room) = 33;
	assert_int_equal(numbers[33], 33);
	free(numbers);
}

TEST(test_unique)
{
	int numbers[] = { 7, -1, 7, 3, 3, 7 };

	assert_int_equal(array_unique(numbers, 6), 3);
	assert_int_equal(numbers[0], -1);
	assert_int_equal(numbers[1], 3);
	assert_int_equal(numbers[2], 7);
	assert_int_equal(array_unique(NULL, 0), 0);
}

TEST_GROUP(array);
