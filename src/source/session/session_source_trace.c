/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracing into AUX rings, snapshots and recordings: what they take, and what a
 * front end asks of them.
 */
#include "source/session/session_source_trace.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/snapshot/snapshot_thread.h"
#include "base/err.h"
#include "base/sys.h"
#include "task/task_history.h"
#include "collect/triggers/trigger.h"
#include "ring/snapshots.h"
#include "perf/event/call_spec.h"
#include "perf/target/workload.h"
#include "trace/call/call_event.h"
#include "trace/perfdata/machine.h"

enum { TASK_HISTORY = 4 << 20 };	/* bytes of their records */

struct session_source_trace {
	struct auxtrace_env env;
	struct auxtrace trace;
	bool traces;			/* an event does */
	bool switches_asked;		/* --switch-events */
	const char **event_names;	/* by tag, for the trigger */
	struct trigger *trigger;	/* NULL: none */
	struct task_history *tasks;	/* NULL: nobody would tell it */
	struct perfdata_machine machine;
	struct snapshot_thread *thread;
	struct snapshots now;		/* as of the latest reading */
	atomic_bool had_last;		/* the one at the exit was asked for */
};

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "snapshots: out of memory");
}

int session_source_open_trace(struct session_source *ss, struct err *err)
{
	struct session_source_trace *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return no_memory(err);
	ss->trace = t;
	t->switches_asked = ss->opts.session.switch_events;
	auxtrace_env_here(&t->env);
	ret = auxtrace_open(&t->env, &ss->opts.aux, &ss->opts.session,
			    &t->trace, err);
	if (ret < 0)
		return ret;
	t->traces = ret > 0;
	/* What decodes samples, or traces, takes their tasks. */
	if (!t->traces && ss->opts.decode_rate <= 0)
		return 0;
	t->tasks = task_history_new(TASK_HISTORY);
	return t->tasks ? 0 : no_memory(err);
}

void session_source_warn_of_trace(struct session_source *ss)
{
	const char *warning = ss->trace->trace.warning;

	if (!warning[0])
		return;
	source_notes_add(&ss->notes, LOG_INFO, "%s", warning);
	if (!ss->source.notice[0])
		snprintf(ss->source.notice, sizeof(ss->source.notice), "%s",
			 warning);
}

struct task_history *session_source_tasks(const struct session_source *ss)
{
	return ss->trace->tasks;
}

int (*session_source_read_finish(const struct session_source *ss))(int fd)
{
	const struct session_source_trace *t = ss->trace;

	return t->traces ? t->trace.ops->read_finish : NULL;
}

struct trigger *session_source_trigger(const struct session_source *ss)
{
	return ss->trace->trigger;
}

int session_source_open_trigger(struct session_source *ss, struct err *err)
{
	const char *on = ss->opts.snapshots.on;
	struct trigger_events events = {
		.nr = ss->opts.session.events.nr,
		.call = (uint32_t)session_source_call(ss),
	};
	struct session_source_trace *t = ss->trace;

	if (!on)
		return 0;
	t->event_names = calloc(events.nr + 1, sizeof(*t->event_names));
	if (!t->event_names)
		return no_memory(err);
	for (size_t i = 0; i < events.nr; i++)
		t->event_names[i] = session_event_name(ss->session, i);
	events.names = t->event_names;
	t->trigger = trigger_new(on, &events, err);
	return t->trigger ? 0 : err->code;
}

/* The formats of these go into the files. */
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
	ret = perfdata_machine_read(&ss->trace->machine, names, nr, err);
	free(names);
	return ret;
}

int session_source_open_snapshots(struct session_source *ss, struct err *err)
{
	struct session_source_trace *t = ss->trace;
	struct snapshot_opts opts = {
		.session = ss->session,
		.session_opts = &ss->opts.session,
		.collector = ss->collector,
		.trace = t->traces ? &t->trace : NULL,
		.env = &t->env,
		.tasks = t->tasks,
		.machine = &t->machine,
		.trigger = t->trigger,
		.keep_switches = t->switches_asked,
		.note = source_notes_take,
		.ctx = &ss->notes,
	};
	int ret = read_machine(ss, err);

	if (ret)
		return ret;
	source_snapshots_fill(&ss->opts.snapshots, &opts);
	if (t->tasks)
		task_history_clock(t->tasks, session_clock(ss->session));
	t->thread = snapshot_thread_new(&opts, err);
	return t->thread ? 0 : err->code;
}

int session_source_start_snapshot_thread(struct session_source *ss,
					 struct err *err)
{
	struct snapshot_thread *thread = ss->trace->thread;
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
		snapshot_thread_begin(ss->trace->thread);
	return ret;
}

void session_source_start_snapshots(struct session_source *ss)
{
	snapshot_thread_enabled(ss->trace->thread);
}

void session_source_settle_snapshots(struct session_source *ss)
{
	struct session_source_trace *t = ss->trace;
	bool last = ss->opts.snapshots.at_exit &&
		    !atomic_exchange(&t->had_last, true);

	snapshot_thread_settle(t->thread, last ? "exit" : NULL);
}

void session_source_close_snapshots(struct session_source *ss)
{
	if (!ss->trace)
		return;
	/* One asked for after the end is finished; a start that failed leaves
	 * nothing. */
	if (ss->finished)
		snapshot_thread_stop(ss->trace->thread);
	snapshot_thread_free(ss->trace->thread);
	perfdata_machine_free(&ss->trace->machine);
}

void session_source_close_trace(struct session_source *ss)
{
	if (!ss->trace)
		return;
	trigger_free(ss->trace->trigger);
	task_history_free(ss->trace->tasks);
	free(ss->trace->event_names);
	free(ss->trace);
}

const struct snapshots *session_source_snapshots(struct session_source *ss)
{
	snapshot_thread_status(ss->trace->thread, &ss->trace->now);
	return &ss->trace->now;
}

uint64_t session_source_ended_snapshot(struct session_source *ss)
{
	return snapshot_thread_ended(ss->trace->thread);
}

int session_source_request_snapshot(struct session_source *ss,
				    const struct request *rq, struct err *err)
{
	return source_snapshots_request(ss->trace->thread, rq, err);
}

/*
 * A probe stays where a signal ends rbtop before the front end handles it, so
 * these wait for that: the front ends block them too, and to the end.
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

void session_source_close_call(struct session_source *ss)
{
	call_event_close(ss->call);
}
