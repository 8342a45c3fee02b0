/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run [-l] [GROUP[/TEST]]...: run the tests that are linked into this program,
 * all or those named; GROUP and TEST may have wildcards (* and ?).  -l lists
 * them instead.
 *
 * Tests change state of the whole process: signals, limits, the locale, its
 * user, sys_fail_at().  So each group runs in a process of its own.  If only
 * one group is named, it runs in this process, for a debugger.
 */
#include "tests/group.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1000 };	/* tests in a group */

static struct test_group *groups;

void group_add_test(struct test_group *group, struct test *test)
{
	struct test **at = &group->tests;

	while (*at && (*at)->line <= test->line)
		at = &(*at)->next;
	test->next = *at;
	*at = test;
}

void group_add(struct test_group *group)
{
	struct test_group **at = &groups;

	while (*at && strcmp((*at)->name, group->name) < 0)
		at = &(*at)->next;
	group->next = *at;
	*at = group;
}

/* The TEST of "GROUP/TEST", "*" if there is none; NULL: for another group. */
static const char *pattern_for(const struct test_group *group, const char *arg)
{
	const char *slash = strchr(arg, '/');
	char *name = strndup(arg, slash ? (size_t)(slash - arg) : strlen(arg));
	bool found = name && fnmatch(name, group->name, 0) == 0;

	free(name);
	return !found ? NULL : slash ? slash + 1 : "*";
}

static bool matches(const struct test_group *group, const char *pattern)
{
	for (const struct test *t = group->tests; t; t = t->next)
		if (fnmatch(pattern, t->name, 0) == 0)
			return true;
	return false;
}

static bool list(const struct test_group *group, const char *pattern)
{
	for (const struct test *t = group->tests; t; t = t->next)
		if (fnmatch(pattern, t->name, 0) == 0)
			printf("%s/%s\n", group->name, t->name);
	return true;
}

/* True if all of them passed or were skipped. */
static bool run(const struct test_group *group, const char *pattern)
{
	struct CMUnitTest tests[MOST];
	size_t nr = 0;

	for (const struct test *t = group->tests; t && nr < MOST; t = t->next)
		tests[nr++] = (struct CMUnitTest){
			t->name, t->run,
			t->own ? t->setup : group->each_setup,
			t->own ? t->teardown : group->each_teardown, NULL,
		};
	cmocka_set_test_filter(pattern);
	return _cmocka_run_group_tests(group->name, tests, nr, group->setup,
				       group->teardown) == 0;
}

/* The same in a process of its own. */
static bool run_apart(const struct test_group *group, const char *pattern)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		exit(run(group, pattern) ? 0 : 1);
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror(group->name);
		return false;
	}
	if (WIFSIGNALED(status))
		fprintf(stderr, "%s: ended by signal %d\n", group->name,
			WTERMSIG(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* An operation on a group. */
typedef bool group_fn(const struct test_group *group, const char *pattern);

static bool count(const struct test_group *group, const char *pattern)
{
	(void)group;
	(void)pattern;
	return true;
}

/*
 * Call @fn for each group with tests that @arg names, and add those for which
 * it failed to *@failed.  Returns their number.
 */
static size_t each(const char *arg, group_fn *fn, size_t *failed)
{
	size_t nr = 0;

	for (const struct test_group *g = groups; g; g = g->next) {
		const char *pattern = pattern_for(g, arg);

		if (!pattern || !matches(g, pattern))
			continue;
		nr++;
		*failed += !fn(g, pattern);
	}
	return nr;
}

int main(int argc, char **argv)
{
	static char all[] = "*";
	char *every[] = { all, NULL }, **args = argv + 1;
	group_fn *fn = run_apart;
	size_t failed = 0;

	if (argc > 1 && !strcmp(argv[1], "-l")) {
		fn = list;
		args++;
	}
	if (!*args)
		args = every;
	if (fn == run_apart && !args[1] && each(args[0], count, &failed) == 1)
		fn = run;
	for (; *args; args++) {
		if (each(*args, fn, &failed))
			continue;
		fprintf(stderr, "%s: no such test; -l lists them\n", *args);
		return 2;
	}
	return failed ? 1 : 0;
}
