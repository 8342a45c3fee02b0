/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --snapshot-on call:FUNC: the event that samples each call of a function. */
#include "source/session_source_call.h"

#include <pthread.h>
#include <signal.h>

#include "trace/call/call_event.h"
#include "base/err.h"
#include "perf/event/call_spec.h"
#include "perf/target/workload.h"

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
