/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write_auxtrace_info MODE SYSFS PMU CONFIG FILE [MINOR]: a perf.data with only
 * an event of @PMU and its AUXTRACE_INFO, as they follow from a fake sysfs in
 * SYSFS/PMU/... and SYSFS/cpu/... MODE is cpus or threads, with -full appended
 * for full trace; the file is for perf 6.MINOR.  For auxtrace_info.sh, which
 * checks what perf prints.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/pmu/auxtrace.h"
#include "base/err.h"
#include "perf/event/pmu.h"
#include "perf/abi/record.h"
#include "trace/perfdata/machine.h"
#include "trace/perfdata/perfdata_writer.h"

static void die(const char *what)
{
	fprintf(stderr, "write_auxtrace_info: %s\n", what);
	exit(1);
}

static void check(int ret, const struct err *err)
{
	if (ret < 0)
		die(err->text);
}

/* The file, of one event with one id. */
static void write_file(const char *path, const struct auxtrace_info *from,
		       struct err *err)
{
	struct perf_event_attr attr = *from->attr;
	uint64_t id = 1;
	struct perfdata_event event = { from->spec->pmu, &attr, &id, 1, 0 };
	const struct auxtrace_ops *ops = from->trace->ops;
	size_t words = ops->info_size(from);
	uint64_t *priv = calloc(words, sizeof(*priv));
	struct perfdata_machine machine = { 0 };
	FILE *out = fopen(path, "w+");
	struct perfdata_writer *w;

	if (!out || !priv)
		die("no file, or no memory");
	attr.size = sizeof(attr);
	attr.sample_type = RECORD_SAMPLE_TYPE;
	attr.sample_id_all = 1;
	attr.sample_period = from->spec->period;
	check(ops->info_fill(from, priv, words, err), err);
	w = perfdata_writer_new(out, &event, 1, err);
	if (!w)
		die(err->text);
	if (synth_auxtrace_info(w, ops->type, priv, words))
		die("synth_auxtrace_info");
	check(perfdata_writer_finish(w, &machine, err), err);
	perfdata_writer_free(w);
	free(priv);
	if (fclose(out))
		die("fclose");
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	char cpu_dir[4096], online[sizeof(cpu_dir) + 8];
	struct event_spec spec = { 0 };
	struct session_opts session = { .events = { .specs = &spec, .nr = 1 } };
	struct auxtrace_opts opts = { 0 };
	struct auxtrace trace;
	struct cpulist cpus;
	struct auxtrace_env env = { .privileged = true };
	struct auxtrace_info from = {
		.env = &env,
		.trace = &trace,
		.spec = &spec,
		.attr = &spec.attr,
		.conv = { .time_shift = 31,
			  .time_mult = 1789569706,
			  .time_zero = 18446744041015200657u,
			  .cap_user_time_zero = true },
		.cpus = &cpus,
	};

	if (argc != 6 && argc != 7)
		die("five or six arguments, see the source");
	if (argc == 7)
		opts.perf = AUXTRACE_PERF(6, (unsigned int)atoi(argv[6]));
	snprintf(cpu_dir, sizeof(cpu_dir), "%s/cpu", argv[2]);
	env.pmus = argv[2];
	env.cpus = cpu_dir;
	if (!strncmp(argv[1], "threads", 7))
		session.target.mode = TARGET_THREADS;
	opts.full_trace = strstr(argv[1], "-full") != NULL;
	snprintf(spec.pmu, sizeof(spec.pmu), "%s", argv[3]);
	spec.attr.config = strtoull(argv[4], NULL, 0);
	check(pmu_type(env.pmus, spec.pmu, &spec.attr.type, &err), &err);
	if (auxtrace_open(&env, &opts, &session, &trace, &err) != 1)
		die(err.text);
	from.switch_events = session.switch_events;
	snprintf(online, sizeof(online), "%s/online", env.cpus);
	check(cpulist_read(online, &cpus, &err), &err);
	write_file(argv[5], &from, &err);
	cpulist_free(&cpus);
	return 0;
}
