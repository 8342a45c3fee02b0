/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracing into AUX rings, snapshots and recordings: their options, and requests
 * of front ends.
 */
#include "source/session/session_source_trace.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/snapshot/snapshot_thread.h"
#include "base/err.h"
#include "base/sys.h"
#include "task/task_history.h"
#include "collect/triggers/trigger.h"
#include "perf/event/call_spec.h"
#include "perf/target/workload.h"
#include "trace/call/call_event.h"

enum { TASK_HISTORY = 4 << 20 };	/* bytes of records */

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "snapshots: out of memory");
}

int session_source_open_trace(struct session_source *ss, struct err *err)
{
	struct source_snapshots_parts *p = &ss->snapshots;
	int ret;

	p->asked = &ss->opts.snapshots;
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

void session_source_warn_of_trace(struct session_source *ss)
{
	const char *warning = ss->trace.warning;

	if (!warning[0])
		return;
	source_notes_add(&ss->notes, LOG_INFO, "%s", warning);
	if (!ss->source.notice[0])
		snprintf(ss->source.notice, sizeof(ss->source.notice), "%s",
			 warning);
}

int (*session_source_read_finish(const struct session_source *ss))(int fd)
{
	return ss->traces ? ss->trace.ops->read_finish : NULL;
}

int session_source_open_trigger(struct session_source *ss, struct err *err)
{
	struct source_snapshots_parts *p = &ss->snapshots;
	struct trigger_events events = {
		.nr = ss->opts.session.events.nr,
		.call = (uint32_t)session_source_call(ss),
	};

	if (!p->asked->on)
		return 0;
	p->event_names = calloc(events.nr + 1, sizeof(*p->event_names));
	if (!p->event_names)
		return no_memory(err);
	for (size_t i = 0; i < events.nr; i++)
		p->event_names[i] = session_event_name(ss->session, i);
	events.names = p->event_names;
	p->trigger = trigger_new(p->asked->on, &events, err);
	return p->trigger ? 0 : err->code;
}

/* The tracepoints' formats are written to files. */
static int read_machine(struct session_source *ss, struct err *err)
{
	const struct event_list *events = &ss->opts.session.events;
	const char **names = calloc(events->nr + 1, sizeof(*names));
	size_t nr = 0;
	int ret;

	if (!names)
		return no_memory(err);
	for (size_t i = 0; i < events->nr; i++)
		if (events->specs[i].tracepoint)
			names[nr++] = events->specs[i].name;
	ret = perfdata_machine_read(&ss->snapshots.machine, names, nr, err);
	free(names);
	return ret;
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
	int ret = read_machine(ss, err);

	if (ret)
		return ret;
	if (p->tasks)
		task_history_clock(p->tasks, session_clock(ss->session));
	return source_snapshots_open(p, &opts, &ss->notes, err);
}

int session_source_start_snapshot_thread(struct session_source *ss,
					 struct err *err)
{
	struct snapshot_thread *thread = ss->snapshots.thread;
	const char *record = ss->opts.snapshots.record;
	int ret = 0;

	if (record)
		ret = snapshot_thread_record(thread, record, err);
	return ret ? ret : snapshot_thread_start(thread, err);
}

int session_source_begin_recording(struct session_source *ss, struct err *err)
{
	int ret;

	if (!ss->opts.snapshots.record)
		return 0;
	ret = session_enable_side_band(ss->session, err);
	if (!ret)
		snapshot_thread_begin(ss->snapshots.thread);
	return ret;
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
