/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "cli/cli.h"
#include "tests/unit/cli_line.h"

TEST(test_nothing_given)
{
	struct line l;
	struct cli *cli = parsed(&l, "");

	assert_int_equal(cli->command, CLI_RUN);
	assert_int_equal(cli->session.session.target.mode, TARGET_SYSTEM);
	assert_int_equal(cli->session.session.events.nr, 1);
	assert_ptr_equal(cli->format, &export_text);
	assert_false(cli->batch);
	assert_false(cli->session.session.enable_on_exec);
	assert_null(cli->workload);
	assert_string_equal(cli->warning, "");
	cli_free(cli);
}

TEST(test_events)
{
	struct line l;
	struct session_opts *o =
		&parsed(&l, "-e cpu-clock -e page-faults,task-clock:u -F 99")
			 ->session.session;

	assert_int_equal(o->events.nr, 3);
	assert_string_equal(o->events.specs[0].name, "cpu-clock");
	assert_string_equal(o->events.specs[1].name, "page-faults");
	assert_int_equal(o->freq, 99);
	assert_int_equal(o->period, 0);
	cli_free(&l.cli);
	o = &parsed(&l, "-c 1000")->session.session;
	assert_int_equal(o->period, 1000);
	assert_int_equal(o->freq, 0);
	cli_free(&l.cli);
}

TEST(test_cgroups)
{
	struct line l;
	struct event_list *events;

	events = &parsed(&l, "-a -e cpu-clock -e page-faults -G web")
			  ->session.session.events;
	assert_string_equal(events->specs[0].cgroup, "web");
	assert_string_equal(events->specs[1].cgroup, "web");
	cli_free(&l.cli);
	events = &parsed(&l, "-G web")->session.session.events;
	assert_string_equal(events->specs[0].cgroup, "web");
	cli_free(&l.cli);
}

struct target_case {
	const char *line;
	enum target_mode mode;
	bool inherit, on_exec, duration;
	const char *warning;	/* its beginning */
};

static const struct target_case targets[] = {
	{ "-a", TARGET_SYSTEM, false, false, false, "" },
	{ "-C 0-1", TARGET_CPUS, false, false, false, "" },
	{ "-a -C 0", TARGET_CPUS, false, false, false, "" },
	{ "-p 1", TARGET_TASKS, true, false, false, "" },
	{ "-p 1 --no-inherit", TARGET_TASKS, false, false, false, "" },
	/* perf-record(1): -t disables inheritance, --inherit enables it */
	{ "-t 1", TARGET_TASKS, false, false, false, "" },
	{ "-t 1 --inherit", TARGET_TASKS, true, false, false, "" },
	{ "--per-thread -t 1", TARGET_THREADS, false, false, false, "" },
	{ "--per-thread -p 1", TARGET_THREADS, false, false, false, "" },
	{ "-- true", TARGET_TASKS, true, true, false, "" },
	{ "true -a", TARGET_TASKS, true, true, false, "" },
	{ "--per-thread true", TARGET_THREADS, false, true, false, "" },
	{ "-a true", TARGET_SYSTEM, false, false, true, "" },
	{ "-C 0 true", TARGET_CPUS, false, false, true, "" },
	{ "-p 1 true", TARGET_TASKS, true, false, true, "" },
	{ "-t 1 true", TARGET_TASKS, false, false, true, "" },
	{ "-p 1 -C 0", TARGET_TASKS, true, false, false,
	  "PID/TID switch overriding CPU" },
	{ "-t 1 -a", TARGET_TASKS, false, false, false,
	  "PID/TID switch overriding SYSTEM" },
	{ "--per-thread -a", TARGET_SYSTEM, false, false, false,
	  "SYSTEM/CPU switch overriding PER-THREAD" },
	{ "--per-thread -C 0", TARGET_CPUS, false, false, false,
	  "SYSTEM/CPU switch overriding PER-THREAD" },
	{ "--per-thread", TARGET_SYSTEM, false, false, false,
	  "SYSTEM/CPU switch overriding PER-THREAD" },
};

static void check_target(const struct target_case *t)
{
	struct line l;
	struct cli *cli = parsed(&l, t->line);
	const struct target *target = &cli->session.session.target;

	if (target->mode != t->mode || target->inherit != t->inherit ||
	    cli->session.session.enable_on_exec != t->on_exec ||
	    cli->session.workload_is_duration != t->duration)
		fail_msg("'%s': mode %d inherit %d on_exec %d duration %d",
			 t->line, target->mode, target->inherit,
			 cli->session.session.enable_on_exec,
			 cli->session.workload_is_duration);
	if (strncmp(cli->warning, t->warning, strlen(t->warning)) != 0 ||
	    !*t->warning != !*cli->warning)
		fail_msg("'%s': warning '%s'", t->line, cli->warning);
	cli_free(cli);
}

