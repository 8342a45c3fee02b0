/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "cli/cli.h"
#include "tests/unit/cli_line.h"

/* The options of AUX rings, snapshots and recordings. */

TEST(test_nothing_given)
{
	struct line l;
	struct cli *cli = parsed(&l, "");
	static const struct source_snapshots none;

	assert_false(cli->session.aux.asked);
	assert_false(cli->session.aux.full_trace);
	assert_int_equal(cli->session.aux.aux_bytes, 0);
	assert_int_equal(cli->session.aux.snapshot_bytes, 0);
	assert_memory_equal(&cli->session.snapshots, &none, sizeof(none));
	cli_free(cli);
}

TEST(test_ring_sizes)
{
	const uint64_t page = sys_page_size();
	const struct {
		const char *line;
		uint64_t data, aux;	/* 0: not given */
	} cases[] = {
		{ "-m 4", 4 * page, 0 },
		{ "-m 4,8", 4 * page, 8 * page },
		{ "-m ,8", 0, 8 * page },
		{ "-m 512K,16M", 512 << 10, 16 << 20 },
		{ "-m 3,3M", 4 * page, 4 << 20 },
		{ "-m ,1B", 0, page },
		{ "--mmap-pages=,1G", 0, 1 << 30 },
		{ "-m 4 -m ,8", 4 * page, 8 * page },
	};
	struct line l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parsed(&l, cases[i].line);
		assert_int_equal(l.cli.session.session.ring_bytes,
				 cases[i].data);
		assert_int_equal(l.cli.session.aux.aux_bytes, cases[i].aux);
		assert_int_equal(l.cli.session.aux.asked, cases[i].aux != 0);
		cli_free(&l.cli);
	}
}

TEST(test_modes)
{
	static const struct {
		const char *line;
		uint64_t bytes;
		bool full;
	} cases[] = {
		{ "-S", 0, false }, { "-S4096", 4096, false },
		{ "-S64K", 65536, false }, { "-S64K -S", 0, false },
		{ "--snapshot", 0, false },
		{ "--snapshot=1M", 1 << 20, false },
		{ "-Se", 0, false }, { "-Se64K", 65536, false },
		{ "--snapshot=e1M", 1 << 20, false },
		{ "--full-trace", 0, true },
	};
	struct line l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parsed(&l, cases[i].line);
		assert_true(l.cli.session.aux.asked);
		assert_int_equal(l.cli.session.aux.snapshot_bytes,
				 cases[i].bytes);
		assert_int_equal(l.cli.session.aux.full_trace, cases[i].full);
		assert_int_equal(l.cli.session.snapshots.at_exit,
				 strstr(cases[i].line, "Se") ||
					 strstr(cases[i].line, "=e"));
		cli_free(&l.cli);
	}
}

/* -o records all trace, if no snapshots were requested. */
TEST(test_recorded)
{
	static const struct {
		const char *line;
		bool full;
	} cases[] = {
		{ "-o a", true },
		{ "-o a -m ,1M", true },
		{ "-o a --full-trace", true },
		{ "-o a -S", false },
		{ "-o a -Se", false },
		{ "-o a --snapshot-on lost", false },
		{ "-o a --snapshot-on exit", false },
		{ "-o a --snapshot-every 1", false },
		{ "-o a --overwrite", false },
		{ "-m ,1M", false },
	};
	struct line l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parsed(&l, cases[i].line);
		assert_int_equal(l.cli.session.aux.full_trace, cases[i].full);
		cli_free(&l.cli);
	}
	/* there need not be any trace */
	assert_false(parsed(&l, "-o a")->session.aux.asked);
	cli_free(&l.cli);
}

/* An optional argument has to be joined, so the next word is not one. */
TEST(test_size_is_joined)
{
	struct line l;

	parsed(&l, "-S x64K");
	assert_int_equal(l.cli.session.aux.snapshot_bytes, 0);
	assert_string_equal(l.cli.workload[0], "x64K");
	cli_free(&l.cli);
	/* for a program of that name */
	parsed(&l, "-S -- 64K");
	assert_string_equal(l.cli.workload[0], "64K");
	cli_free(&l.cli);
	parsed(&l, "-bS -n 3");
	assert_true(l.cli.session.aux.asked);
	assert_int_equal(l.cli.ticks, 3);
	cli_free(&l.cli);
}

