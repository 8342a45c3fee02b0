/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is requested from the kernel, and how its errors are explained.  Opens
 * nothing.
 */
#include "tests/group.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/abi/record.h"
#include "perf/session/session_state.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void expect_side_band(enum target_mode mode, pid_t tid, int all,
			     int inherit)
{
	struct session s = { .opts.target = { .mode = mode, .inherit = true } };
	struct session_scope scope = { .tid = tid };
	struct perf_event_attr attr;

	session_specs_side_band(&s, scope, 4096, &attr);
	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr.mmap, all);
	assert_int_equal(attr.mmap2, all);
	/* it would mark records of all users */
	assert_int_equal(attr.build_id, 0);
	assert_int_equal(attr.comm, all);
	assert_int_equal(attr.comm_exec, all);
	assert_int_equal(attr.task, all);
	assert_int_equal(attr.inherit, inherit);
	/* only with --switch-events and --namespaces */
	assert_int_equal(attr.context_switch, 0);
	assert_int_equal(attr.namespaces, 0);
	assert_int_equal(attr.cgroup, 0);
	assert_int_equal(attr.sample_type, RECORD_SAMPLE_TYPE);
}

/* A CPU-wide owner of tasks' rings does not report other tasks. */
TEST(test_side_band)
{
	expect_side_band(TARGET_SYSTEM, -1, 1, 0);
	expect_side_band(TARGET_CPUS, -1, 1, 0);
	expect_side_band(TARGET_TASKS, -1, 0, 0);
	expect_side_band(TARGET_TASKS, 7, 1, 1);
	expect_side_band(TARGET_THREADS, 7, 1, 0);
}

static void expect_kernel_text(enum target_mode mode, bool owner_on_task,
			       pid_t tid, int reported)
{
	struct session s = {
		.opts.target.mode = mode,
		.owner_on_task = owner_on_task,
	};
	struct session_scope scope = { .tid = tid };
	struct perf_event_attr attr;

	session_specs_side_band(&s, scope, 4096, &attr);
	assert_int_equal(attr.ksymbol, reported);
	assert_int_equal(attr.bpf_event, reported);
	assert_int_equal(attr.text_poke, reported);
}

/* Reported once: by the event that covers all tasks, if there is one. */
TEST(test_kernel_text)
{
	expect_kernel_text(TARGET_SYSTEM, false, -1, 1);
	expect_kernel_text(TARGET_TASKS, false, -1, 1);
	expect_kernel_text(TARGET_TASKS, false, 7, 0);
	expect_kernel_text(TARGET_TASKS, true, 7, 1);
	expect_kernel_text(TARGET_THREADS, true, 7, 1);
}

/* The side-band attr of a file: all that the dummies request. */
TEST(test_side_band_attr)
{
	pid_t tid = 7;
	struct session s = {
		.opts = {
			.target = { .mode = TARGET_TASKS, .inherit = true },
			.switch_events = true,
			.sample_type = PERF_SAMPLE_CGROUP,
		},
		.map = { .tids = &tid, .nr_tids = 1 },
		.has_aux = true,
	};
	struct perf_event_attr attr;

	session_side_band_attr(&s, &attr);
	assert_int_equal(attr.config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr.sample_type, RECORD_SAMPLE_TYPE);
	assert_int_equal(attr.mmap2 & attr.comm_exec & attr.task, 1);
	assert_int_equal(attr.context_switch & attr.cgroup, 1);
	assert_int_equal(attr.inherit, 1);
	assert_int_equal(attr.use_clockid, 0);
	assert_int_equal(attr.read_format & PERF_FORMAT_LOST,
			 PERF_FORMAT_LOST);
	/* dummies of CPUs report it */
	assert_int_equal(attr.ksymbol & attr.text_poke, 1);
	s = (struct session){ .opts.target.mode = TARGET_SYSTEM };
	s.missing = SESSION_NEWER_LOST | SESSION_NEWER_TEXT_POKE;
	session_side_band_attr(&s, &attr);
	assert_int_equal(attr.mmap2 & attr.comm_exec & attr.task, 1);
	assert_int_equal(attr.inherit, 0);
	assert_int_equal(attr.use_clockid, 1);
	assert_int_equal(attr.read_format & PERF_FORMAT_LOST, 0);
	assert_int_equal(attr.text_poke, 0);
	assert_int_equal(attr.ksymbol, 1);
}

