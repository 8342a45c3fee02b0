/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Consumers of samples and trace: the resolver thread with its symbols and
 * print formats; snapshots and recordings, and what triggers them.
 */
#include "source/session/session_source_state.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "collect/triggers/trigger.h"
#include "perf/abi/record.h"
#include "perf/event/event_spec.h"
#include "perf/target/workload.h"
#include "perf/tracepoint/tracefs.h"
#include "perf/tracepoint/tracepoint.h"
#include "ring/request.h"
#include "samples/names.h"
#include "source/source_samples.h"
#include "symbols/resolver.h"
#include "task/task_history.h"
#include "trace/call/call_event.h"
#include "trace/snapshot/snapshot_thread.h"

enum {
	NAMES_BYTES = 16 << 20,	/* limit of all names together */
	CGROUPS = 1024,		/* limit of those reported at the start */
	TASK_HISTORY = 4 << 20,	/* bytes of records */
};

#define NO_MEMORY "decoding of samples: out of memory"

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "snapshots: out of memory");
}

int session_source_open_trace(struct session_source *ss, struct err *err)
{
	struct source_snapshots_parts *p = &ss->snapshots;
	int ret;

	p->opts = &ss->opts.snapshots;
	ss->switches_asked = ss->opts.session.switch_events;
	auxtrace_env_here(&p->env);
	ret = auxtrace_open(&p->env, &ss->opts.aux, &ss->opts.session,
			    &ss->trace, err);
	if (ret < 0)
		return ret;
	ss->traces = ret > 0;
	/* Tasks are needed for decoding samples and for trace. */
	if (!ss->traces && ss->opts.decode_rate <= 0)
		return 0;
	p->tasks = task_history_new(TASK_HISTORY);
	return p->tasks ? 0 : no_memory(err);
}

int session_source_open_trigger(struct session_source *ss, struct err *err)
{
	struct source_snapshots_parts *p = &ss->snapshots;
	struct trigger_events events = {
		.nr = ss->opts.session.events.nr,
		.call = (uint32_t)session_source_call(ss),
	};

	if (!p->opts->on)
		return 0;
	p->event_names = calloc(events.nr + 1, sizeof(*p->event_names));
	if (!p->event_names)
		return no_memory(err);
	for (size_t i = 0; i < events.nr; i++)
		p->event_names[i] = session_event_name(ss->session, i);
	events.names = p->event_names;
	p->trigger = trigger_new(p->opts->on, &events, err);
	return p->trigger ? 0 : err->code;
}

int session_source_open_snapshots(struct session_source *ss, struct err *err)
{
	struct source_snapshots_parts *p = &ss->snapshots;
	struct snapshot_opts opts = {
		.session = ss->session,
		.session_opts = &ss->opts.session,
		.collector = ss->collector,
		.trace = ss->traces ? &ss->trace : NULL,
		.keep_switches = ss->switches_asked,
	};
	const struct event_list *events = &ss->opts.session.events;
	const char **names = calloc(events->nr + 1, sizeof(*names));
	size_t nr = 0;
	int ret;

	if (!names)
		return no_memory(err);
	/* the tracepoints' formats are written to files */
	for (size_t i = 0; i < events->nr; i++)
		if (events->specs[i].tracepoint)
			names[nr++] = events->specs[i].name;
	ret = perfdata_machine_read(&p->machine, names, nr, err);
	free(names);
	if (ret)
		return ret;
	if (p->tasks)
		task_history_clock(p->tasks, session_clock(ss->session));
	return source_snapshots_open(p, &opts, &ss->notes, err);
}

/*
 * If a signal ended rbtop before the front end blocks it, the tracefs probe
 * would stay.  So these are blocked from here on; front ends also block them,
 * until the end.
 */
static void hold_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int session_source_open_call(struct session_source *ss, struct err *err)
{
	const char *on = ss->opts.snapshots.on, *program = NULL;
	struct session_opts *opts = &ss->opts.session;
	struct call_event_env env;
	struct call_spec spec;
	int ret;

	if (!on || !call_spec_is(on))
		return 0;
	ret = call_spec_read(on, &spec, err);
	if (ret)
		return ret;
	if (ss->opts.workload && !ss->opts.workload_is_duration)
		program = workload_name(ss->opts.workload);
	hold_signals();
	call_event_env_here(&env);
	ss->call = call_event_open(&env, &spec, &opts->events, &opts->target,
				   program, err);
	if (!ss->call)
		return err->code;
	opts->events = call_event_list(ss->call);
	return call_event_keep(ss->call, err);
}

size_t session_source_call(const struct session_source *ss)
{
	return ss->call ? call_event_index(ss->call) : SESSION_SIDE_BAND;
}

/* Samples. */

/* If a format cannot be read or parsed, the event has no text. */
static void read_formats(const struct session_source *ss, struct tracepoints *t)
{
	const struct event_list *events = &ss->opts.session.events;
	const char *tracefs = tracefs_mounted();
	char sys[128], name[128];

	for (size_t i = 0; tracefs && i < events->nr; i++)
		if (events->specs[i].tracepoint &&
		    source_fields_split(events->specs[i].name, sys, name))
			tracepoints_add(t, tracefs, sys, name);
}

