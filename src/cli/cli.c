/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "cli/cli_take.h"
#include "perf/event/event_spec.h"
#include "trace/perfdata/perfdata_reader.h"

enum { LONG_OPTION = 256 };	/* + index: beyond any letter */

/* cli_options in the form for getopt_long(3). */
struct getopt_tables {
	char letters[2 + 3 * CLI_NR_OPTIONS + 1];
	struct option longs[CLI_NR_OPTIONS + 1];
};

static void getopt_tables_fill(struct getopt_tables *t)
{
	/*
	 * '+': options end at the command; ':': a missing argument returns ':',
	 * not '?' as an unknown option does.
	 */
	char *letter = stpcpy(t->letters, "+:");
	struct option *l = t->longs;

	for (size_t i = 0; i < CLI_NR_OPTIONS; i++) {
		const struct cli_option *o = &cli_options[i];

		if (o->name)
			*l++ = (struct option){
				.name = o->name,
				.has_arg = !o->arg ? no_argument :
					   cli_optional(o) ? optional_argument :
							     required_argument,
				.val = LONG_OPTION + (int)i,
			};
		if (o->letter)
			*letter++ = (char)o->letter;
		if (o->letter && o->arg)
			*letter++ = ':';
		if (o->letter && cli_optional(o))
			*letter++ = ':';
	}
	*letter = '\0';
	*l = (struct option){ 0 };
}

/* By the value that getopt_long() returned, or set optopt to; NULL: none. */
static const struct cli_option *find_option(int val)
{
	size_t i;

	if (val >= LONG_OPTION)
		return &cli_options[val - LONG_OPTION];
	for (i = 0; i < CLI_NR_OPTIONS; i++)
		if (val && cli_options[i].letter == val)
			return &cli_options[i];
	return NULL;
}

/* Write "-m" or "--watermark" to @buf, and return it. */
static const char *option_label(const struct cli_option *o, char *buf,
				size_t size)
{
	if (o->letter)
		snprintf(buf, size, "-%c", o->letter);
	else
		snprintf(buf, size, "--%s", o->name);
	return buf;
}

/* The error for "--name=value", which is unknown or ambiguous. */
static int refuse_name(const char *word, struct err *err)
{
	int len = (int)strcspn(word, "=");
	const char *advice, *nearest, *begun;
	char name[64], names[200];

	snprintf(name, sizeof(name), "%.*s", len - 2, word + 2);
	advice = cli_perf_advice(0, name);
	begun = cli_perf_begun(name, names, sizeof(names));
	nearest = cli_perf_nearest(name);
	if (advice)
		return err_usage(err, "rbtop has no %.*s: %s", len, word,
				 advice);
	if (begun)
		return err_usage(err, "ambiguous option %.*s: %s", len, word,
				 begun);
	if (nearest)
		return err_usage(err, "unknown option %.*s: did you mean "
				 "--%s?", len, word, nearest);
	return err_usage(err, "unknown option %.*s, see rbtop -h", len, word);
}

static int refuse_option(int val, const char *word, struct err *err)
{
	const struct cli_option *o = find_option(optopt);
	char label[32];

	if (val == ':' && o)
		return err_usage(err, "%s needs an argument: %s",
				 option_label(o, label, sizeof(label)),
				 o->arg);
	if (o)
		return err_usage(err, "--%s takes no argument", o->name);
	if (optopt && cli_perf_advice(optopt, NULL))
		return err_usage(err, "rbtop has no -%c: %s", optopt,
				 cli_perf_advice(optopt, NULL));
	if (optopt)
		return err_usage(err, "unknown option -%c, see rbtop -h",
				 optopt);
	return refuse_name(word, err);
}

/*
 * --host goes with -p, -C, --kind and --ringbuf-drops, but not with options about
 * events of rbtop.
 */
static bool goes_with_host(const struct cli_option *o)
{
	if (o->section == CLI_SECTION_TARGET)
		return o->letter == 'a' || o->letter == 'C' || o->letter == 'p' ||
		       (o->name && !strcmp(o->name, "kind")) ||
		       o->flag == offsetof(struct cli_parsing, cli.host) ||
		       o->flag == offsetof(struct cli_parsing,
					   cli.ringbuf_drops);
	return o->section > CLI_SECTION_TRACE;
}

/* Of the options about live events, some also apply to simulated rings. */
static bool goes_with_sim(const struct cli_option *o)
{
	return o->section > CLI_SECTION_TRACE ||
	       o->take == cli_take_trace_every || o->take == cli_take_trace_on ||
	       o->take == cli_take_trace_cooldown ||
	       o->take == cli_take_trace_output ||
	       o->take == cli_take_trace_keep ||
	       o->take == cli_take_trace_history;
}