TEST(test_targets)
{
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		check_target(&targets[i]);
}

TEST(test_ids)
{
	struct line l;
	struct target *target = &parsed(&l, "-p 1,22 -t 333 -p 4")
					 ->session.session.target;

	assert_int_equal(target->nr_pids, 3);
	assert_int_equal(target->pids[1], 22);
	assert_int_equal(target->pids[2], 4);
	assert_int_equal(target->nr_tids, 1);
	assert_int_equal(target->tids[0], 333);
	cli_free(&l.cli);
}

TEST(test_pids_drop_cpus)
{
	struct line l;

	parsed(&l, "-C 0-1 -p 1");
	assert_int_equal(l.cli.session.session.target.cpus.nr, 0);
	cli_free(&l.cli);
}

TEST(test_ring_sizes)
{
	static const struct {
		const char *line;
		uint64_t pages, bytes;	/* one of the two is not 0 */
	} cases[] = {
		{ "-m 1", 1, 0 },     { "-m 128", 128, 0 },
		{ "-m 100", 128, 0 }, { "-m 512K", 0, 512 << 10 },
		{ "-m 3m", 0, 4 << 20 }, { "-m 1B", 1, 0 },
		{ "-m 65537B", 0, 128 << 10 }, { "-m 1G", 0, 1 << 30 },
	};
	struct line l;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t want = cases[i].pages ?
				cases[i].pages * sys_page_size() :
				cases[i].bytes;

		parsed(&l, cases[i].line);
		assert_int_equal(l.cli.session.session.ring_bytes, want);
		cli_free(&l.cli);
	}
}

TEST(test_wakeups)
{
	struct line l;
	struct session_opts *o;

	o = &parsed(&l, "--watermark 64K")->session.session;
	assert_int_equal(o->watermark, 65536);
	assert_true(o->watermark_ratio == 0);
	cli_free(&l.cli);
	o = &parsed(&l, "--watermark 64K --watermark 25%")->session.session;
	assert_true(o->watermark_ratio == .25);
	assert_int_equal(o->watermark, 0);
	cli_free(&l.cli);
	o = &parsed(&l, "--wakeup-events 10")->session.session;
	assert_int_equal(o->wakeup_events, 10);
	cli_free(&l.cli);
}

TEST(test_flags)
{
	struct line l;
	struct cli *cli;

	cli = parsed(&l, "--overwrite --with-self --affinity --readers 3");
	assert_true(cli->session.session.overwrite);
	assert_true(cli->session.with_self);
	assert_true(cli->session.affinity);
	assert_int_equal(cli->session.readers, 3);
	assert_int_equal(cli->session.realtime, SESSION_SOURCE_REALTIME_AUTO);
	cli_free(cli);
	cli = parsed(&l, "-r 0");
	assert_int_equal(cli->session.realtime, 0);
	cli_free(cli);
	cli = parsed(&l, "-r 99");
	assert_int_equal(cli->session.realtime, 99);
	cli_free(cli);
	cli = parsed(&l, "--realtime 1");
	assert_int_equal(cli->session.realtime, 1);
	cli_free(cli);
	cli = parsed(&l, "--ascii --readonly --config /x/y");
	assert_true(cli->ascii);
	assert_true(cli->readonly);
	assert_string_equal(cli->config_path, "/x/y");
	cli_free(cli);
}

TEST(test_batch)
{
	struct line l;
	struct cli *cli = parsed(&l, "-b -n 3 -d 0.5");

	assert_true(cli->batch);
	assert_int_equal(cli->ticks, 3);
	assert_true(cli->delay_given);
	assert_true(cli->delay == .5);
	cli_free(cli);
	cli = parsed(&l, "-n 3"); /* also for the screen, as in top(1) */
	assert_false(cli->batch);
	assert_int_equal(cli->ticks, 3);
	cli_free(cli);
	cli = parsed(&l, "--format json");
	assert_true(cli->batch);
	assert_ptr_equal(cli->format, &export_json);
	assert_false(cli->delay_given);
	cli_free(cli);
}

TEST(test_workload)
{
	struct line l;
	struct cli *cli = parsed(&l, "-b -- sleep -n 1");

	assert_string_equal(cli->workload[0], "sleep");
	assert_string_equal(cli->workload[1], "-n");
	assert_string_equal(cli->workload[2], "1");
	assert_null(cli->workload[3]);
	assert_int_equal(cli->ticks, 0);
	cli_free(cli);
}

TEST(test_freq_max)
{
	struct line l;

	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(parse(&l, "-F max"), -EACCES);
	assert_int_equal(err_exit_status(&l.err), 1);
	sys_fail_at(SYS_OPEN_FILE, 0, 0);
}

