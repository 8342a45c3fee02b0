/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rbtop: options -> source -> front end -> exit status.
 *
 * Functions here return an exit status, or a negative errno with @err.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#if defined(RBTOP_STATIC) && defined(__GLIBC__)
#include <nss.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/units.h"
#include "cli/batch.h"
#include "cli/cli.h"
#include "cli/config.h"
#include "doctor/doctor.h"
#include "export/flame/flame_files.h"
#include "host/host_watch.h"
#include "cli/front_end.h"
#include "host/table/host.h"
#include "ring/reading.h"
#include "samples/flame.h"
#include "samples/samples.h"
#include "perf/target/workload.h"
#include "source/recording_source.h"
#include "source/session/session_source.h"
#include "sim/sim.h"
#include "source/source.h"
#include "cli/streams.h"
#include "cli/summary.h"

enum {
	EXIT_FAIL_ON = 3,	/* a condition of --fail-on was met */
	EXIT_BLIND = 4,		/* of --host without a screen: it saw no ring,
				 * but could not look everywhere */
};

/* The initial signal mask; a workload is started with it. */
static sigset_t inherited_mask;

/*
 * SIGUSR2 requests a snapshot: block it until a front end handles signals,
 * instead of letting it kill rbtop while it starts.
 */
static void block_snapshot_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, &inherited_mask);
}

static void warn(const char *text)
{
	fprintf(stderr, "rbtop: warning: %s\n", text);
}

/*
 * Size the feed for twice the samples decoded in a tick, each with its text or
 * callchain, within a limit of memory.
 */
static void list_all(struct session_source_opts *opts, double delay, bool flame)
{
	enum { MIN_ENTRIES = 1 << 15, MAX_ENTRIES = 1 << 20 };
	const size_t max_bytes = 256 << 20;
	size_t each = opts->session.callchain ? 4096 : 512;
	double samples = fmin(2 * delay * opts->decode_rate, MAX_ENTRIES);

	opts->feed_entries = MAX((size_t)samples, MIN_ENTRIES);
	opts->feed_bytes = MIN(opts->feed_entries * each, max_bytes);
	opts->text_rate = opts->decode_rate;
	opts->list_only = !flame;
}

/* False with @err; true with *@out NULL if there is no command. */
static bool prepare_command(const struct cli *cli, struct workload **out,
			    struct err *err)
{
	*out = NULL;
	if (cli->workload)
		*out = workload_prepare(cli->workload, cli->batch ?
					WORKLOAD_TO_STDERR : WORKLOAD_CAPTURE,
					&inherited_mask, err);
	return *out || !cli->workload;
}

static struct source *open_session(const struct cli *cli, double delay,
				   double interval, struct err *err)
{
	struct session_source_opts opts = cli->session;
	struct source *source;

	opts.interval = interval;
	if (cli->batch && cli->format->every_sample)
		list_all(&opts, delay, cli->flame);
	else
		opts.list_none = cli->batch;
	if (!prepare_command(cli, &opts.workload, err))
		return NULL;
	source = session_source_open(&opts, err);
	if (!source)
		workload_free(opts.workload);
	return source;
}

static struct source *open_host(const struct cli *cli, double interval,
				struct err *err)
{
	struct host_watch_opts opts = {
		.interval = interval,
		.filter = cli_host_filter(cli),
		.drops = cli->ringbuf_drops,
		.keeps_lost = !cli->batch || cli->workload,
		.closely = cli->workload,
	};
	struct workload *workload;
	struct source *source;

	/*
	 * A batch waits longer for the first result: unlike on the screen, an
	 * empty tick would look like a machine without rings.
	 */
	if (!prepare_command(cli, &workload, err))
		return NULL;
	if (cli->host_of_command)
		opts.root = workload_pid(workload);
	source = host_source_open(&opts, workload, cli->batch ? 30 : 1, err);
	if (!source)
		workload_free(workload);
	return source;
}

static struct source *open_sim(const struct cli *cli, double interval,
			       struct err *err)
{
	const struct sim_opts opts = {
		.spec = cli->sim,
		.interval = interval,
		.decode_rate = cli->session.decode_rate,
		.snapshots = &cli->session.snapshots,
	};

	return sim_open(&opts, err);
}

/* Rows of the hot table with -b. */
static size_t hot_rows_of(const struct cli *cli)
{
	return cli->hot_given ? cli->hot : cli->format->hot;
}

static struct source *open_recording(const struct cli *cli, double delay,
				     struct err *err)
{
	const struct recording_source_opts opts = {
		.path = cli->input,
		.interval = delay,
		.batch = cli->batch,
		.span = cli->span,
		.no_samples = cli->batch && !cli->format->every_sample &&
			      !hot_rows_of(cli) && !cli->flame,
		.list_only = cli->batch && cli->format->every_sample &&
			     !cli->flame,
	};