/* --doctor goes with nothing but --format. */
static bool goes_with_doctor(const struct cli_option *o)
{
	return o->flag == offsetof(struct cli_parsing, doctor) ||
	       (o->name && !strcmp(o->name, "format"));
}

/* --summary can be combined only with -i, --time, --format and --fail-on. */
static bool goes_with_summary(const struct cli_option *o)
{
	return o->section == CLI_SECTION_RECORDED ||
	       (o->name && (!strcmp(o->name, "format") ||
			    !strcmp(o->name, "fail-on")));
}

/* -i also with other options of the output. */
static bool goes_with_input(const struct cli_option *o)
{
	static const char *const not[] = { "textfile", "decode" };

	for (size_t i = 0; i < sizeof(not) / sizeof(not[0]); i++)
		if (o->name && !strcmp(o->name, not[i]))
			return false;
	return o->section == CLI_SECTION_RECORDED ||
	       o->section == CLI_SECTION_OUTPUT;
}

/* What goes with an option that sets rbtop up for something else. */
static const struct mode {
	const char *option;
	bool (*takes)(const struct cli_option *o);
	const char *why;		/* others are refused */
	const char *runs_no_command;	/* NULL: it runs one */
	const char *text_or_json;	/* other formats are not; NULL: they are */
} modes[CLI_MODES] = {
	[CLI_MODE_SIM] = {
		.option = "--sim",
		.takes = goes_with_sim,
		.why = "set up the simulation with --sim cpus=4,size=64,...",
		.runs_no_command = "a simulated kernel runs no command",
	},
	[CLI_MODE_HOST] = {
		.option = "--host",
		.takes = goes_with_host,
		.why = "--host shows the rings that exist and opens no events; choose processes and CPUs with -p and -C",
	},
	[CLI_MODE_DOCTOR] = {
		.option = "--doctor",
		.takes = goes_with_doctor,
		.why = "only --format can be combined with --doctor",
		.runs_no_command = "--doctor runs no command",
		.text_or_json = "only text and json are supported",
	},
	[CLI_MODE_INPUT] = {
		/* perf record's, to watch no children, takes no argument */
		.option = "-i",
		.takes = goes_with_input,
		.why = "only output options can be combined with -i",
		.runs_no_command = "-i reads a recording and runs no command; for perf record's -i, use --no-inherit",
	},
	[CLI_MODE_SUMMARY] = {
		.option = "--summary",
		.takes = goes_with_summary,
		.why = "only -i, --time, --format and --fail-on can be combined with --summary",
		.text_or_json = "only text and json are supported",
	},
};

/* Refuse what does not go with the mode. */
static int check_mode(const struct cli_parsing *p, enum cli_mode which,
		      struct err *err)
{
	const struct export_format *format = p->cli.format;
	const struct cli_option *refused = p->refused[which];
	const struct mode *mode = &modes[which];
	char label[32];

	if (refused)
		return err_usage(err, "%s and %s: %s",
				 option_label(refused, label, sizeof(label)),
				 mode->option, mode->why);
	if (p->cli.workload && mode->runs_no_command)
		return err_usage(err, "%s: %s", p->cli.workload[0],
				 mode->runs_no_command);
	if (mode->text_or_json && format != &export_text &&
	    format != &export_json)
		return err_usage(err, "--format %s and %s: %s", format->name,
				 mode->option, mode->text_or_json);
	return 0;
}

static int take_option(struct cli_parsing *p, const struct cli_option *o,
		       const char *arg, struct err *err)
{
	for (int mode = 0; mode < CLI_MODES; mode++)
		if (!modes[mode].takes(o) && !p->refused[mode])
			p->refused[mode] = o;
	if (o->take)
		return o->take(p, arg, err);
	if (o->fields)
		p->cli.session.session.sample_type |= o->fields;
	else
		*(bool *)((char *)p + o->flag) = true;
	return 0;
}

static int read_options(struct cli_parsing *p, int argc, char **argv,
			struct err *err)
{
	struct getopt_tables tables;
	int val, ret;

	getopt_tables_fill(&tables);
	optind = 0;	/* glibc: start afresh */
	opterr = 0;
	while (p->cli.command == CLI_RUN) {
		val = getopt_long(argc, argv, tables.letters, tables.longs,
				  NULL);
		if (val < 0)
			break;
		if (val == '?' || val == ':')
			return refuse_option(val, argv[optind - 1], err);
		p->next = optind < argc ? argv[optind] : NULL;
		p->next_taken = false;
		ret = take_option(p, find_option(val), optarg, err);
		if (ret < 0)
			return ret;
		optind += p->next_taken;
	}
	if (optind < argc)
		p->cli.workload = argv + optind;
	return 0;
}