TEST(test_sim)
{
	struct line l;
	struct cli *cli = parsed(&l, "--sim cpus=4 -b");

	assert_string_equal(cli->sim, "cpus=4");
	assert_int_equal(cli->session.session.events.nr, 0);
	cli_free(cli);
}

TEST(test_commands)
{
	struct line l;

	assert_int_equal(parsed(&l, "-h --no-such-thing")->command, CLI_HELP);
	assert_int_equal(parsed(&l, "--help")->command, CLI_HELP);
	assert_int_equal(parsed(&l, "-b -V")->command, CLI_VERSION);
	assert_int_equal(parsed(&l, "--version")->command, CLI_VERSION);
	assert_int_equal(parsed(&l, "--doctor")->command, CLI_DOCTOR);
	assert_ptr_equal(parsed(&l, "--doctor")->format, &export_text);
	assert_ptr_equal(parsed(&l, "--doctor --format json")->format,
			 &export_json);
	expect_refused("--doctor --format csv", "text and json");
	expect_refused("--doctor --host", "--host and --doctor");
	expect_refused("-n 1 --doctor", "-n and --doctor");
	expect_refused("--doctor -- ls", "runs no command");
}

/* Lines that cannot be parsed, and what the message must name. */
static const struct {
	const char *line, *names;
} refused[] = {
	{ "-x", "-x" },
	{ "--bogus", "--bogus" },
	{ "--read", "--read" },
	{ "--batch=3", "--batch" },
	{ "-m", "DATA[,AUX]" },
	{ "--filter", "FILTER" },
	{ "-e no-such-event", "no-such-event" },
	{ "-e cpu-clock --filter x==1", "filter" },
	{ "--filter x==1", "-e" },
	{ "-F 0", "-F 0" },
	{ "-F many", "-F" },
	{ "-c 0", "-c 0" },
	{ "-c -1", "-c" },
	{ "-c 9223372036854775808", "-c" },
	{ "-F 99 -c 1000", "-F and -c" },
	{ "-G web -e cpu-clock", "-G" },
	{ "-G web -p 1", "-G" },
	{ "-C 3-1", "-C" },
	{ "-C x", "-C" },
	{ "-p 0", "-p 0" },
	{ "-p 1,,2", "-p" },
	{ "-p -5", "-p" },
	{ "-t 99999999999", "-t" },
	{ "--inherit --no-inherit", "--inherit" },
	{ "-m 0", "-m 0" },
	{ "-m 3T", "-m 3T" },
	{ "-m 262145", "-m 262145" },
	{ "-m 18446744073709551616", "-m" },
	{ "-m 4X", "-m" },
	{ "--watermark 0", "--watermark" },
	{ "--watermark 0%", "--watermark" },
	{ "--watermark 100%", "--watermark" },
	{ "--watermark nan%", "--watermark" },
	{ "--watermark 5%%", "--watermark" },
	{ "--watermark 8K -m 8K", "--watermark" },
	{ "--watermark 8K --wakeup-events 2", "--wakeup-events" },
	{ "--wakeup-events 0", "--wakeup-events" },
	{ "--readers 0", "--readers" },
	{ "--readers 101", "--readers" },
	{ "-r 100", "-r" },
	{ "--realtime high", "-r" },
	{ "--sim cpus=4 -r 1", "-r and --sim" },
	{ "-b -n 0", "-n 0" },
	{ "-b -n -1", "-n" },
	{ "-b -d 0", "-d" },
	{ "-b -d -1", "-d" },
	{ "--format xml", "text, json" },
	{ "--sim cpus=4 -e cpu-clock", "-e and --sim" },
	{ "--sim cpus=4 --readers 2", "--readers and --sim" },
	{ "--sim cpus=4 -a", "-a and --sim" },
	{ "--sim cpus=4 true", "true" },
};

TEST(test_refused)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		expect_refused(refused[i].line, refused[i].names);
}

TEST(test_help)
{
	char *text = NULL, *line, *rest;
	size_t size, lines = 0;
	FILE *out = open_memstream(&text, &size);

	cli_print_help(out);
	fclose(out);
	assert_non_null(strstr(text, "\n  -m, --mmap-pages DATA[,AUX] "));
	assert_non_null(strstr(text, "\n      --per-thread  "));
	assert_non_null(strstr(text, "\nWhat samples hold:\n  -g   "));
	assert_non_null(strstr(text, "\n  -W, --weight  "));
	assert_non_null(strstr(text, "cpus="));
	for (rest = text; (line = strsep(&rest, "\n")); lines++)
		if (strlen(line) > 79)
			fail_msg("wider than 79 columns: %s", line);
	assert_true(lines > 40);
	free(text);
}

