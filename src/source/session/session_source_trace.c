/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is made of samples and trace: the resolver thread with its symbols and
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

#include "base/array.h"
#include "base/err.h"
#include "collect/triggers/trigger.h"
#include "perf/abi/record.h"
#include "perf/event/call_spec.h"
#include "perf/target/workload.h"
#include "perf/tracepoint/syscalls.h"
#include "perf/tracepoint/tracefs.h"
#include "perf/tracepoint/tracepoint.h"
#include "ring/request.h"
#include "samples/hot_key.h"
#include "samples/names.h"
#include "symbols/resolver.h"
#include "task/task_history.h"
#include "trace/call/call_event.h"
#include "trace/snapshot/snapshot_thread.h"

enum {
	NAMES_BYTES = 16 << 20,	/* limit of all names together */
	FIELDS_TEXT = 4096,	/* bytes for the names of one event's fields */
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

static void on_record(void *ctx, const struct side_band *record)
{
	resolver_record(ctx, record);
}

static void on_resync(void *ctx)
{
	resolver_resync(ctx);
}

static void on_symbol(void *ctx, pid_t pid, uint16_t cpumode, uint64_t ip,
		      struct symbol *out)
{
	resolver_symbol(ctx, pid, cpumode, ip, out);
}

static const char *on_comm(void *ctx, pid_t pid, pid_t tid)
{
	return resolver_comm(ctx, pid, tid);
}

static const char *on_cgroup(void *ctx, uint64_t id)
{
	return resolver_cgroup(ctx, id);
}

static bool on_idle(void *ctx, uint64_t now_ns)
{
	return resolver_idle(ctx, now_ns);
}

static bool on_is_native(void *ctx, pid_t pid)
{
	return resolver_is_native(ctx, pid);
}

static void on_stats(const void *ctx, struct resolver_stats *stats)
{
	resolver_read_stats(ctx, stats);
}

static void on_free(void *ctx)
{
	resolver_free(ctx);
}

static const struct symbolizer_ops symbolizer = {
	.record = on_record,
	.resync = on_resync,
	.symbol = on_symbol,
	.comm = on_comm,
	.cgroup = on_cgroup,
	.is_native = on_is_native,
	.idle = on_idle,
	.stats = on_stats,
	.free = on_free,
};

static const char *name_function(void *ctx, uint64_t addr, uint64_t *start)
{
	return resolver_function(ctx, addr, start);
}

/* Split "sys:name" or "sys:name:mods".  False if it is neither. */
static bool split_name(const char *event, char sys[128], char name[128])
{
	return sscanf(event, "%127[^:]:%127[^:]", sys, name) == 2;
}

static int add_trace_field(struct session_source *ss, const char *name)
{
	char *copy = strdup(name), **place = NULL;

	if (copy)
		place = array_add(ss->trace_fields, ss->nr_trace_fields,
				  ss->room_trace_fields);
	if (!place) {
		free(copy);
		return -ENOMEM;
	}
	*place = copy;
	return 0;
}

static int add_field(struct session_source *ss, const char *event,
		     const char *field)
{
	char name[REQUEST_TEXT];

	snprintf(name, sizeof(name), "%s.%s", event, field);
	return add_trace_field(ss, name);
}

static int add_fields(struct session_source *ss, const char *event,
		      const char *tracefs, const char *sys, const char *name)
{
	char fields[FIELDS_TEXT], *rest = fields, *field;
	uint32_t bytes;
	int ret = 0;

	if (tracefs_event_fields(tracefs, sys, name, &bytes, fields,
				 sizeof(fields)))
		return 0;
	if (strcmp(sys, "raw_syscalls") == 0)
		ret = add_field(ss, event, SYSCALLS_FIELD);
	while (!ret && (field = strsep(&rest, ",")))
		if (*field)
			ret = add_field(ss, event, field);
	return ret;
}

/* If a format cannot be read or parsed, the event has no text. */
static int learn_tracepoints(struct session_source *ss, struct tracepoints *t)
{
	const struct event_list *events = &ss->opts.session.events;
	const char *tracefs = tracefs_mounted();
	char sys[128], name[128];
	int ret = 0;

	for (size_t i = 0; tracefs && !ret && i < events->nr; i++) {
		const char *event = events->specs[i].name;

		if (!events->specs[i].tracepoint ||
		    !split_name(event, sys, name))
			continue;
		tracepoints_add(t, tracefs, sys, name);
		ret = add_fields(ss, session_event_name(ss->session, i),
				 tracefs, sys, name);
	}
	return ret;
}

/* The most telling field of an event; NULL: none, or it is no tracepoint. */
static const char *telling(const struct session_source *ss, size_t i,
			   struct tracepoints *t)
{
	const struct event_spec *spec = &ss->opts.session.events.specs[i];
	char sys[128], name[128];