/* Refuse what does not go with --host: samples, --sim. */
static int check_host(struct cli_parsing *p, struct err *err)
{
	static const char no_samples[] =
		"--host opens no events, so there are no samples";
	int ret;

	if (p->cli.sim)
		return err_usage(err, "--host and --sim: a simulated kernel "
				 "has no rings of other processes");
	ret = check_mode(p, CLI_MODE_HOST, err);
	if (ret < 0)
		return ret;
	if (p->cli.hot_given)
		return err_usage(err, "--hot and --host: %s", no_samples);
	if (p->cli.flame)
		return err_usage(err, "--flame and --host: %s", no_samples);
	if (p->cli.session.decode_rate >= 0)
		return err_usage(err, "--decode and --host: %s", no_samples);
	if (p->cli.format->every_sample)
		return err_usage(err, "--format %s and --host: %s",
				 p->cli.format->name, no_samples);
	p->cli.host_of_command = p->cli.workload && !p->all_cpus &&
				 !p->cli.session.session.target.nr_pids;
	return 0;
}

static int check_input(struct cli_parsing *p, struct err *err)
{
	int ret;

	if (!p->cli.input)
		return err_usage(err, p->summary ? "--summary needs -i FILE: "
				 "the recording to summarize" :
				 "--time needs -i FILE: the recording that it "
				 "is a span of");
	ret = check_mode(p, CLI_MODE_INPUT, err);
	if (ret < 0)
		return ret;
	ret = gate_check(&p->cli.gate, false, err);
	if (ret < 0)
		return ret;
	if (p->summary) {
		p->cli.command = CLI_SUMMARY;
		return check_mode(p, CLI_MODE_SUMMARY, err);
	}
	if (p->cli.format->metrics)
		return err_usage(err, "--format %s and -i: metrics are of now; "
				 "use text, json or csv", p->cli.format->name);
	if (!strcmp(p->cli.input, "-") && !p->cli.batch)
		return err_usage(err, "-i -: the screen reads keys from "
				 "standard input; add -b or --summary");
	return 0;
}

/* --flame alone prints no ticks; "-" must not be mixed with them. */
static int settle_flame(struct cli_parsing *p, struct err *err)
{
	if (p->cli.batch && !p->cli.textfile && !strcmp(p->cli.flame, "-"))
		return err_usage(err, "--flame -: -b, --format and --fail-on "
				 "print reports to standard output; use "
				 "--flame FILE");
	p->cli.quiet = !p->cli.batch;
	p->cli.batch = true;
	return 0;
}

/* Refuse options that contradict each other. */
static int check_pairs(const struct cli_parsing *p, struct err *err)
{
	const struct session_opts *o = &p->cli.session.session;
	bool watermark = o->watermark || o->watermark_ratio > 0;

	if (o->freq && o->period)
		return err_usage(err, "-F and -c: give only one of them: a "
				 "frequency or a period");
	if (watermark && o->wakeup_events)
		return err_usage(err, "--watermark and --wakeup-events: the "
				 "kernel takes only one of them");
	if (o->ring_bytes && o->watermark >= o->ring_bytes)
		return err_usage(err, "--watermark %llu: must be less than "
				 "the ring size of %llu bytes, or the reader "
				 "is never woken",
				 (unsigned long long)o->watermark,
				 (unsigned long long)o->ring_bytes);
	if (o->all_user && o->all_kernel)
		return err_usage(err, "--all-user and --all-kernel: give only "
				 "one of them");
	if (p->inherit && p->no_inherit)
		return err_usage(err, "--inherit and --no-inherit: give only "
				 "one of them");
	if (o->max_stack && !o->callchain)
		return err_usage(err, "--max-stack: it limits callchains; add "
				 "-g");
	if (p->cli.flame && p->cli.session.decode_rate <= 0)
		return err_usage(err, "--flame and --decode 0: a flame graph "
				 "needs decoded samples");
	if (p->cli.hot && p->cli.session.decode_rate <= 0)
		return err_usage(err, "--hot and --decode 0: the hot table "
				 "needs decoded samples");
	return 0;
}

/* The option that takes snapshots without a request; NULL: none. */
static const char *unattended(const struct source_snapshots *s)
{
	if (s->on)
		return "--snapshot-on";
	if (s->every > 0)
		return "--snapshot-every";
	return s->at_exit ? "a snapshot at exit" : NULL;
}

