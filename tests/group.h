/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A group of tests: a file of tests registers one with the runner of its
 * folder, tests/run.c.  The file ends with
 *
 *	static const struct CMUnitTest tests[] = { cmocka_unit_test(...), };
 *	TEST_GROUP(name, tests, setup, teardown);
 *
 * and is named test_name.c.
 */
#ifndef RBTOP_TESTS_GROUP_H
#define RBTOP_TESTS_GROUP_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

struct test_group {
	const char *name;
	const struct CMUnitTest *tests;
	size_t nr;
	CMFixtureFunction setup, teardown;	/* of the group; may be NULL */
	struct test_group *next;	/* the runner's list, by name */
};

/* Called before main(); the runner keeps @group. */
void test_group_add(struct test_group *group);

#define TEST_GROUP(name_, tests_, setup_, teardown_)                     \
	static struct test_group test_group_of_file = {                  \
		.name = #name_,                                          \
		.tests = tests_,                                         \
		.nr = sizeof(tests_) / sizeof(*(tests_)),                \
		.setup = setup_,                                         \
		.teardown = teardown_,                                   \
	};                                                               \
	static void __attribute__((constructor)) test_group_register(void) \
	{                                                                \
		test_group_add(&test_group_of_file);                     \
	}                                                                \
	struct test_group

#endif