	if (!spec->tracepoint || !split_name(spec->name, sys, name))
		return NULL;
	return tracepoints_telling(t, sys, name);
}

/*
 * Tracepoints without callchains have one symbol each, which is always the
 * same: group them by what their data tells, or by task.  @field is of at least
 * REQUEST_TEXT bytes.
 */
static int choose_group(struct session_source *ss,
			const struct resolver_event *events,
			struct resolver_thread_opts *opts, char *field)
{
	const struct event_list *list = &ss->opts.session.events;
	unsigned int task = 1u << HOT_COMM;
	bool told = false;

	field[0] = '\0';
	for (size_t i = 0; i < list->nr; i++) {
		if (opts->chains || !list->specs[i].tracepoint)
			return 0;
		told |= events[i].field != NULL;
	}
	opts->group = told ? 1u << HOT_FIELD : task;
	if (told && list->nr == 1)
		snprintf(field, REQUEST_TEXT, "%s.%s", events[0].name,
			 events[0].field);
	if (list->nr < 2)
		return 0;
	opts->group |= 1u << HOT_EVENT;
	if (!told)
		return 0;
	snprintf(field, REQUEST_TEXT, "%s", SAMPLES_OWN_FIELD);
	return add_trace_field(ss, SAMPLES_OWN_FIELD);
}

static struct resolver_event *list_events(const struct session_source *ss,
					  struct tracepoints *t)
{
	size_t nr = ss->opts.session.events.nr;
	struct resolver_event *events = calloc(nr + 1, sizeof(*events));

	for (size_t i = 0; events && i < nr; i++)
		events[i] = (struct resolver_event){
			.name = session_event_name(ss->session, i),
			.layout = sample_layout_of(
				session_event_attr(ss->session, i)),
			.field = telling(ss, i, t),
		};
	return events;
}

/* The processes of the target; none: all. */
static pid_t *list_pids(const struct session_source *ss, size_t *nr)
{
	pid_t *pids = calloc(ss->nr_tasks + 1, sizeof(*pids));

	*nr = ss->nr_tasks;
	for (size_t i = 0; pids && i < ss->nr_tasks; i++)
		pids[i] = ss->tasks[i].pid;
	return pids;
}

/*
 * Report existing cgroups, since records only report new ones.  The id is the
 * inode number of the directory (kernfs_id(), on 64 bits).
 */
static void tell_cgroups(struct resolver *resolver)
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
	pid_t *pids = list_pids(ss, &opts.nr_pids);
	struct resolver *resolver;

	if (!pids) {
		err_set(err, -ENOMEM, "the target's processes: out of memory");
		return NULL;
	}
	opts.pids = pids;
	resolver = resolver_new(&opts, err);
	free(pids);
	if (resolver)
		ss->nr_loaders = resolver_loaders(resolver, ss->loaders,
						  SESSION_LOADERS);
	if (resolver && ss->opts.session.sample_type & PERF_SAMPLE_CGROUP)
		tell_cgroups(resolver);
	return resolver;
}

/* Make what the thread will own.  0, or -errno with @err (some may exist). */
static int make_parts(struct session_source *ss,
		      struct resolver_thread_opts *opts, struct err *err)
{
	struct tracepoint_names names = {
		.function = name_function,
	};

	opts->names = names_new(NAMES_BYTES);
	if (!opts->names)
		return err_set(err, -ENOMEM, NO_MEMORY);
	opts->symbolizer_ctx = open_resolver(ss, opts->names, err);
	if (!opts->symbolizer_ctx)
		return err ? err->code : -ENOMEM;
	names.ctx = opts->symbolizer_ctx;
	opts->tracepoints = tracepoints_new(&names);
	if (!opts->tracepoints || learn_tracepoints(ss, opts->tracepoints))
		return err_set(err, -ENOMEM, NO_MEMORY);
	return 0;
}

static int make_thread(struct session_source *ss,
		       struct resolver_thread_opts *opts, struct err *err)
{
	struct resolver_event *events = list_events(ss, opts->tracepoints);
	char field[REQUEST_TEXT];

	if (!events || choose_group(ss, events, opts, field)) {
		free(events);
		resolver_thread_free_opts(opts);
		return err_set(err, -ENOMEM, NO_MEMORY);
	}
	opts->events = events;
	opts->nr_events = ss->opts.session.events.nr;
	opts->field = field;
	opts->trace_fields = (const char *const *)ss->trace_fields;
	opts->nr_trace_fields = ss->nr_trace_fields;
	ss->source.resolver = resolver_thread_new(opts, err);
	free(events);
	return ss->source.resolver ? 0 : -ENOMEM;
}

int session_source_open_samples(struct session_source *ss, struct err *err)
{
	struct resolver_thread_opts opts = {
		.collector = ss->collector,
		.symbolizer = &symbolizer,
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
	for (size_t i = 0; i < ss->nr_trace_fields; i++)
		free(ss->trace_fields[i]);
	free(ss->trace_fields);
	return true;
}