	return recording_source_open(&opts, err);
}

static struct source *open_source(const struct cli *cli, double delay,
				  struct err *err)
{
	/* rings are read at least once a second, even if updates are rarer */
	double interval = delay < 1 ? delay : 1;

	if (cli->input)
		return open_recording(cli, delay, err);
	if (cli->host)
		return open_host(cli, interval, err);
	return cli->sim ? open_sim(cli, interval, err) :
			  open_session(cli, delay, interval, err);
}

static int run_batch(const struct cli *cli, struct source *source,
		     struct gate *gate, double delay, struct err *err)
{
	struct batch_opts opts = {
		.fd = STDOUT_FILENO,
		.textfile = cli->textfile,
		.quiet = cli->quiet,
		.format = cli->format,
		.export.hot = hot_rows_of(cli),
		/* a recording is judged as a whole */
		.gate = cli->input ? NULL : gate,
		/* as an alarm, where nothing else ends it */
		.until_failed = gate->given && cli->host && !cli->ticks &&
				!cli->workload,
		.unpaced = cli->input,
		.delay = delay,
		.ticks = cli->ticks,
	};
	int ret;

	opts.export.wrapped = !cli->textfile && isatty(STDOUT_FILENO);
	batch_prepare();
	ret = source_start(source, err);
	return ret < 0 ? ret : batch_run(source, &opts, err);
}

static int run_screen(struct source *source, const struct front_end_opts *opts,
		      struct err *err)
{
	int ret = front_end_screen.prepare(opts, err);

	if (ret == 0)
		ret = source_start(source, err);
	return ret < 0 ? ret : front_end_screen.run(source, opts, err);
}

/* Used instead of config_save() if the file has errors and was ignored. */
static int refuse_save(const struct config *config, const char *path,
		       struct err *err)
{
	(void)config;
	return err_set(err, -EINVAL, "not saved: fix the error in %s first",
		       path);
}

/* Warn of samples left without symbols: the exit does not wait for them. */
static void warn_stuck(const struct source *source)
{
	const struct samples *samples = source->reading.samples;
	char text[PATH_MAX + 80];

	if (samples && samples->status.file_stuck) {
		snprintf(text, sizeof(text), "reading symbols of %s hangs: "
			 "its functions are shown as [loading]",
			 samples->status.file_stuck);
		warn(text);
	}
	if (samples && samples->status.stuck)
		warn("decoding hangs on a file that does not respond: the last "
		     "samples are missing");
}

/* Warn of records missing from a recording; its readers may not do so. */
static void tell_holes(const struct frame *frame)
{
	uint64_t lost = frame->total.row.lost;
	char size[8];

	if (lost)
		fprintf(stderr, "rbtop: warning: the recording misses %" PRIu64
			" records: the rings were full; try larger ones (-m)\n",
			lost);
	if (frame->snapshots->record_missed)
		fprintf(stderr, "rbtop: warning: the recording misses %s of "
			"records: %s\n",
			units_bytes(size, sizeof(size),
				    (double)frame->snapshots->record_missed),
			record_cause_text(frame->snapshots->record_cause));
}

/* Report requests that got no snapshot of their own. */
static void tell_merged(const struct snapshots *s)
{
	if (s && s->merged)
		fprintf(stderr, "rbtop: %" PRIu64 " of %" PRIu64
			" snapshot requests were merged into a queued one: "
			"%" PRIu64 " snapshots taken\n",
			s->merged, s->requests, s->taken);
}

/* Why the last of the snapshots that failed did. */
static const char *why_failed(const struct snapshots *s)
{
	for (size_t i = s->nr; i-- > 0;)
		if (s->list[i].state == SNAPSHOT_FAILED)
			return s->list[i].error;
	return "see the log";
}

/* 0, or -EIO with @err if any failed: scripts rely on every snapshot. */
static int check_snapshots(const struct snapshots *s, struct err *err)
{
	uint64_t nr = s->failed + s->taken;

	if (!s->failed)
		return 0;
	return err_set(err, -EIO, "%" PRIu64 " of %" PRIu64
		       " snapshot%s failed: %s", s->failed, nr,
		       nr == 1 ? "" : "s", why_failed(s));
}

/*
 * On exit: print the files made while the screen was shown, and its final report
 * on a command's rings.  Fail if the recording of -o failed; without a screen,
 * which would have shown that, also if a snapshot failed.
 */
static int see_files(const struct cli *cli, struct source *source, int status,
		     struct err *err)
{
	const struct frame *frame;

