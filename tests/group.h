/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A group of tests: a file of tests, named test_GROUP.c, registers itself and
 * each of its tests with the runner of its folder, tests/run.c:
 *
 *	TEST(name)
 *	{
 *		struct rig *rig = *state;
 *		...
 *	}
 *
 *	TEST_GROUP(group, .each_setup = setup, .each_teardown = teardown);
 *
 * The group, at the end of the file, names what is called before and after all
 * of its tests (.setup, .teardown) and each of them; either may be missing.
 */
#ifndef RBTOP_TESTS_GROUP_H
#define RBTOP_TESTS_GROUP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

struct test {
	const char *name;
	CMUnitTestFunction run;
	bool own;		/* with these instead of those of the group */
	CMFixtureFunction setup, teardown;
	unsigned int line;
	struct test *next;	/* of the group, by line */
};

struct test_group {
	const char *name;
	CMFixtureFunction setup, teardown, each_setup, each_teardown;
	struct test *tests;
	struct test_group *next;	/* the runner's list, by name */
};

/* Called before main(); the runner keeps what it is given. */
void group_add_test(struct test_group *group, struct test *test);
void group_add(struct test_group *group);

static struct test_group test_group_of_file __attribute__((unused));

/* Register function @run_ of this file as a test; @id_ is unique in the file. */
#define TEST_ENTRY(id_, name_, run_, own_, setup_, teardown_)             \
	static void __attribute__((constructor)) id_##_register(void)     \
	{                                                                 \
		static struct test test = {                               \
			.name = name_, .run = run_, .own = own_,          \
			.setup = setup_, .teardown = teardown_,           \
			.line = __LINE__,                                 \
		};                                                        \
		group_add_test(&test_group_of_file, &test);                     \
	}

#define TEST_FUNCTION(name_)                                              \
	static void name_(void **state __attribute__((unused)))

#define TEST(name_)                                                       \
	TEST_FUNCTION(name_);                                             \
	TEST_ENTRY(name_, #name_, name_, false, NULL, NULL)               \
	TEST_FUNCTION(name_)

/* With a setup and a teardown, or NULL, in place of those of the group. */
#define TEST_WITH(name_, setup_, teardown_)                               \
	TEST_FUNCTION(name_);                                             \
	TEST_ENTRY(name_, #name_, name_, true, setup_, teardown_)         \
	TEST_FUNCTION(name_)

#define TEST_GROUP(name_, ...)                                            \
	static struct test_group test_group_of_file = {                   \
		.name = #name_, __VA_ARGS__                               \
	};                                                                \
	static void __attribute__((constructor)) group_of_file_register(void) \
	{                                                                 \
		group_add(&test_group_of_file);                      \
	}                                                                 \
	struct test_group

#endif