TEST(test_side_band_options)
{
	struct session s = {
		.opts = { .target.mode = TARGET_TASKS, .switch_events = true },
	};
	struct session_scope task = { .tid = 7 }, bare = { .tid = -1 };
	struct perf_event_attr attr;

	session_specs_side_band(&s, task, 4096, &attr);
	assert_int_equal(attr.context_switch, 1);
	assert_int_equal(attr.namespaces, 0);
	s.opts.switch_events = false;
	s.opts.namespaces = true;
	session_specs_side_band(&s, task, 4096, &attr);
	assert_int_equal(attr.context_switch, 0);
	assert_int_equal(attr.namespaces, 1);
	assert_int_equal(attr.cgroup, 1);
	session_specs_side_band(&s, bare, 4096, &attr);
	assert_int_equal(attr.namespaces, 0);
	assert_int_equal(attr.cgroup, 0);
	s.opts.namespaces = false;
	s.opts.sample_type = PERF_SAMPLE_CGROUP;
	session_specs_side_band(&s, task, 4096, &attr);
	assert_int_equal(attr.namespaces, 0);
	assert_int_equal(attr.cgroup, 1);
}

/* Features missing in a kernel are not requested, the others are. */
TEST(test_older_kernels)
{
	struct session s = { .opts.namespaces = true };
	struct session_scope scope = { .tid = -1 };
	struct perf_event_attr attr;

	s.missing = SESSION_NEWER_LOST;
	session_specs_side_band(&s, scope, 4096, &attr);
	assert_int_equal(attr.read_format & PERF_FORMAT_LOST, 0);
	assert_int_equal(attr.text_poke, 1);
	assert_int_equal(attr.cgroup, 1);
	assert_int_equal(attr.ksymbol, 1);
	s.missing = SESSION_NEWER_ALL;
	session_specs_side_band(&s, scope, 4096, &attr);
	assert_int_equal(attr.text_poke, 0);
	assert_int_equal(attr.cgroup, 0);
	assert_int_equal(attr.ksymbol, 0);
	assert_int_equal(attr.bpf_event, 0);
	assert_int_equal(attr.mmap2, 1);
	assert_int_equal(attr.namespaces, 1);
}

/* EINVAL with another cause: no feature is taken to be missing. */
TEST(test_einval_not_old_kernel)
{
	struct session_scope scope = { .tid = -1, .cpu = 1 << 20 };
	struct session s = { 0 };
	struct session_event event;
	struct err err = { 0 };
	int ret = session_slot_open_side_band(&s, scope, 4096, &event, &err);

	assert_true(ret < 0);
	assert_int_equal(s.missing, 0);
	if (ret != -EINVAL)
		skip();
	assert_non_null(strstr(err.text, "the side-band on CPU 1048576"));
}

static void expect_watermark(uint64_t mark, double ratio, uint64_t bytes,
			     uint64_t want)
{
	struct session s = { .max_record = RECORD_SAMPLE_FIXED };
	struct err err = { 0 };
	uint64_t got = 0;
	int ret;

	s.opts.watermark = mark;
	s.opts.watermark_ratio = ratio;
	ret = session_specs_watermark(&s, bytes, &got, &err);
	assert_int_equal(ret, want ? 0 : -EINVAL);
	assert_int_equal(got, want);
	assert_int_equal(err_exit_status(&err), want ? 0 : 2);
}

TEST(test_watermarks)
{
	expect_watermark(0, 0, 8192, 4096);
	expect_watermark(1000, 0, 8192, 1000);
	expect_watermark(0, 0.25, 8192, 2048);
	expect_watermark(0, 0.00001, 8192, 1);
	expect_watermark(8192 - 57, 0, 8192, 8192 - 57);
	expect_watermark(8192 - 56, 0, 8192, 0);
	expect_watermark(8192, 0, 8192, 0);
	expect_watermark(0, 1, 8192, 0);
	expect_watermark(1ULL << 32, 0, 1ULL << 34, 0);
}