	source_finish(source);
	/* another frame of a recording would decode more of it */
	if (cli->batch && cli->input)
		return status;
	frame = source_frame(source, err);
	if (!frame)
		return err->code;
	if (!cli->batch) {
		front_end_screen.report(frame, stdout);
		if (cli->workload)
			export_text_end(frame, isatty(STDOUT_FILENO), stdout);
	}
	tell_merged(frame->snapshots);
	if (!frame->snapshots)
		return status;
	if (cli->session.snapshots.record) {
		tell_holes(frame);
		if (frame->snapshots->record_error[0])
			return err_set(err, -EIO, "the recording failed: %s",
				       frame->snapshots->record_error);
	}
	if (cli->batch && check_snapshots(frame->snapshots, err))
		return err->code;
	return status;
}

/*
 * Empty output of --host must not pass for a machine without losses.  Returns
 * @status, or EXIT_BLIND.
 */
static int check_seen(struct source *source, int status, struct err *err)
{
	const struct frame *frame = source_frame(source, err);

	if (!frame)
		return err->code;
	if (host_is_counted(frame->host))
		return status;
	warn(frame->host->status.hidden ?
	     "no ring was found, but not all processes could be inspected: "
	     "run rbtop as root" :
	     "no ring was found, but the poll failed or was incomplete");
	return EXIT_BLIND;
}

/*
 * Of all samples, in the last frame.  Returns @status, 128 + SIGPIPE if nobody
 * reads standard output, or -errno with @err.
 */
static int write_flame(const struct cli *cli, const struct source *source,
		       int status, struct err *err)
{
	const struct hot_query query = { 0 };
	const struct hot *hot = source->frame->samples->hot;
	struct flame flame;
	char title[400];
	int ret;

	if (cli->input && !source->frame->ended) {
		warn("--flame: not written: the recording was not read to its end");
		return status;
	}
	ret = flame_build(hot, &query, &flame);
	if (ret < 0)
		return err_errno(err, ret, "--flame %s", cli->flame);
	snprintf(title, sizeof(title), "%s, all samples%s, %s", source->title,
		 cli->span.given ? " of the span" : "",
		 flame.by_events ? "weighted by period" : "unweighted");
	if (flame.boxes[0].weight > 0)
		ret = flame_file_write(&flame, title, cli->flame, err);
	else
		ret = err_set(err, -ENODATA, "--flame %s: not written: there "
			      "are no samples", cli->flame);
	flame_free(&flame);
	if (ret == 0 && hot->merged.sum > 0)
		warn("--flame: callers or functions of the rarest stacks are "
		     "missing: there are too many different ones");
	return ret == -EPIPE ? 128 + SIGPIPE : ret < 0 ? ret : status;
}

/*
 * The result of --fail-on: EXIT_FAIL_ON unless @status, that of the command or
 * of a signal, says more; or -errno with @err.
 */
static int check_gate(const struct gate *gate, int status, struct err *err)
{
	struct err why = { 0 };
	int ret = gate_judge(gate, &why);

	if (ret == 0)
		return status;
	if (ret < 0 && status == 0) {
		*err = why;
		return ret;
	}
	fprintf(stderr, "rbtop: %s\n", why.text);
	return status ? status : EXIT_FAIL_ON;
}

/* What is known to be lost, beside the damage of a file. */
static void tell_failed(const struct gate *gate)
{
	struct err why = { 0 };

	if (gate_judge(gate, &why) > 0)
		fprintf(stderr, "rbtop: %s\n", why.text);
}

/*
 * The result of a recording's batch run, for which @gate then has seen all of
 * it: damage of the file is the last thing said.
 */
static int see_recording(const char *path, const struct source *source,
			 struct gate *gate, int status, struct err *err)
{
	int ret = gate_see_recorded(gate, path,
				    recording_source_recorded(source),
				    recording_source_is_counted(source), err);

	if (!recording_source_damage(source, err))
		return ret < 0 ? ret : status;
	tell_failed(gate);
	return err->code;
}

