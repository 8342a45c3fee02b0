/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include "tests/unit/cli_line.h"

/* -i, with and without --summary. */

TEST(test_taken)
{
	struct line l;
	struct cli *cli = parsed(&l, "-i some.data --summary");

	assert_int_equal(cli->command, CLI_SUMMARY);
	assert_string_equal(cli->input, "some.data");
	assert_ptr_equal(cli->format, &export_text);
	/* no event is looked up */
	assert_int_equal(cli->session.session.events.nr, 0);
	cli_free(cli);
	cli = parsed(&l, "--format json --summary --input=-");
	assert_int_equal(cli->command, CLI_SUMMARY);
	assert_string_equal(cli->input, "-");
	assert_ptr_equal(cli->format, &export_json);
	cli_free(cli);
	cli = parsed(&l, "-i some.data");
	assert_int_equal(cli->command, CLI_RUN);
	assert_false(cli->batch);
	assert_int_equal(cli->session.session.events.nr, 0);
	cli_free(cli);
	cli = parsed(&l, "-bn 3 -d 0.1 --input - --format csv --fail-on lost");
	assert_int_equal(cli->command, CLI_RUN);
	assert_int_equal(cli->ticks, 3);
	assert_string_equal(cli->input, "-");
	assert_true(cli->gate.on_lost);
	cli_free(cli);
	cli = parsed(&l, "-b");
	assert_null(cli->input);
	cli_free(cli);
}

TEST(test_time)
{
	static const struct {
		const char *line;
		uint64_t from, to;
		enum { NONE, FROM, TO, BOTH, SHARE } since;
	} cases[] = {
		{ "-i x --time 5123.2,5124.000000001", 5123200000000,
		  5124000000001, NONE },
		{ "-i x -b --time 7,", 7000000000, UINT64_MAX, NONE },
		{ "-i x --summary --time ,.5", 0, 500000000, NONE },
		{ "-i x --format script --time 7.,7", 7000000000, 7000000000,
		  NONE },
		{ "-i x --time 9999999999,", UINT64_C(9999999999000000000),
		  UINT64_MAX, NONE },
		{ "-i x --time +6.7,+6.8", 6700000000, 6800000000, BOTH },
		{ "-i x --time +0,", 0, UINT64_MAX, FROM },
		{ "-i x --time 5123,+4", 5123000000000, 4000000000, TO },
		{ "-i x --time 10%-20.5%", 10000000000, 20500000000, SHARE },
		{ "-i x --time 0%-100%", 0, RECORDED_WHOLE, SHARE },
		{ "-i x --time 12.5%/8", 87500000000, RECORDED_WHOLE, SHARE },
	};
	struct line l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cli *cli = parsed(&l, cases[i].line);

		assert_true(cli->span.given);
		assert_true(cli->span.from == cases[i].from);
		assert_true(cli->span.to == cases[i].to);
		assert_int_equal(cli->span.from_since,
				 !!(cases[i].since & FROM));
		assert_int_equal(cli->span.to_since, !!(cases[i].since & TO));
		assert_int_equal(cli->span.share, cases[i].since == SHARE);
		cli_free(cli);
	}
}

TEST(test_refused)
{
	static const struct {
		const char *line, *names;
	} cases[] = {
		{ "-i -", "-i -: the screen reads keys" },
		{ "-i x -a", "-a and -i" },
		{ "-i x -b -e cpu-clock", "-e and -i" },
		{ "-i x -b -m 4", "-m and -i" },
		{ "-i x -b --decode 5", "--decode and -i" },
		{ "-i x -b --textfile y", "--textfile and -i" },
		{ "-i x -b true", "true: -i reads a recording" },
		{ "-i x -b --fail-on stopped", "--fail-on stopped" },
		{ "-i -- true", "--no-inherit" },
		{ "-i", "-i needs an argument" },
		{ "--input= --summary", "-i ''" },
		{ "--summary", "--summary needs -i" },
		{ "--time 1,2", "--time needs -i" },
		{ "-i x --time 5", "--time '5': not START,STOP" },
		{ "-i x --time ,", "--time ','" },
		{ "-i x --time 2,1", "--time '2,1'" },
		{ "-i x --time +2,+1", "--time '+2,+1'" },
		{ "-i x --time +,+1", "--time '+,+1'" },
		{ "-i x --time 1,+", "--time '1,+'" },
		{ "-i x --time ++1,", "--time '++1,'" },
		{ "-i x --time .,5", "--time '.,5'" },
		{ "-i x --time 1,2,3", "--time '1,2,3'" },
		{ "-i x --time -1,2", "--time '-1,2'" },
		{ "-i x --time 1.0000000001,", "--time '1.0000000001,'" },
		{ "-i x --time 10000000000,", "--time '10000000000,'" },
		{ "-i x --time 10%", "--time '10%': not START,STOP" },
		{ "-i x --time 20%-10%", "--time '20%-10%'" },
		{ "-i x --time 10%-20", "--time '10%-20'" },
		{ "-i x --time 10-20%", "--time '10-20%'" },
		{ "-i x --time 10%-101%", "--time '10%-101%'" },
		{ "-i x --time +1%-+2%", "--time '+1%-+2%'" },
		{ "-i x --time 0%-10%,20%-30%", "--time '0%-10%,20%-30%'" },
		{ "-i x --time 10%/0", "--time '10%/0'" },
		{ "-i x --time 10%/11", "--time '10%/11'" },
		{ "-i x --time 0%/1", "--time '0%/1'" },
		{ "-i x --time 10%/", "--time '10%/'" },
		{ "-i x --time 10%/2x", "--time '10%/2x'" },
		{ "-i x --time 1%/100000000000000000001", "--time '1%/1000" },
		{ "-i x --summary --flame y", "--flame and --summary" },
		{ "-i x --summary -b", "-b and --summary" },
		{ "-i x -n 4 --summary", "-n and --summary" },
		{ "-i x --summary -a", "-a and -i" },
		{ "-e cpu-clock -i x --summary", "-e and -i" },
		{ "-i x --summary --host", "--host and -i" },
		{ "-i x --summary --sim cpus=1", "--sim and -i" },
		{ "-i x --summary -m 4", "-m and -i" },
		{ "-i x --summary -o y", "-o and -i" },
		{ "-i x --summary --textfile y", "--textfile and -i" },
		{ "-i x --summary --format csv", "--format csv" },
		{ "-i x --summary true", "true: -i reads a recording" },
		{ "-i x --summary --doctor", "-i and --doctor" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refused(cases[i].line, cases[i].names);
}

TEST_GROUP(cli_input);
