/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/event/event_spec.h"

static void check_without(const char *filter, const pid_t *tids, size_t nr,
			  const char *want)
{
	char *got = filter_without(filter, tids, nr);

	assert_string_equal(got, want);
	free(got);
}

TEST(without_tids)
{
	static const pid_t tids[] = { 7, 4194303, 9 };

	check_without(NULL, tids, 1, "common_pid!=7");
	check_without(NULL, tids, 3,
		      "common_pid!=7 && common_pid!=4194303 && common_pid!=9");
	check_without("id==1 || id==2", tids, 2,
		      "(id==1 || id==2) && common_pid!=7 && "
		      "common_pid!=4194303");
	check_without("id==1 || id==2", NULL, 0, "id==1 || id==2");
}

TEST(without_anything)
{
	errno = ENOMEM;
	assert_null(filter_without(NULL, NULL, 0));
	assert_int_equal(errno, 0);
}

/* Each of these was accepted by a kernel. */
TEST(check_accepts)
{
	static const char *const good[] = {
		"id==1",
		"id == 1",
		" id==0x10 ",
		"id<5",
		"id<=5",
		"id>=-1",
		"id>5&&id<9",
		"id==1||(id==2)",
		"((id==1))",
		"!(id==1)",
		"!id==1 && !(id==2 || !(id==3))",
		"flags & 4",
		"prev_comm==\"a b\"",
		"prev_comm ~ '*sh'",
		"comm != \"\"",
		"prev_comm==\"(&& ')\"",
		"common_pid!=3",
		"cpu & CPUS{0-3,7}",
		"filename.ustring ~ \"*x*\"",
		"id==1 && id==2",
	};
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (filter_check(good[i], &err))
			fail_msg("'%s': %s", good[i], err.text);
	}
}

TEST(check_names_the_place)
{
	static const struct {
		const char *filter, *what;
	} bad[] = {
		{ "", "a field's name is expected at column 1" },
		{ "id", "is expected at column 3" },
		{ "id=1", "is expected at column 3" },
		{ "id&&x==1", "is expected at column 3" },
		{ "id==", "a value is expected at column 5" },
		{ "id==)", "a value is expected at column 5" },
		{ "==1", "a field's name is expected at column 1" },
		{ "id==1 &&", "a field's name is expected at column 9" },
		{ "id==1 & x==1", "&& or || is expected at column 7" },
		{ "id==1 id==2", "&& or || is expected at column 7" },
		{ "id==1 || || id==2", "a field's name is expected at "
				       "column 10" },
		{ "(id==1", "')' is missing at column 7" },
		{ "id==1)", "')' without its '(' at column 6" },
		{ "c==\"x", "no closing quote for the one at column 4" },
		{ "c=='x\"", "no closing quote for the one at column 4" },
		{ "cpu & CPUS{1", "'}' is expected at column 13" },
		{ "id==1\033[2J", "a control byte at column 6" },
	};
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(filter_check(bad[i].filter, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_USAGE);
		if (!strstr(err.text, bad[i].what))
			fail_msg("'%s': %s", bad[i].filter, err.text);
	}
}

TEST(check_length)
{
	size_t page = sys_page_size();
	char *filter = malloc(page + 1);
	struct err err = { 0 };

	memset(filter, '1', page);
	memcpy(filter, "id==", 4);
	filter[page] = '\0';
	assert_int_equal(filter_check(filter, &err), -EINVAL);
	assert_non_null(strstr(err.text, "at most"));
	filter[page - 1] = '\0';
	assert_int_equal(filter_check(filter, &err), 0);
	free(filter);
}

TEST_GROUP(filter);
