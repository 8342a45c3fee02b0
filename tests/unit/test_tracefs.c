/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "fake_tree.h"
#include "perf/tracepoint/tracefs.h"

static const char format[] =
	"name: sys_enter\n"
	"ID: 443\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
	"\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n"
	"\n"
	"print fmt: \"NR %ld\", REC->id\n";

static struct fake_tree tree;

static int make_tree(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	fake_tree_write(&tree, "events/raw_syscalls/sys_enter/id", "443\n");
	fake_tree_write(&tree, "events/raw_syscalls/sys_enter/format", format);
	fake_tree_write(&tree, "events/raw_syscalls/sys_exit/id", "442\n");
	fake_tree_write(&tree, "events/raw_syscalls/sys_exit/format",
			"name: \033[2J\n");
	fake_tree_write(&tree, "events/raw_syscalls/enable", "0\n");
	fake_tree_write(&tree, "events/sched/sched_wakeup/id", "7\n");
	fake_tree_write(&tree, "events/sched/sched_switch/id", "-7\n");
	fake_tree_write(&tree, "events/enable", "0\n");
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	fake_tree_free(&tree);
	return 0;
}

TEST(id_is_read)
{
	struct err err = { 0 };
	uint64_t id = 0;

	assert_int_equal(tracefs_event_id(tree.root, "raw_syscalls",
					  "sys_enter", &id, &err),
			 0);
	assert_int_equal(id, 443);
	assert_int_equal(tracefs_event_id(tree.root, "sched", "sched_switch",
					  &id, &err),
			 -EIO);
}

TEST(id_of_nothing)
{
	static const char *const names[][2] = {
		{ "sched", "zork" },
		{ "zork", "x" },
		{ "", "" },
		{ "..", "events" },
		{ "sched/sched_wakeup", "x" },
		{ "sched", "../sched/sched_wakeup" },
	};
	struct err err;
	uint64_t id;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(tracefs_event_id(tree.root, names[i][0],
						  names[i][1], &id, &err),
				 -ENOENT);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_non_null(strstr(err.text, "unknown tracepoint"));
	}
}

TEST(unreadable_has_a_remedy)
{
	struct err err = { 0 };
	uint64_t id;

	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(tracefs_event_id(tree.root, "sched", "sched_wakeup",
					  &id, &err),
			 -EACCES);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_non_null(strstr(err.text, "try sudo rbtop, or with that "
					 "capability: sudo mount -o "
					 "remount,mode=750,gid="));
	assert_non_null(strstr(err.text, tree.root));
}

static int join(void *ctx, const char *sys, const char *name)
{
	char *s = ctx;

	strcat(strcat(strcat(strcat(s, sys), ":"), name), " ");
	return 0;
}

static int stop(void *ctx, const char *sys, const char *name)
{
	join(ctx, sys, name);
	return 42;
}

TEST(globs_are_sorted)
{
	struct err err = { 0 };
	char got[256] = "";

	assert_int_equal(
		tracefs_each_event(tree.root, "*", "*", join, got, &err), 0);
	assert_string_equal(got, "raw_syscalls:sys_enter raw_syscalls:sys_exit"
				 " sched:sched_switch sched:sched_wakeup ");
	got[0] = '\0';
	assert_int_equal(tracefs_each_event(tree.root, "s?hed", "*_[sx]*", join,
					    got, &err),
			 0);
	assert_string_equal(got, "sched:sched_switch ");
	got[0] = '\0';
	assert_int_equal(tracefs_each_event(tree.root, "*", "sys_*", stop, got,
					    &err),
			 42);
	assert_string_equal(got, "raw_syscalls:sys_enter ");
}

TEST(globs_of_nothing)
{
	struct err err = { 0 };
	char got[8] = "";

	assert_int_equal(tracefs_each_event(tree.root, "sched", "x*", join, got,
					    &err),
			 -ENOENT);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.text, "unknown tracepoint 'sched:x*'");
	assert_int_equal(tracefs_each_event("/nonexistent", "*", "*", join, got,
					    &err),
			 -ENOENT);
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_non_null(strstr(err.text, "mount -t tracefs nodev "
					 "/sys/kernel/tracing"));
}

TEST(fields_are_parsed)
{
	char fields[64], small[8];
	uint32_t bytes = 0;

	assert_int_equal(tracefs_event_fields(tree.root, "raw_syscalls",
					      "sys_enter", &bytes, fields,
					      sizeof(fields)),
			 0);
	assert_int_equal(bytes, 64);
	assert_string_equal(fields, "id,args");
	assert_int_equal(tracefs_event_fields(tree.root, "raw_syscalls",
					      "sys_enter", &bytes, small, 7),
			 0);
	assert_string_equal(small, "id");
	assert_int_equal(tracefs_event_fields(tree.root, "raw_syscalls",
					      "sys_enter", &bytes, NULL, 0),
			 0);
}

TEST(fields_of_nothing)
{
	uint32_t bytes;

	assert_int_equal(tracefs_event_fields(tree.root, "sched", "..", &bytes,
					      NULL, 0),
			 -ENOENT);
	assert_int_equal(tracefs_event_fields(tree.root, "sched",
					      "sched_wakeup", &bytes, NULL, 0),
			 -ENOENT);
	assert_int_equal(tracefs_event_fields(tree.root, "raw_syscalls",
					      "sys_exit", &bytes, NULL, 0),
			 -EBADMSG);
}

TEST(refusals_name_their_remedy)
{
	struct err err = { 0 };
	const char *mounted = tracefs_mounted();

	sys_fail_at(SYS_SCANDIR, 1, EACCES);
	assert_int_equal(tracefs_each_event(tree.root, "*", "*", stop, NULL,
					    &err),
			 -EACCES);
	assert_non_null(strstr(err.text, "try sudo rbtop, or with that "
					 "capability: sudo mount -o "
					 "remount,mode=750,gid="));
	if (!mounted)
		skip();
	sys_fail_at(SYS_ACCESS, 1, EACCES);
	assert_null(tracefs_path(&err));
	assert_int_equal(err.kind, ERR_MACHINE);
	assert_int_equal(err.code, -EACCES);
	assert_non_null(strstr(err.text, mounted));
}

TEST_GROUP(tracefs, .setup = make_tree, .teardown = remove_tree);