/* Whether "-S 64K" was given, where 64K is the command. */
static bool is_spaced_size(const struct cli_parsing *p)
{
	const char *word = p->after_snapshot;
	uint64_t bytes;

	return word && p->cli.workload && p->cli.workload[0] == word &&
	       isdigit((unsigned char)word[*word == 'e']) &&
	       units_parse_size(word + (*word == 'e'), "-S", &bytes, NULL,
				NULL) == 0;
}

/*
 * In full trace, AUX rings are drained and have nothing left for a snapshot.
 * Conditions other than calls are checked in drains, and overwrite rings are
 * not drained.
 */
static int check_trace(const struct cli_parsing *p, struct err *err)
{
	const struct source_snapshots *s = &p->cli.session.snapshots;
	const char *what = unattended(s);

	if (is_spaced_size(p))
		return err_usage(err, "-S %s: write the size without a space: "
				 "-S%s", p->after_snapshot,
				 p->after_snapshot);
	if (p->cli.session.aux.full_trace && p->snapshot)
		return err_usage(err, "-S and --full-trace: an AUX ring "
				 "either keeps trace for snapshots or is "
				 "drained; give only one of them");
	if (p->cli.session.aux.full_trace && what)
		return err_usage(err, "%s and --full-trace: drained rings "
				 "keep nothing for a snapshot; use -o FILE to "
				 "record the trace", what);
	if (s->on && !call_spec_is(s->on) && p->cli.session.session.overwrite)
		return err_usage(err, "--snapshot-on and --overwrite: records "
				 "in overwrite rings are not seen as they "
				 "arrive; use --snapshot-every, or an event "
				 "that traces, such as -e intel_pt//");
	if (s->cooldown > 0 && !s->on)
		return err_usage(err, "--snapshot-cooldown: it applies to "
				 "--snapshot-on, which is not given");
	return 0;
}

/* As in perf-record(1): a recording has the full trace, unless snapshots do. */
static void settle_trace(struct cli_parsing *p)
{
	const struct source_snapshots *s = &p->cli.session.snapshots;

	if (s->record && !p->snapshot && !unattended(s) &&
	    !p->cli.session.session.overwrite)
		p->cli.session.aux.full_trace = true;
}

/* As in perf-record(1): tasks override CPUs, and CPUs override --per-thread. */
static void settle_target(struct cli_parsing *p)
{
	struct target *target = &p->cli.session.session.target;
	bool listed = target->nr_pids || target->nr_tids;
	bool tasks = listed || target->by_uid;
	bool command = p->cli.workload;
	bool cpus = p->all_cpus || target->cpus.nr;

	if (listed && target->by_uid) {
		cli_warn(p, "PID/TID switch overriding UID");
		target->by_uid = false;
	}
	if (tasks && cpus) {
		cli_warn(p, "%s switch overriding %s",
			 target->by_uid ? "UID" : "PID/TID",
			 target->cpus.nr ? "CPU" : "SYSTEM");
		cpulist_free(&target->cpus);
	}
	if (tasks || (command && !cpus)) {
		target->mode = p->per_thread ? TARGET_THREADS : TARGET_TASKS;
	} else {
		target->mode = target->cpus.nr ? TARGET_CPUS : TARGET_SYSTEM;
		if (p->per_thread)
			cli_warn(p, "SYSTEM/CPU switch overriding PER-THREAD; "
				 "--per-thread needs -p, -t or a command");
	}
	target->inherit = target->mode == TARGET_TASKS && !p->no_inherit &&
			  (p->inherit || !target->nr_tids);
	p->cli.session.workload_is_duration = command && (tasks || cpus);
	p->cli.session.session.enable_on_exec = command && !tasks && !cpus &&
						p->cli.session.start_delay == 0;
}

static int settle_events(struct cli_parsing *p, struct err *err)
{
	struct session_opts *o = &p->cli.session.session;
	bool cpus = o->target.mode == TARGET_SYSTEM ||
		    o->target.mode == TARGET_CPUS;
	size_t i;
	int ret;

	if (!p->event_given) {
		ret = event_list_default(&o->events, &cli_event_env, err);
		if (ret < 0)
			return ret;
	}
	if (p->cgroups && p->event_given)
		return err_usage(err, "-G: give it after the -e whose events "
				 "it applies to");
	if (p->cgroups) {
		ret = event_list_cgroups(&o->events, p->cgroups, err);
		if (ret < 0)
			return ret;
	}
	for (i = 0; i < o->events.nr; i++)
		if (o->events.specs[i].cgroup && !cpus)
			return err_usage(err, "-G needs -a or -C: cgroups are "
					 "watched per CPU");
	return 0;
}