TEST(test_version)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cli_print_version(out);
	fclose(out);
	assert_memory_equal(text, "rbtop ", 6);
	assert_non_null(strstr(text, "jansson"));
	assert_non_null(strstr(text, "libelf"));
	assert_non_null(strstr(text, "Formats: text, json"));
	free(text);
}

/* Write an rc file with @text; the caller removes it. */
static void write_rc(char *path, const char *text)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

TEST(test_config_under_options)
{
	char rc[] = "/tmp/rbtop-test-cli.XXXXXX", line[128], path[PATH_MAX];
	struct config config;
	struct line l;

	write_rc(rc, "[screen]\ndelay = 3\nscheme = mono\n");
	snprintf(line, sizeof(line), "--config %s --readonly", rc);
	parsed(&l, line);
	assert_int_equal(cli_load_config(&l.cli, NULL, &config, path, &l.err),
			 0);
	assert_string_equal(path, rc);
	assert_true(config.delay == 3);
	assert_true(config.readonly);
	assert_false(config.ascii);
	assert_true(config.mouse);
	assert_int_equal(config.scheme, CONFIG_SCHEME_MONO);
	cli_free(&l.cli);

	snprintf(line, sizeof(line), "--config %s -d 2 --ascii --scheme LIGHT "
		 "--no-mouse",
		 rc);
	parsed(&l, line);
	assert_int_equal(cli_load_config(&l.cli, NULL, &config, path, &l.err),
			 0);
	assert_true(config.delay == 2);
	assert_int_equal(config.scheme, CONFIG_SCHEME_LIGHT);
	assert_true(config.no_mouse);
	assert_true(config.mouse);
	assert_true(config.ascii);
	assert_false(config.ascii_kept);
	cli_free(&l.cli);
	unlink(rc);
}

TEST(test_bad_config)
{
	char rc[] = "/tmp/rbtop-test-cli.XXXXXX", line[128], path[PATH_MAX];
	struct config config;
	struct line l;

	write_rc(rc, "[screen]\nbogus = 3\n");
	snprintf(line, sizeof(line), "--config %s", rc);
	parsed(&l, line);
	assert_int_equal(cli_load_config(&l.cli, NULL, &config, path, &l.err),
			 -EINVAL);
	assert_int_equal(err_exit_status(&l.err), 2);
	cli_free(&l.cli);
	unlink(rc);
}

static int no_keys(const struct config *config, const char *path,
		   struct err *err)
{
	return config->nr_keys ? err_usage(err, "%s:%d: no such key", path,
					   config->keys[0].line) : 0;
}

static int load_usual(const char *text, struct config *config, char *path,
		      struct err *err)
{
	char dir[] = "/tmp/rbtop-test-cli.XXXXXX", rc[128], sub[64];
	struct line l;
	FILE *out;
	int ret;

	assert_non_null(mkdtemp(dir));
	snprintf(sub, sizeof(sub), "%s/rbtop", dir);
	assert_int_equal(mkdir(sub, 0700), 0);
	snprintf(rc, sizeof(rc), "%s/rbtoprc", sub);
	out = fopen(rc, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	setenv("XDG_CONFIG_HOME", dir, 1);
	parsed(&l, "-d 2");
	ret = cli_load_config(&l.cli, no_keys, config, path, err);
	cli_free(&l.cli);
	unsetenv("XDG_CONFIG_HOME");
	assert_string_equal(path, rc);
	unlink(rc);
	rmdir(sub);
	rmdir(dir);
	return ret;
}

/*
 * With an error, the usual file is ignored completely; that of --config ends
 * the program.
 */
TEST(test_bad_keys)
{
	static const char text[] = "[screen]\nscheme = mono\n"
				   "[keys]\nquit = Nope\n";
	char rc[] = "/tmp/rbtop-test-cli.XXXXXX", line[128], path[PATH_MAX];
	struct config config;
	struct err err = { 0 };
	struct line l;

	assert_int_equal(load_usual("[screen]\nscheme = mono\n", &config,
				    path, &err), 0);
	assert_int_equal(config.scheme, CONFIG_SCHEME_MONO);
	assert_int_equal(load_usual(text, &config, path, &err), 1);
	assert_non_null(strstr(err.text, "/rbtop/rbtoprc:4: no such key"));
	assert_int_equal(config.scheme, CONFIG_SCHEME_DEFAULT);
	assert_int_equal(config.nr_keys, 0);
	assert_true(config.delay == 2);

	write_rc(rc, text);
	snprintf(line, sizeof(line), "--config %s", rc);
	parsed(&l, line);
	assert_int_equal(cli_load_config(&l.cli, no_keys, &config, path,
					 &l.err), -EINVAL);
	assert_int_equal(err_exit_status(&l.err), 2);
	cli_free(&l.cli);
	unlink(rc);
}

TEST_GROUP(cli);
