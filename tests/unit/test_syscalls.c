/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>
#include <sys/syscall.h>

#include "perf/tracepoint/tracepoint.h"

/* <sys/syscall.h> has other names for the same numbers. */
TEST(names)
{
	assert_string_equal(syscalls_name(SYS_read), "read");
	assert_string_equal(syscalls_name(SYS_write), "write");
	assert_string_equal(syscalls_name(SYS_openat), "openat");
	assert_string_equal(syscalls_name(SYS_ppoll), "ppoll");
	assert_string_equal(syscalls_name(SYS_exit_group), "exit_group");
	assert_string_equal(syscalls_name(SYS_perf_event_open),
			    "perf_event_open");
}

TEST(no_names)
{
	assert_null(syscalls_name(-1));
	assert_null(syscalls_name(INT64_MIN));
	assert_null(syscalls_name(1000000));
	assert_null(syscalls_name(INT64_MAX));
	/* x32 */
	assert_null(syscalls_name(0x40000000));
}

/* Each number has at most one name, and none is that of a macro. */
TEST(the_whole_table)
{
	size_t nr = 0;

	for (int64_t i = 0; i < 10000; i++) {
		const char *name = syscalls_name(i);

		if (!name)
			continue;
		nr++;
		assert_true(strcmp(name, "syscalls") != 0);
		assert_true(strcmp(name, "arch_specific_syscall") != 0);
		assert_true(*name && !strchr(name, ' '));
	}
	assert_in_range(nr, 250, 700);
}

static void expect(const char *text, const char *name, const char *expected)
{
	char buf[64];

	strcpy(buf, text);
	syscalls_name_text(buf, sizeof(buf), name);
	assert_string_equal(buf, expected);
}

TEST(texts)
{
	char small[12] = "NR 0 (3, 4)";

	expect("NR 0 (3, 7ffc, 10)", "read", "read(3, 0x7ffc, 0x10)");
	expect("NR 9 (0, f, 0x1)", "mmap", "mmap(0, 0xf, 0x1)");
	expect("NR 900 (b, 9)", NULL, "NR 900 (0xb, 9)");
	expect("NR 900 = -38", NULL, "NR 900 = -38");
	expect("NR 0 = 512", "read", "read = 512");
	expect("NR 231 (0)", "exit_group", "exit_group(0)");
	expect("NR 1", "write", "write");
	expect("fd: 0x00000003", "read", "fd: 0x00000003");
	expect("", "read", "");
	/* cut at its end */
	syscalls_name_text(small, sizeof(small), "exit_group");
	assert_string_equal(small, "exit_group(");
	syscalls_name_text(small, sizeof(small), "read");
	assert_string_equal(small, "exit_group(");
	strcpy(small, "NR 0 (3)");
	syscalls_name_text(small, sizeof(small), "perf_event_open");
	assert_string_equal(small, "NR 0 (3)");
}

TEST_GROUP(syscalls);
