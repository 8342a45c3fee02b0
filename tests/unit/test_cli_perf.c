/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every option is known, and options that users of perf type. */
#include "tests/group.h"

#include "cli/cli_take.h"
#include "tests/unit/cli_line.h"

/* It may be refused, but not as an unknown option. */
static void expect_known(const char *text)
{
	struct line l;

	if (parse(&l, text) == 0)
		cli_free(&l.cli);
	else if (strstr(l.err.text, "unknown"))
		fail_msg("'%s': %s", text, l.err.text);
}

/* All options: none is beyond the size of a table. */
TEST(test_each_is_known)
{
	char text[64];

	for (size_t i = 0; i < CLI_NR_OPTIONS; i++) {
		const struct cli_option *o = &cli_options[i];

		snprintf(text, sizeof(text), "--%s", o->name ? o->name : "");
		if (o->name)
			expect_known(text);
		snprintf(text, sizeof(text), "-%c", o->letter);
		if (o->letter)
			expect_known(text);
	}
}

TEST(test_accepted)
{
	struct line l;
	struct cli *cli = parsed(&l, "-a -R -T -P --timestamp --sample-cpu "
				     "--exclude-perf -b");

	assert_true(cli->batch);
	assert_string_equal(cli->warning, "");
	cli_free(cli);
}

TEST(test_levels)
{
	struct line l;
	struct cli *cli = parsed(&l, "--all-user -e page-faults");

	assert_true(cli->session.session.all_user);
	assert_false(cli->session.session.all_kernel);
	cli_free(cli);
	assert_true(parsed(&l, "--all-kernel")->session.session.all_kernel);
	cli_free(&l.cli);
	expect_refused("--all-kernel --all-user", "only one of them");
}

TEST(test_user)
{
	struct line l;
	const struct target *target =
		&parsed(&l, "-u root")->session.session.target;

	assert_true(target->by_uid);
	assert_int_equal(target->uid, 0);
	assert_int_equal(target->mode, TARGET_TASKS);
	assert_true(target->inherit);
	cli_free(&l.cli);
	target = &parsed(&l, "--uid 4242 --per-thread")->session.session.target;
	assert_int_equal(target->uid, 4242);
	assert_int_equal(target->mode, TARGET_THREADS);
	cli_free(&l.cli);
	/* perf-record(1) warns in these words */
	assert_string_equal(parsed(&l, "-u 1 -p 1")->warning,
			    "PID/TID switch overriding UID");
	assert_false(l.cli.session.session.target.by_uid);
	cli_free(&l.cli);
	assert_string_equal(parsed(&l, "-u 1 -C 0")->warning,
			    "UID switch overriding CPU");
	cli_free(&l.cli);
	assert_string_equal(parsed(&l, "-u 1 -a")->warning,
			    "UID switch overriding SYSTEM");
	cli_free(&l.cli);
	expect_refused("-u nobody-at-all", "no such user");
	expect_refused("-u 4294967295", "no such user");
	expect_refused("-u 1 --host", "-u and --host");
}

static void expect_affinity(const char *text)
{
	struct line l;
	struct cli *cli = parsed(&l, text);

	assert_true(cli->session.affinity);
	assert_string_equal(cli->workload[0], "true");
	cli_free(cli);
}

/* In perf record it has an argument. */
TEST(test_affinity)
{
	expect_affinity("--affinity true");
	expect_affinity("--affinity cpu true");
	expect_affinity("--affinity=cpu true");
	expect_refused("--affinity node", "--affinity cpu");
	expect_refused("--affinity=node", "--affinity cpu");
}

TEST(test_max_size)
{
	struct line l;

	assert_int_equal(parsed(&l, "-o f --max-size 10M")
				 ->session.snapshots.max_record, 10 << 20);
	cli_free(&l.cli);
	expect_refused("--max-size 0", "at least 1 byte");
}

TEST(test_control)
{
	struct line l;

	assert_string_equal(parsed(&l, "--control fifo:a,b")->session.control,
			    "fifo:a,b");
	cli_free(&l.cli);
	cli_free(parsed(&l, "--control=fd:3"));
	expect_refused("--control fifo:", "fifo:CTL[,ACK]");
	expect_refused("--control fd:,4", "fd:CTL[,ACK]");
	expect_refused("--control 3", "fd:CTL[,ACK]");
	expect_refused("--control fd:3 --sim cpus=1", "--control and --sim");
	expect_refused("--control fd:3 --host", "--control and --host");
}

static void expect_delay(const char *text, double delay, bool on_exec)
{
	struct line l;
	struct cli *cli = parsed(&l, text);

	assert_true(cli->session.start_delay == delay);
	assert_int_equal(cli->session.session.enable_on_exec, on_exec);
	cli_free(cli);
}

TEST(test_start_delay)
{
	expect_delay("-- true", 0, true);
	expect_delay("-D 0 -- true", 0, true);
	expect_delay("-D 250 -- true", 0.25, false);
	expect_delay("-D -1 -- true", -1, false);
	expect_refused("-D 10-20,30-40", "--control");
	expect_refused("-D soon", "-D");
}

/* Options of perf that rbtop does not have. */
TEST(test_advice)
{
	expect_refused("-j any,u", "rbtop has no -j: use --branch-any");
	expect_refused("--branch-filter=any", "use --branch-any");
	expect_refused("--stdio", "rbtop has no --stdio: use -b");
	expect_refused("--switch-output=10s", "--snapshot-every");
	expect_refused("-K", "use --all-user");
	expect_refused("--call-grph fp", "did you mean --call-graph?");
	expect_refused("--snap",
		       "ambiguous option --snap: --snapshot, --snapshot-every");
	expect_refused("--xyz=1", "unknown option --xyz, see rbtop -h");
	expect_refused("--mmap-page=3x", "-m");	/* an abbreviation */
	expect_refused("--evnt cycles", "unknown option --evnt: did you mean "
				       "--event?");
	expect_refused("--nothing-like-it", "see rbtop -h");
}

TEST_GROUP(cli_perf);