/* The attr and longest sample of an event under @opts. */
static struct perf_event_attr attr_of(struct session_opts opts, bool tracepoint,
				      uint64_t *longest)
{
	struct event_spec spec = {
		.name = "event",
		.tracepoint = tracepoint,
		.raw_bytes = tracepoint ? 36 : 0,
		.period = 1,
	};
	struct session s = { .opts = opts };
	struct perf_event_attr attr;
	struct err err;

	s.opts.events = (struct event_list){ .specs = &spec, .nr = 1 };
	assert_int_equal(session_specs_make(&s, &err), 0);
	attr = s.specs[0].attr;
	*longest = s.max_record;
	session_specs_free(&s);
	return attr;
}

TEST(test_plain_samples)
{
	struct perf_event_attr attr;
	uint64_t longest;

	attr = attr_of((struct session_opts){ .max_stack = 5 }, false,
		       &longest);
	assert_int_equal(attr.sample_type, RECORD_SAMPLE_TYPE);
	assert_int_equal(attr.sample_max_stack, 0);
	assert_int_equal(attr.branch_sample_type, 0);
	assert_int_equal(longest, RECORD_SAMPLE_FIXED);
	attr = attr_of((struct session_opts){ 0 }, true, &longest);
	assert_int_equal(attr.sample_type,
			 RECORD_SAMPLE_TYPE | PERF_SAMPLE_RAW);
	assert_int_equal(longest, RECORD_SAMPLE_FIXED + 40);
}

/* As perf does, independent of the event's modifiers. */
TEST(test_levels)
{
	struct perf_event_attr attr;
	uint64_t longest;

	attr = attr_of((struct session_opts){ .all_user = true }, true,
		       &longest);
	assert_int_equal(attr.exclude_kernel, 1);
	assert_int_equal(attr.exclude_user, 0);
	attr = attr_of((struct session_opts){ .all_kernel = true }, false,
		       &longest);
	assert_int_equal(attr.exclude_kernel, 0);
	assert_int_equal(attr.exclude_user, 1);
	attr = attr_of((struct session_opts){ 0 }, false, &longest);
	assert_int_equal(attr.exclude_kernel | attr.exclude_user, 0);
}

/* --all-user and --wakeup-events apply to the user's own events only. */
TEST(test_calls)
{
	struct event_spec specs[2] = {
		{ .name = "cpu-clock", .period = 1 },
		{ .name = "call:f", .period = 1, .leader = 1, .call = true },
	};
	struct session s = {
		.opts = { .events = { .specs = specs, .nr = 2 },
			  .all_user = true, .freq = 99, .wakeup_events = 10 },
	};
	struct err err;

	assert_int_equal(session_specs_make(&s, &err), 0);
	assert_int_equal(s.specs[0].attr.wakeup_events, 10);
	assert_int_equal(s.specs[0].attr.exclude_kernel, 1);
	assert_int_equal(s.specs[1].attr.wakeup_events, 1);
	assert_int_equal(s.specs[1].attr.sample_period, 1);
	assert_int_equal(s.specs[1].attr.freq, 0);
	assert_int_equal(s.specs[1].attr.exclude_kernel, 0);
	session_specs_free(&s);
}

/* Without its file, 8 context markers are the kernel's default. */
TEST(test_callchains)
{
	struct session_opts opts = { .callchain = true, .max_stack = 10 };
	struct perf_event_attr attr;
	uint64_t longest;

	sys_fail_at(SYS_OPEN_FILE, 1, ENOENT);
	attr = attr_of(opts, true, &longest);
	assert_int_equal(attr.sample_type, RECORD_SAMPLE_TYPE |
			 PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN);
	assert_int_equal(attr.sample_max_stack, 10);
	assert_int_equal(longest,
			 RECORD_SAMPLE_FIXED + 40 + 8 * (1 + 10 + 8));
	/* the kernel chooses the number of frames */
	opts.max_stack = 0;
	sys_fail_at(SYS_OPEN_FILE, 1, ENOENT);
	attr = attr_of(opts, false, &longest);
	assert_int_equal(attr.sample_max_stack, 0);
	assert_true(longest >= RECORD_SAMPLE_FIXED + 8 * (1 + 127));
	sys_fail_at(SYS_OPEN_FILE, 0, 0);
}