TEST(test_snapshots)
{
	struct line l;
	const struct source_snapshots *s =
		&parsed(&l, "--snapshot-every 2.5 --snapshot-on fill>80% "
			    "--snapshot-cooldown 250ms --output /var/tmp "
			    "--keep 7 --history 1M -o a.data")
			 ->session.snapshots;

	assert_true(s->every == 2.5);
	assert_string_equal(s->on, "fill>80%");
	assert_true(s->cooldown == .25);
	assert_string_equal(s->dir, "/var/tmp");
	assert_int_equal(s->keep, 7);
	assert_int_equal(s->history, 1 << 20);
	assert_string_equal(s->record, "a.data");
	/* snapshots can be of overwrite rings only */
	assert_false(l.cli.session.aux.asked);
	cli_free(&l.cli);
	assert_int_equal(parsed(&l, "--keep 0")->session.snapshots.keep, 0);
	cli_free(&l.cli);
}

/* Options of snapshots of simulated rings: when, where to and how many. */
TEST(test_snapshots_of_sim)
{
	struct line l;
	const struct source_snapshots *s =
		&parsed(&l, "--sim=cpus=1 --snapshot-every=2 --keep=7 "
			    "--snapshot-on=lost --snapshot-on=exit "
			    "--snapshot-cooldown=1 --output=/tmp "
			    "--history=1M")
			 ->session.snapshots;

	assert_string_equal(l.cli.sim, "cpus=1");
	assert_true(s->every == 2);
	assert_string_equal(s->on, "lost");
	assert_true(s->at_exit);
	assert_true(s->cooldown == 1);
	assert_string_equal(s->dir, "/tmp");
	assert_int_equal(s->keep, 7);
	assert_int_equal(s->history, 1 << 20);
	cli_free(&l.cli);
}

TEST(test_conditions)
{
	static const char *const good[] = {
		"lost", "throttle", "truncated", "fill>80%", "comm==dd",
		"cpu<2&&event~sys_enter", "call:main",
	};
	char text[64];
	struct line l;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), "--snapshot-on %s", good[i]);
		assert_string_equal(parsed(&l, text)->session.snapshots.on,
				    good[i]);
		cli_free(&l.cli);
	}
}

/* call: works for overwrite rings: its event is polled, no drain is needed. */
TEST(test_call_of_overwrite_rings)
{
	struct line l;

	assert_string_equal(parsed(&l, "--overwrite --snapshot-on call:main")
				    ->session.snapshots.on,
			    "call:main");
	cli_free(&l.cli);
}

TEST(test_exit)
{
	struct line l;
	const struct source_snapshots *s =
		&parsed(&l, "--overwrite --snapshot-on exit --snapshot-every 1")
			 ->session.snapshots;

	assert_true(s->at_exit);
	assert_null(s->on);
	cli_free(&l.cli);
	s = &parsed(&l, "--snapshot-on exit --snapshot-on lost")
		     ->session.snapshots;
	assert_true(s->at_exit);
	assert_string_equal(s->on, "lost");
	cli_free(&l.cli);
}

/* A warning reports rounded sizes. */
TEST(test_rounded)
{
	struct line l;

	assert_string_equal(parsed(&l, "-m 4,16M")->warning, "");
	cli_free(&l.cli);
	assert_non_null(strstr(parsed(&l, "-m ,3")->warning,
			       "-m ,AUX: rounding mmap pages size to "));
	assert_non_null(strstr(l.cli.warning, "(4 pages)"));
	cli_free(&l.cli);
	/* in addition to another warning */
	assert_non_null(strstr(parsed(&l, "-m 3 --per-thread -a")->warning,
			       "(4 pages); SYSTEM/CPU switch overriding"));
	cli_free(&l.cli);
}

TEST(test_filters)
{
	struct line l;
	struct event_list *events;

	/* whether a PMU traces is known only when it is opened */
	if (access("/sys/bus/event_source/devices/msr/events/tsc", R_OK))
		skip();
	events = &parsed(&l, "-e cpu-clock -e msr/tsc/ --aux-filter main")
			  ->session.session.events;
	assert_null(events->specs[0].aux_filter);
	assert_string_equal(events->specs[1].aux_filter, "main");
	cli_free(&l.cli);
}

