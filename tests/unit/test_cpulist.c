/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/sys.h"

static void check_format(const char *in, size_t nr, const char *out)
{
	struct err err = { 0 };
	struct cpulist list;
	char buf[128];

	assert_int_equal(cpulist_parse(in, &list, &err), 0);
	assert_int_equal(list.nr, nr);
	assert_string_equal(cpulist_format(&list, buf, sizeof(buf)), out);
	cpulist_free(&list);
	assert_int_equal(list.nr, 0);
}

TEST(test_parse)
{
	check_format("", 0, "");
	check_format("5", 1, "5");
	check_format("0-3,7", 5, "0-3,7");
	check_format("7,0-3", 5, "0-3,7");
	check_format("3,2,1,2-3", 3, "1-3");
	check_format("4-4", 1, "4");
	check_format("0,2,4,65535", 4, "0,2,4,65535");
	check_format("0-65535", 65536, "0-65535");
}

TEST(test_bad)
{
	static const char *const bad[] = {
		",", "1,", ",1", "1,,2", "-", "1-", "-1", "3-1", "1-2-3", "x",
		"0x1", " 1", "1 ", "1\n", "65536", "0-65536", "1;2",
		"99999999999999999999",
	};
	struct cpulist list;
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		assert_int_equal(cpulist_parse(bad[i], &list, &err), -EINVAL);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_int_equal(list.nr, 0);
		assert_null(list.cpus);
	}
}

TEST(test_format_cut)
{
	struct cpulist list;
	char buf[10];

	assert_int_equal(cpulist_parse("0,2,4,6,8,10", &list, NULL), 0);
	assert_string_equal(cpulist_format(&list, buf, sizeof(buf)),
			    "0,2,4,6..");
	assert_string_equal(cpulist_format(&list, buf, 3), "..");
	assert_string_equal(cpulist_format(&list, buf, 1), "");
	cpulist_free(&list);
	/* what just fits is not cut */
	assert_int_equal(cpulist_parse("0,2,4,6-8", &list, NULL), 0);
	assert_string_equal(cpulist_format(&list, buf, sizeof(buf)),
			    "0,2,4,6-8");
	cpulist_free(&list);
}

TEST(test_add_and_has)
{
	static const int cpus[] = { 5, 1, 9, 5, 0, 1 };
	static const int sorted[] = { 0, 1, 5, 9 };
	struct cpulist list = { 0 };

	assert_false(cpulist_has(&list, 0));
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		assert_int_equal(cpulist_add(&list, cpus[i]), 0);
	assert_int_equal(list.nr, 4);
	assert_memory_equal(list.cpus, sorted, sizeof(sorted));
	assert_true(cpulist_has(&list, 0));
	assert_true(cpulist_has(&list, 9));
	assert_false(cpulist_has(&list, 2));
	assert_false(cpulist_has(&list, 10));
	assert_false(cpulist_has(&list, -1));
	cpulist_free(&list);
}

TEST(test_online)
{
	struct err err = { 0 };
	struct cpulist list;

	assert_int_equal(cpulist_online(&list, &err), 0);
	assert_true(list.nr >= 1);
	assert_true((long)list.nr <= sysconf(_SC_NPROCESSORS_CONF));
	cpulist_free(&list);

	sys_fail_at(SYS_OPEN_FILE, 1, ENOENT);
	assert_int_equal(cpulist_online(&list, &err), -ENOENT);
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, "/sys/devices/system/cpu/online"));
	assert_int_equal(list.nr, 0);
}

TEST_GROUP(cpulist);