TEST(test_extra_fields)
{
	struct session_opts opts = {
		.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR |
			       PERF_SAMPLE_CGROUP,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
	};
	struct perf_event_attr attr;
	uint64_t longest;

	attr = attr_of(opts, false, &longest);
	assert_int_equal(attr.sample_type,
			 RECORD_SAMPLE_TYPE | opts.sample_type);
	assert_int_equal(attr.branch_sample_type, 0);
	assert_int_equal(longest, RECORD_SAMPLE_FIXED + 3 * 8);
	opts.sample_type = PERF_SAMPLE_BRANCH_STACK;
	attr = attr_of(opts, false, &longest);
	assert_int_equal(attr.branch_sample_type, PERF_SAMPLE_BRANCH_ANY);
	/* a count, an optional index, and 64 times from, to and flags */
	assert_int_equal(longest, RECORD_SAMPLE_FIXED + 8 * (2 + 64 * 3));
}

/* Under perf_event_paranoid 2, which is assumed if it cannot be read. */
TEST(test_errors)
{
	static const struct {
		int code;
		struct perf_event_attr attr;
		const char *want;
	} rows[] = {
		{ -EACCES, { .exclude_kernel = 1, .namespaces = 1 },
		  "drop --namespaces" },
		{ -EACCES, { .exclude_kernel = 1,
			     .sample_type = PERF_SAMPLE_PHYS_ADDR },
		  "drop --phys-data" },
		{ -EOVERFLOW, { .sample_max_stack = 500 },
		  "--max-stack 500 is over kernel.perf_event_max_stack" },
		{ -ENOMEM, { .sample_type = PERF_SAMPLE_CALLCHAIN },
		  "drop -g" },
		{ -ENOMEM, { .sample_type = PERF_SAMPLE_IP }, "watch fewer" },
		{ -EOPNOTSUPP, { .sample_type = PERF_SAMPLE_BRANCH_STACK },
		  "drop --branch-any" },
		{ -EOPNOTSUPP, { .precise_ip = 1 }, "drop :p" },
		{ -EINVAL, { .sample_type = PERF_SAMPLE_BRANCH_STACK },
		  "--branch-any" },
		{ -EINVAL, { .sample_type = PERF_SAMPLE_CODE_PAGE_SIZE },
		  "Linux 5.11" },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		struct session_scope scope = { .tid = 1, .cpu = -1 };
		struct session s = { 0 };
		struct err err = { 0 };

		sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
		session_error_open(&s, rows[i].code, "x", &rows[i].attr, scope,
				   &err);
		sys_fail_at(SYS_OPEN_FILE, 0, 0);
		assert_int_equal(err.code, rows[i].code);
		if (!strstr(err.text, rows[i].want))
			fail_msg("'%s' lacks '%s'", err.text, rows[i].want);
	}
}

/* Alternatives if the mode is refused. */
TEST(test_modes)
{
	static const struct {
		struct session_paranoid paranoid;
		pid_t tid;
		const char *want;
	} rows[] = {
		{ { 3, true }, 1, "sysctl kernel.perf_event_paranoid=2" },
		{ { 4, true }, -1, "perf events need root or CAP_PERFMON" },
		{ { 3, false }, -1, "try sudo rbtop, or: rbtop -- COMMAND" },
		{ { 2, false }, -1, "try sudo rbtop, or: rbtop -- COMMAND" },
		{ { 1, false }, -1, "try sudo rbtop, or: rbtop -- COMMAND" },
		{ { 0, false }, -1, NULL },
		{ { 3, false }, 1, NULL },
		{ { 2, false }, 1, NULL },
	};
	char text[320];

	for (size_t i = 0; i < NR(rows); i++) {
		const struct session_scope scope = { .tid = rows[i].tid };
		bool explained = session_error_mode(scope, rows[i].paranoid, text,
					       sizeof(text));

		assert_int_equal(explained, rows[i].want != NULL);
		if (explained && !strstr(text, rows[i].want))
			fail_msg("'%s' lacks '%s'", text, rows[i].want);
	}
}

TEST_GROUP(session_specs);