static struct resolver_event *list_events(const struct session_source *ss)
{
	const struct event_spec *specs = ss->opts.session.events.specs;
	size_t nr = ss->opts.session.events.nr;
	struct resolver_event *events = calloc(nr + 1, sizeof(*events));

	for (size_t i = 0; events && i < nr; i++)
		events[i] = (struct resolver_event){
			.name = session_event_name(ss->session, i),
			.layout = sample_layout_of(
				session_event_attr(ss->session, i)),
			.tracepoint = specs[i].tracepoint ? specs[i].name :
							    NULL,
		};
	return events;
}

/*
 * Report existing cgroups, since records only report new ones.  The id is the
 * inode number of the directory (kernfs_id(), on 64 bits).
 */
static void report_cgroups(struct resolver *resolver)
{
	char top[PATH_MAX], *tops[] = { top, NULL };
	size_t nr = 0;
	FTSENT *entry;
	FTS *walk;

	if (target_cgroup_mount(top, sizeof(top)))
		return;
	walk = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	while (walk && nr < CGROUPS && (entry = fts_read(walk))) {
		const char *path = entry->fts_path + strlen(top);
		const struct side_band record = {
			.type = PERF_RECORD_CGROUP,
			.cgroup.id = entry->fts_statp->st_ino,
			.cgroup.path = *path ? path : "/",
		};

		if (entry->fts_info != FTS_D)
			continue;
		resolver_record(resolver, &record);
		nr++;
	}
	if (walk)
		fts_close(walk);
}

static struct resolver *open_resolver(struct session_source *ss,
				      struct names *names, struct err *err)
{
	struct resolver_opts opts = {
		.names = names,
		.loaders = SESSION_LOADERS,
	};
	pid_t *pids = calloc(ss->nr_tasks + 1, sizeof(*pids));
	struct resolver *resolver;

	if (!pids) {
		err_set(err, -ENOMEM, "the target's processes: out of memory");
		return NULL;
	}
	/* none: all */
	for (size_t i = 0; i < ss->nr_tasks; i++)
		pids[i] = ss->tasks[i].pid;
	opts.pids = pids;
	opts.nr_pids = ss->nr_tasks;
	resolver = resolver_new(&opts, err);
	free(pids);
	if (resolver)
		ss->nr_loaders = resolver_loaders(resolver, ss->loaders,
						  SESSION_LOADERS);
	if (resolver && ss->opts.session.sample_type & PERF_SAMPLE_CGROUP)
		report_cgroups(resolver);
	return resolver;
}

/* Make what the thread will own.  0, or -errno with @err (some may exist). */
static int make_parts(struct session_source *ss,
		      struct resolver_thread_opts *opts, struct err *err)
{
	struct tracepoint_names names = {
		.function = source_function,
	};

	opts->names = names_new(NAMES_BYTES);
	if (!opts->names)
		return err_set(err, -ENOMEM, NO_MEMORY);
	opts->symbolizer_ctx = open_resolver(ss, opts->names, err);
	if (!opts->symbolizer_ctx)
		return err ? err->code : -ENOMEM;
	names.ctx = opts->symbolizer_ctx;
	opts->tracepoints = tracepoints_new(&names);
	if (!opts->tracepoints)
		return err_set(err, -ENOMEM, NO_MEMORY);
	read_formats(ss, opts->tracepoints);
	return 0;
}

static int make_thread(struct session_source *ss,
		       struct resolver_thread_opts *opts, struct err *err)
{
	struct resolver_event *events = list_events(ss);
	char field[REQUEST_TEXT];

	opts->nr_events = ss->opts.session.events.nr;
	if (!events || source_fields_learn(&ss->fields, events, opts, field)) {
		free(events);
		resolver_thread_free_opts(opts);
		return err_set(err, -ENOMEM, NO_MEMORY);
	}
	ss->source.resolver = resolver_thread_new(opts, err);
	free(events);
	return ss->source.resolver ? 0 : -ENOMEM;
}

int session_source_open_samples(struct session_source *ss, struct err *err)
{
	struct resolver_thread_opts opts = {
		.collector = ss->collector,
		.symbolizer = &source_symbolizer,
		.side_band.sample_type = RECORD_SAMPLE_TYPE,
		.chains = ss->opts.session.callchain,
		.feed_entries = ss->opts.feed_entries,
		.feed_bytes = ss->opts.feed_bytes,
		.text_rate = ss->opts.text_rate,
		.list_only = ss->opts.list_only,
		.tasks = ss->snapshots.tasks,
		.comms = ss->comms,
	};
	int ret;

	if (!opts.tasks)
		return 0;
	ret = make_parts(ss, &opts, err);
	if (!ret)
		return make_thread(ss, &opts, err);
	resolver_thread_free_opts(&opts);
	return ret;
}

bool session_source_close_samples(struct session_source *ss)
{
	if (!resolver_thread_free(ss->source.resolver))
		return false;
	source_fields_free(&ss->fields);
	return true;
}
