/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for the fields of samples and for filters. */
#include "tests/group.h"

#include <string.h>

#include "cli/cli.h"
#include "tests/unit/cli_line.h"

/* The fields that a command line requests. */
static const struct {
	const char *line;
	uint64_t fields;
} field_cases[] = {
	{ "--data", PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC },
	{ "--phys-data", PERF_SAMPLE_PHYS_ADDR },
	{ "--data-page-size", PERF_SAMPLE_DATA_PAGE_SIZE },
	{ "--code-page-size", PERF_SAMPLE_CODE_PAGE_SIZE },
	{ "-W", PERF_SAMPLE_WEIGHT },
	{ "--weight", PERF_SAMPLE_WEIGHT },
	{ "--transaction", PERF_SAMPLE_TRANSACTION },
	{ "--all-cgroups", PERF_SAMPLE_CGROUP },
	{ "--branch-any", PERF_SAMPLE_BRANCH_STACK },
	{ "--all-cgroups -W", PERF_SAMPLE_CGROUP | PERF_SAMPLE_WEIGHT },
	{ "-g", 0 },
	{ "--switch-events", 0 },
	{ "--namespaces", 0 },
};

TEST(test_fields)
{
	struct line l;

	for (size_t i = 0; i < sizeof(field_cases) / sizeof(*field_cases);
	     i++) {
		struct session_opts *o = &parsed(&l, field_cases[i].line)
						  ->session.session;

		if (o->sample_type != field_cases[i].fields)
			fail_msg("'%s': %#llx", field_cases[i].line,
				 (unsigned long long)o->sample_type);
		assert_int_equal(o->branch_sample_type,
				 o->sample_type & PERF_SAMPLE_BRANCH_STACK ?
				 PERF_SAMPLE_BRANCH_ANY : 0);
		cli_free(&l.cli);
	}
}

/* -g takes the next word only if that can be nothing else. */
static const struct {
	const char *line;
	const char *workload;	/* its first word; NULL: none */
} callchain_cases[] = {
	{ "-g", NULL },
	{ "-g fp", NULL },
	{ "--call-graph fp", NULL },
	{ "--call-graph=fp", NULL },
	{ "-ga", NULL },
	{ "-ag fp", NULL },
	{ "-g fp -- ls", "ls" },
	{ "-g ls", "ls" },
	{ "-g ls fp", "ls" },
	{ "-g -- fp", "fp" },
	{ "-g fp fp", "fp" },
	{ "-g fpx", "fpx" },
	{ "-g -m 8", NULL },
};

TEST(test_callchains)
{
	struct line l;
	struct cli *cli;

	for (size_t i = 0;
	     i < sizeof(callchain_cases) / sizeof(*callchain_cases); i++) {
		const char *want = callchain_cases[i].workload;

		cli = parsed(&l, callchain_cases[i].line);
		assert_true(cli->session.session.callchain);
		assert_int_equal(cli->session.session.max_stack, 0);
		if (!cli->workload != !want ||
		    (want && strcmp(cli->workload[0], want) != 0))
			fail_msg("'%s': command '%s'", callchain_cases[i].line,
				 cli->workload ? cli->workload[0] : "");
		cli_free(cli);
	}
	cli = parsed(&l, "-g --max-stack 40");
	assert_int_equal(cli->session.session.max_stack, 40);
	cli_free(cli);
	cli = parsed(&l, "-a");
	assert_false(cli->session.session.callchain);
	cli_free(cli);
}

TEST(test_extra_records)
{
	struct line l;
	struct session_opts *o = &parsed(&l, "--switch-events")
					  ->session.session;

	assert_true(o->switch_events);
	assert_false(o->namespaces);
	cli_free(&l.cli);
	o = &parsed(&l, "--namespaces")->session.session;
	assert_false(o->switch_events);
	assert_true(o->namespaces);
	cli_free(&l.cli);
}

static void expect_hot(const char *line, size_t hot, bool given)
{
	struct line l;
	struct cli *cli = parsed(&l, line);

	if (cli->hot != hot || cli->hot_given != given)
		fail_msg("'%s': %zu, given %d", line, cli->hot,
			 cli->hot_given);
	cli_free(cli);
}

TEST(test_flame)
{
	static const struct {
		const char *line;
		bool quiet;
	} cases[] = {
		{ "--flame x.svg", true },
		{ "--flame -", true },
		{ "-i x --flame y --time 1,2", true },
		{ "--flame x.svg -b", false },
		{ "-i x --format csv --flame y", false },
		{ "--flame - --textfile y", false },
		{ "--sim cpus=1 --fail-on lost --flame x", false },
	};
	struct line l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct cli *cli = parsed(&l, cases[i].line);

		assert_non_null(cli->flame);
		assert_true(cli->batch);
		assert_int_equal(cli->quiet, cases[i].quiet);
		cli_free(&l.cli);
	}
	assert_false(parsed(&l, "-b")->quiet);
	cli_free(&l.cli);
	expect_refused("--flame - -b", "--flame -: -b");
	expect_refused("--fail-on lost --flame -", "--flame -: -b");
	expect_refused("--flame=", "--flame ''");
	expect_refused("--flame x --decode 0", "--flame and --decode 0");
	expect_refused("--flame x --host", "--flame and --host");
}

TEST(test_hot)
{
	expect_hot("-b", 0, false);
	expect_hot("--format json", 20, false);
	expect_hot("--format json --hot 5", 5, true);
	expect_hot("--hot 0 --format json", 0, true);
	expect_hot("-b --hot 7", 7, true);
	expect_hot("--sim cpus=1 --format json", 20, false);
	expect_hot("--sim cpus=1 -b --hot 3", 3, true);
}

TEST(test_decode)
{
	struct line l;
	struct cli *cli = parsed(&l, "");

	assert_true(cli->session.decode_rate == SESSION_SOURCE_DECODE_RATE);
	cli_free(cli);
	cli = parsed(&l, "--decode 0 --format json");
	assert_true(cli->session.decode_rate == 0);
	cli_free(cli);
	cli = parsed(&l, "--sim cpus=1 --decode 500");
	assert_true(cli->session.decode_rate == 500);
	cli_free(cli);
}

static const struct {
	const char *line, *names;
} refused[] = {
	{ "-g dwarf", "64 KiB" },
	{ "-g lbr", "-g lbr" },
	{ "--call-graph dwarf", "unwinder" },
	{ "--call-graph dwarf,8192", "unwinder" },
	{ "--call-graph lbr", "Intel" },
	{ "--call-graph dwarfs", "'dwarfs'" },
	{ "--call-graph no", "'no'" },
	{ "--call-graph", "MODE" },
	{ "-g --max-stack 0", "--max-stack 0" },
	{ "-g --max-stack 65536", "--max-stack" },
	{ "--max-stack 5", "-g" },
	{ "--data=1", "--data" },
	{ "-b --hot -1", "--hot" },
	{ "-b --hot many", "--hot" },
	{ "-b --hot 100001", "--hot" },
	{ "--decode fast", "--decode" },
	{ "--decode -1", "--decode" },
	{ "-b --hot 5 --decode 0", "--decode 0" },
	{ "--sim cpus=4 -g", "-g and --sim" },
	{ "--sim cpus=4 --data", "--data and --sim" },
	{ "--sim cpus=4 --namespaces", "--namespaces and --sim" },
};

TEST(test_refused)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		expect_refused(refused[i].line, refused[i].names);
}

TEST_GROUP(cli_samples);