/* The default of --decode; more for a format that lists every sample. */
static void settle_decoding(struct cli *cli)
{
	if (cli->session.decode_rate >= 0)
		return;
	cli->session.decode_rate = cli->format->every_sample ?
				   SESSION_SOURCE_LIST_RATE :
				   SESSION_SOURCE_DECODE_RATE;
}

static int settle(struct cli_parsing *p, struct err *err)
{
	int ret = p->cli.flame ? settle_flame(p, err) : 0;

	if (ret < 0)
		return ret;
	if (!p->cli.format)
		p->cli.format = p->cli.textfile ? &export_prometheus :
						  &export_text;
	if (p->doctor) {
		p->cli.command = CLI_DOCTOR;
		return check_mode(p, CLI_MODE_DOCTOR, err);
	}
	if (!p->cli.input && p->cli.workload &&
	    perfdata_reader_knows(p->cli.workload[0]))
		return err_usage(err, "%s is a recording, not a command: use "
				 "rbtop -i %s", p->cli.workload[0],
				 p->cli.workload[0]);
	if (p->cli.input || p->summary || p->cli.span.given)
		return check_input(p, err);
	ret = gate_check(&p->cli.gate, p->cli.host, err);
	if (ret < 0)
		return ret;
	if (p->cli.host)
		return check_host(p, err);
	if (p->cli.ringbuf_drops)
		return err_usage(err, "--ringbuf-drops: add --host, which "
				 "shows BPF ring buffers");
	if (p->cli.kinds)
		return err_usage(err, "--kind: add --host, which shows the rings of all programs");
	settle_decoding(&p->cli);
	ret = check_pairs(p, err);
	if (ret == 0)
		ret = check_trace(p, err);
	if (ret < 0)
		return ret;
	if (!p->cli.hot_given)
		p->cli.hot = p->cli.format->hot;
	if (p->cli.sim)
		return check_mode(p, CLI_MODE_SIM, err);
	settle_trace(p);
	settle_target(p);
	return settle_events(p, err);
}

int cli_parse(struct cli *cli, int argc, char **argv, struct err *err)
{
	struct cli_parsing p = {
		.cli = {
			.session.realtime = SESSION_SOURCE_REALTIME_AUTO,
			.session.decode_rate = -1,	/* not given */
		},
	};
	int ret = read_options(&p, argc, argv, err);

	if (ret == 0 && p.cli.command == CLI_RUN)
		ret = settle(&p, err);
	*cli = p.cli;
	if (ret < 0)
		cli_free(cli);
	return ret;
}

void cli_free(struct cli *cli)
{
	event_list_free(&cli->session.session.events);
	target_free(&cli->session.session.target);
}

struct host_filter cli_host_filter(const struct cli *cli)
{
	const struct target *target = &cli->session.session.target;

	return (struct host_filter){
		.pids = target->nr_pids ? target->pids : NULL,
		.nr_pids = target->nr_pids,
		.cpus = target->cpus.nr ? &target->cpus : NULL,
		.kinds = cli->kinds,
	};
}

/* Load the file over the defaults; only the defaults if it has an error. */
static int load_file(struct config *config, const char *path,
		     cli_check_fn *check, struct err *err)
{
	int ret;

	config_default(config);
	if (!*path)
		return 0;
	ret = config_load(config, path, err);
	if (ret < 0)
		return ret;
	ret = check ? check(config, path, err) : 0;
	if (ret < 0)
		config_default(config);
	return ret;
}

int cli_load_config(const struct cli *cli, cli_check_fn *check,
		    struct config *config, char *path, struct err *err)
{
	int ret;

	*path = '\0';
	if (!cli->config_path)
		config_path(path, PATH_MAX);
	else if (strlen(cli->config_path) < PATH_MAX)
		strcpy(path, cli->config_path);
	else
		return err_set(err, -ENAMETOOLONG, "--config: name too long");
	ret = load_file(config, path, check, err);
	if (ret == 0 && cli->config_path && sys_access(path, F_OK))
		ret = err_set(err, -ENOENT, "--config %s: no such file; an "
			      "empty file is enough", path);
	config->ascii |= cli->ascii;
	config->no_mouse = cli->no_mouse;
	config->readonly = cli->readonly;
	if (cli->delay_given)
		config->delay = cli->delay;
	if (cli->scheme_given)
		config->scheme = cli->scheme;
	if (ret == 0 || cli->config_path)
		return ret;
	/* sudo -u and setpriv may leave the HOME of another user */
	return ret == -EACCES ? 0 : 1;
}