/* Lines that cannot be parsed, and what the message must name. */
static const struct {
	const char *line, *names;
} refused[] = {
	{ "-m 4,", "-m ,AUX" },
	{ "-m ,", "-m ,AUX" },
	{ "-m ,0", "-m ,AUX 0" },
	{ "-m 0,4", "-m 0" },
	{ "-m x,4", "-m" },
	{ "-m 4,x", "-m ,AUX" },
	{ "-m 4,4,4", "-m ,AUX" },
	{ "-m ,3T", "-m ,AUX 3T" },
	{ "-S0", "-S 0" },
	{ "-Sx", "-S" },
	{ "--snapshot=", "-S" },
	{ "--snapshot=x", "-S" },
	{ "--full-trace=1", "--full-trace takes no argument" },
	{ "-S --full-trace", "-S and --full-trace" },
	{ "--full-trace --snapshot-every 1",
	  "--snapshot-every and --full-trace" },
	{ "--snapshot-on lost --full-trace", "--snapshot-on and --full-trace" },
	{ "--snapshot-on lost --overwrite", "--snapshot-on and --overwrite" },
	{ "--snapshot-on call:main --full-trace",
	  "--snapshot-on and --full-trace" },
	{ "--snapshot-on call:/bin/app", "call:PATH:FUNC" },
	{ "--snapshot-cooldown 3", "--snapshot-on" },
	{ "--snapshot-every 0", "--snapshot-every" },
	{ "--snapshot-every x", "--snapshot-every" },
	{ "--snapshot-on lust", "lust" },
	{ "--snapshot-on lost||throttle", "use one of lost" },
	{ "--snapshot-on lost||fill>80%", "use one of lost" },
	{ "--snapshot-on fil>50%", "call:FUNC and exit, or an expression" },
	{ "--snapshot-on lost --snapshot-on throttle",
	  "'lost' and 'throttle': give only" },
	{ "--snapshot-on exit --full-trace", "exit and --full-trace" },
	{ "-Se --full-trace", "-S and --full-trace" },
	{ "-S 64K", "-S64K" },
	{ "-a -S e64K", "-Se64K" },
	{ "--snapshot 64K", "-S64K" },
	{ "-o a -o b", "-o a and -o b" },
	{ "--snapshot-on sym==main", "sym" },
	{ "--snapshot-on lost --snapshot-cooldown 0", "--snapshot-cooldown" },
	{ "--keep -1", "--keep" },
	{ "--keep many", "--keep" },
	{ "--history 0", "--history 0" },
	{ "--history 65G", "--history 65G" },
	{ "--history", "SIZE" },
	{ "--output=", "--output" },
	{ "-o -", "-o '-'" },
	{ "-o", "FILE" },
	{ "--perf-version", "VERSION" },
	{ "--perf-version=6", "--perf-version '6'" },
	{ "--perf-version 6.", "--perf-version '6.'" },
	{ "--perf-version -6.1", "--perf-version" },
	{ "--perf-version 6.x", "--perf-version '6.x'" },
	{ "--perf-version 6.1a", "--perf-version '6.1a'" },
	{ "--perf-version 6.256", "--perf-version '6.256'" },
	{ "--perf-version 99999999999999999999.1", "--perf-version '9999" },
	{ "--perf-version 6.0", "files is 6.1" },
	{ "--perf-version 5.19", "files is 6.1" },
	{ "--sim cpus=1 --perf-version 6.1", "--perf-version and --sim" },
	{ "--aux-filter main", "-e" },
	{ "-e cpu-clock --aux-filter main", "--aux-filter" },
	{ "--sim cpus=1 -S", "-S and --sim" },
	{ "--sim cpus=1 -o x", "-o and --sim" },
	{ "--sim cpus=1 --full-trace", "--full-trace and --sim" },
};

TEST(test_perf_version)
{
	static const struct {
		const char *line;
		unsigned int version;
	} cases[] = {
		{ "", 0 },
		{ "--perf-version 6.1", AUXTRACE_PERF_MIN },
		{ "--perf-version=6.14", AUXTRACE_PERF(6, 14) },
		{ "--perf-version 6.1.192", AUXTRACE_PERF(6, 1) },
		{ "--perf-version 6.18-rc3", AUXTRACE_PERF(6, 18) },
		{ "--perf-version 6.13.gadc218676eef", AUXTRACE_PERF(6, 13) },
		{ "--perf-version 7.0", AUXTRACE_PERF(7, 0) },
	};
	struct line l;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parsed(&l, cases[i].line);
		assert_int_equal(l.cli.session.aux.perf, cases[i].version);
		cli_free(&l.cli);
	}
}

TEST(test_refused)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		expect_refused(refused[i].line, refused[i].names);
}

TEST(test_help)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cli_print_help(out);
	fclose(out);
	assert_non_null(strstr(text, "\nTrace and snapshots:\n"
				     "  -S, --snapshot[=SIZE] "));
	assert_non_null(strstr(text, "\n  -o  FILE "));
	assert_non_null(strstr(text, "\n      --snapshot-cooldown SEC "));
	free(text);
}

TEST_GROUP(cli_trace);