static int run(const struct cli *cli, struct err *err)
{
	struct gate gate = cli->gate;
	struct config config;
	char path[PATH_MAX];
	struct front_end_opts opts = {
		.config = &config,
		.ticks = cli->ticks,
		.host = cli->host,
		.save = config_save,
		.write_flame = flame_files_write,
		.flame_dir = ".",
	};
	struct source *source;
	int ret = cli_load_config(cli, front_end_screen.check_keys,
				  &config, path, err);

	if (ret > 0) {
		warn(err->text);
		opts.save = refuse_save;
	}
	opts.config_path = *path ? path : NULL;
	if (ret >= 0 && !cli->batch)
		ret = front_end_screen.check_terminal(err);
	if (ret < 0)
		return ret;
	if (cli->flame && flame_file_check(cli->flame, err) < 0)
		return err->code;
	source = open_source(cli, config.delay, err);
	if (!source)
		return err->code;
	if (cli->flame && !source->decodes) {
		if (!cli->input || !recording_source_damage(source, err))
			err_set(err, -EOPNOTSUPP, "--flame: samples of "
				"overwrite rings are not decoded");
		source_close(source);
		return err->code;
	}
	if (cli->batch && (cli->quiet || cli->format != &export_text) &&
	    source->notice[0])
		warn(source->notice);
	ret = cli->batch ? run_batch(cli, source, &gate, config.delay, err) :
			   run_screen(source, &opts, err);
	/* of a watch without end, a signal is not the result */
	if (ret > 0 && gate.given && cli->host && !cli->workload &&
	    ret != 128 + SIGPIPE)
		ret = 0;
	if (ret == 0)
		ret = source->exit_status;
	/* the host view opens no events: no snapshots, no recordings */
	if (ret >= 0 && !(cli->batch && cli->host))
		ret = see_files(cli, source, ret, err);
	else if (ret == 0)
		ret = check_seen(source, ret, err);
	else if (ret < 0)
		source_finish(source);	/* what was recorded is kept */
	if (ret >= 0 && cli->flame)
		ret = write_flame(cli, source, ret, err);
	if (ret < 0 && cli->flame)
		tell_failed(&gate);
	if (ret >= 0 && cli->input && cli->batch)
		ret = see_recording(cli->input, source, &gate, ret, err);
	if (ret >= 0)
		ret = check_gate(&gate, ret, err);
	warn_stuck(source);
	source_close(source);
	return ret;
}

/* --doctor: 0 if rbtop without options would start, else 1. */
static int examine(const struct cli *cli, struct err *err)
{
	struct doctor_facts facts = { 0 };
	struct doctor_item items[DOCTOR_ITEMS];
	int ret = 0;

	front_end_screen.describe_terminal(&facts.terminal);
	doctor_read("", &facts);
	doctor_try(&facts);
	doctor_judge(&facts, items);
	if (cli->format == &export_json)
		ret = doctor_print_json(items, stdout);
	else
		doctor_print_text(items, facts.terminal.is_terminal ?
				  facts.terminal.cols : 0, stdout);
	if (ret < 0)
		return err_set(err, ret, "--doctor: out of memory");
	ret = streams_flush(err);
	return ret < 0 ? ret : !doctor_starts(items);
}

/* -i FILE --summary */
static int summarize(const struct cli *cli, struct err *err)
{
	struct gate gate = cli->gate;
	int ret = summary_print(cli->input, &cli->span,
				cli->format == &export_json, &gate, err);

	if (ret >= 0)
		return check_gate(&gate, ret, err);
	tell_failed(&gate);
	return ret;
}

static int obey(int argc, char **argv, struct err *err)
{
	struct cli cli;
	int ret = cli_parse(&cli, argc, argv, err);

	if (ret < 0)
		return ret;
	if (cli.warning[0])
		warn(cli.warning);
	if (cli.command == CLI_HELP)
		ret = streams_print(cli_print_help, err);
	else if (cli.command == CLI_VERSION)
		ret = streams_print(cli_print_version, err);
	else if (cli.command == CLI_DOCTOR)
		ret = examine(&cli, err);
	else if (cli.input &&
		 summary_place_span(cli.input, &cli.span, err) < 0)
		ret = err->code;
	else if (cli.command == CLI_SUMMARY)
		ret = summarize(&cli, err);
	else
		ret = run(&cli, err);
	cli_free(&cli);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	int ret;

	caps_refuse_tracers();
	if (env_restrict() < 0)
		return 1;
	block_snapshot_signal();
#if defined(RBTOP_STATIC) && defined(__GLIBC__)
	/* only /etc/passwd: the modules that nsswitch.conf names are shared
	 * libraries, and those of another libc */
	__nss_configure_lookup("passwd", "files");
#endif
	setlocale(LC_ALL, "");
	/* output is also for programs: numbers always have a decimal point */
	setlocale(LC_NUMERIC, "C");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);	/* EFBIG says it */
	ret = streams_check(&err);
	if (ret == 0)
		ret = obey(argc, argv, &err);
	if (ret >= 0)
		return ret;
	fprintf(stderr, "rbtop: %s", err.text);
	if (err.doctor)
		fprintf(stderr, " (see '%s' in rbtop --doctor)", err.doctor);
	fputc('\n', stderr);
	return err_exit_status(&err);
}
