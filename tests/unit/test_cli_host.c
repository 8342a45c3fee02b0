/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "tests/unit/cli_line.h"

/* --host and --textfile. */

TEST(test_nothing_given)
{
	struct line l;
	struct cli *cli = parsed(&l, "-b");

	assert_false(cli->host);
	assert_null(cli->textfile);
	assert_ptr_equal(cli->format, &export_text);
	cli_free(cli);
}

TEST(test_ringbuf_drops)
{
	struct line l;
	struct cli *cli = parsed(&l, "--host -b");

	assert_false(cli->ringbuf_drops);
	cli_free(cli);
	cli = parsed(&l, "--ringbuf-drops --host -p 12");
	assert_true(cli->ringbuf_drops);
	cli_free(cli);
	expect_refused("--ringbuf-drops", "add --host");
}

TEST(test_kinds)
{
	struct line l;
	struct cli *cli = parsed(&l, "--host");

	assert_int_equal(cli_host_filter(cli).kinds, 0);
	cli_free(cli);
	cli = parsed(&l, "--host --kind bpf,ftrace");
	assert_int_equal(cli_host_filter(cli).kinds,
			 1 << RING_BPF | 1 << RING_FTRACE);
	cli_free(cli);
	cli = parsed(&l, "--host --kind perf --kind=ftrace");
	assert_int_equal(cli_host_filter(cli).kinds, 1 << RING_FTRACE);
	cli_free(cli);
	cli = parsed(&l, "--host --kind packet");
	assert_int_equal(cli_host_filter(cli).kinds, 1 << RING_PACKET);
	cli_free(cli);
	expect_refused("--kind perf", "add --host");
	expect_refused("--host --kind perf,x", "--kind 'x'");
	expect_refused("--host --kind perf,", "--kind ''");
	expect_refused("--host --kind per", "--kind 'per'");
	expect_refused("--host --kind=", "--kind ''");
}

TEST(test_whose_rings)
{
	struct host_filter filter;
	struct line l;
	struct cli *cli = parsed(&l, "--host");

	assert_true(cli->host);
	assert_false(cli->batch);
	assert_ptr_equal(cli->format, &export_text);
	filter = cli_host_filter(cli);
	assert_null(filter.pids);
	assert_int_equal(filter.nr_pids, 0);
	assert_null(filter.cpus);
	cli_free(cli);

	/*
	 * both, in either order: there is no session that they could apply to
	 */
	cli = parsed(&l, "-p 12,13 --host -C 0-2");
	filter = cli_host_filter(cli);
	assert_int_equal(filter.nr_pids, 2);
	assert_int_equal(filter.pids[0], 12);
	assert_int_equal(filter.pids[1], 13);
	assert_int_equal(filter.cpus->nr, 3);
	assert_string_equal(cli->warning, "");
	cli_free(cli);
}

/* Those of a command's processes, unless others are asked for. */
TEST(test_rings_of_a_command)
{
	static const struct {
		const char *line;
		bool command, only;
	} cases[] = {
		{ "--host", false, false },
		{ "--host -- sleep 1", true, true },
		{ "--host -C 0 sleep 1", true, true },
		{ "--host -a sleep 1", true, false },
		{ "--host -p 12 sleep 1", true, false },
		{ "sleep 1", true, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct line l;
		struct cli *cli = parsed(&l, cases[i].line);

		assert_int_equal(cli->workload != NULL, cases[i].command);
		assert_int_equal(cli->host_of_command, cases[i].only);
		cli_free(cli);
	}
}

TEST(test_what_goes_with_it)
{
	struct line l;
	struct cli *cli;

	cli = parsed(&l, "--host -b -n 3 -d 0.5 --format json --readonly "
			 "--ascii --config x");
	assert_true(cli->batch && cli->readonly && cli->ascii);
	assert_int_equal(cli->ticks, 3);
	assert_ptr_equal(cli->format, &export_json);
	cli_free(cli);
	/* without a session no event is looked up */
	assert_int_equal(cli->session.session.events.nr, 0);
}

TEST(test_what_does_not)
{
	static const struct {
		const char *line, *names;
	} cases[] = {
		{ "--host -e cpu-clock", "-e and --host" },
		{ "-e cpu-clock --host", "-e and --host" },
		{ "--host -F 99", "-F and --host" },
		{ "--host -g", "-g and --host" },
		{ "--host --data", "--data and --host" },
		{ "--host -t 1", "-t and --host" },
		{ "--host --per-thread -p 1", "--per-thread and --host" },
		{ "--host --inherit", "--inherit and --host" },
		{ "--host -m 4", "-m and --host" },
		{ "--host --overwrite", "--overwrite and --host" },
		{ "--host -r 1", "-r and --host" },
		{ "--host -S", "-S and --host" },
		{ "--host -o x", "-o and --host" },
		{ "--host --snapshot-every 1", "--snapshot-every and --host" },
		{ "--host --hot 5", "--hot and --host" },
		{ "--host --decode 5", "--decode and --host" },
		{ "--host --format script", "script and --host" },
		{ "--host --sim cpus=1", "--host and --sim" },
		{ "--sim cpus=1 --host", "--host and --sim" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refused(cases[i].line, cases[i].names);
}

TEST(test_textfile)
{
	static const struct {
		const char *line;
		const struct export_format *format;
	} cases[] = {
		{ "--host --textfile /x/y.prom", &export_prometheus },
		{ "--textfile /x/y.prom --sim cpus=1", &export_prometheus },
		{ "--format openmetrics --textfile /x/y.prom",
		  &export_openmetrics },
		{ "--textfile /x/y.prom --format text", &export_text },
		{ "--format json --textfile /x/y.prom", &export_json },
	};
	struct line l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parsed(&l, cases[i].line);
		assert_true(l.cli.batch);
		assert_string_equal(l.cli.textfile, "/x/y.prom");
		assert_ptr_equal(l.cli.format, cases[i].format);
		cli_free(&l.cli);
	}
	expect_refused("--textfile -", "--textfile '-'");
	expect_refused("--textfile=", "--textfile ''");
	expect_refused("--textfile", "--textfile needs an argument");
}

TEST(test_metrics)
{
	struct line l;

	parsed(&l, "--format openmetrics");
	assert_true(l.cli.batch);
	assert_ptr_equal(l.cli.format, &export_openmetrics);
	assert_int_equal(l.cli.hot, 0);
	cli_free(&l.cli);
	parsed(&l, "--format prometheus");
	assert_true(l.cli.batch);
	assert_ptr_equal(l.cli.format, &export_prometheus);
	cli_free(&l.cli);
	expect_refused("--format x", "openmetrics, prometheus");
}

TEST_GROUP(cli_host);
