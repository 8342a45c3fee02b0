/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/sys.h"
#include "collect/triggers/trigger.h"
#include "perf/abi/side_band.h"
#include "perf/event/event_spec.h"
#include "perf/session/session.h"
#include "source/source_snapshots.h"
#include "task/task_history.h"
#include "trace/pmu/auxtrace.h"
#include "trace/pmu/intel_pt.h"
#include "trace/snapshot/snapshot_thread.h"

enum { TASK_HISTORY = 1 << 20 };	/* bytes of records */

/*
 * The rings of the simulated kernel as a session, for code that copies and
 * saves rings; and its PMU that traces.  Independent of this machine.
 */
struct sim_session {
	struct event_spec *specs;	/* sampling events, then the one that
					 * traces */
	struct session_opts opts;
	struct auxtrace trace;
	bool traces;
	struct session *session;
};

struct sim_snapshots {
	struct source_snapshots opts;
	struct source_snapshots_parts parts;	/* .env: nowhere */
	struct sim_session session;
};

/* Bits of attr.config, as in format/ of intel_pt. */
enum {
	PT_ENABLE = 1 << 0,
	PT_TSC = 1 << 10,
	PT_PTWRITE = 1 << 12,	/* without branches, which are bit 13 */
	PT_TYPE = 8,		/* attr.type, as on most machines */
};

/* Ids of the events that trace, one per CPU; they write no records. */
#define TRACE_IDS (UINT64_C(1) << 32)

/* The trace's counter counts ns of the records' clock. */
static const struct perf_time_conv counts_ns = {
	.time_mult = 1, .time_mask = UINT64_MAX, .cap_user_time_zero = true,
};

static int fill_info(const struct auxtrace_info *from, uint64_t *priv,
		     size_t words, struct err *err)
{
	static const struct intel_pt_pmu pmu = { .tsc = PT_TSC };
	struct auxtrace_info simulated = *from;

	simulated.conv = counts_ns;
	return intel_pt_info(&simulated, &pmu, priv, words, err);
}

static uint64_t oldest(const struct perf_time_conv *conv, uint64_t now,
		       const unsigned char *trace, size_t len)
{
	(void)conv;
	return intel_pt_oldest(&counts_ns, now, trace, len);
}

/* Like auxtrace_intel_pt, without querying the machine. */
static const struct auxtrace_ops simulated_pt = {
	.name = "simulated Intel PT",
	.type = 1,
	.alignment = 1,
	.info_size = intel_pt_info_size,
	.info_fill = fill_info,
	.snapshot_start = auxtrace_snapshot_start,
	.snapshot_finish = auxtrace_snapshot_finish,
	.find_snapshot = auxtrace_find_snapshot,
	.reference = sys_now_ns,
	.oldest = oldest,
};

static void on_trace(void *ctx, size_t ring, bool on)
{
	struct sim *sim = ctx;

	pthread_mutex_lock(&sim->lock);
	sim_cpu_trace(&sim->cpus[ring], &sim->spec, on);
	pthread_mutex_unlock(&sim->lock);
}

static void on_pause(void *ctx, size_t ring, bool on)
{
	struct sim *sim = ctx;

	pthread_mutex_lock(&sim->lock);
	sim_cpu_copy(&sim->cpus[ring], on);
	pthread_mutex_unlock(&sim->lock);
}

static const struct session_memory_ops ops = {
	.trace = on_trace,
	.pause = on_pause,
};

/* Attributes as session_specs.c sets them. */
static struct perf_event_attr common_attr(const struct sim_spec *spec)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1,
		.sample_type = sim_samples_type(spec),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | PERF_FORMAT_LOST,
		.disabled = 1,
		.sample_id_all = 1,
		.write_backward = spec->overwrite != 0,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

static void fill_specs(struct sim_session *s, const struct sim *sim)
{
	size_t nr = sim->spec.events;
	struct event_spec *trace = &s->specs[nr];

	for (size_t i = 0; i < nr; i++) {
		s->specs[i].attr = common_attr(&sim->spec);
		s->specs[i].leader = i;
		snprintf(s->specs[i].name, sizeof(s->specs[i].name), "%s",
			 sim->names[1 + i]);
	}
	s->opts.events = (struct event_list){
		.specs = s->specs,
		.nr = nr + s->traces,
	};
	if (!s->traces)
		return;
	trace->attr = common_attr(&sim->spec);
	trace->attr.type = PT_TYPE;
	trace->attr.config = PT_ENABLE | PT_TSC | PT_PTWRITE;
	trace->leader = nr;
	trace->aux = true;
	snprintf(trace->name, sizeof(trace->name), "intel_pt/ptw/");
	snprintf(trace->pmu, sizeof(trace->pmu), "intel_pt");
}

static int add_ring(struct sim_session *s, const struct sim *sim, size_t i)
{
	const struct sim_cpu *cpu = &sim->cpus[i];
	struct session_event *events;
	size_t nr = cpu->nr_events;
	int ret;

	events = calloc(nr + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	for (size_t k = 0; k < nr; k++)
		events[k] = (struct session_event){
			.spec = k ? k - 1 : SESSION_SIDE_BAND,
			.tid = -1, .id = cpu->events[k].id, .fd = -1,
		};
	if (s->traces)
		events[nr++] = (struct session_event){
			.spec = sim->spec.events,
			.tid = -1, .id = TRACE_IDS + i, .fd = -1,
		};
	ret = session_memory_add(s->session, &(struct session_ring){
		.cpu = cpu->cpu, .tid = -1, .ring = cpu->memory.view,
		.aux = cpu->memory.aux, .events = events, .nr_events = nr,
	});
	free(events);
	return ret;
}

static void fill_opts(struct sim_session *s, const struct sim *sim)
{
	s->traces = sim->spec.aux != 0;
	s->opts = (struct session_opts){
		.target.mode = TARGET_CPUS,
		.overwrite = sim->spec.overwrite != 0,
		.aux_bytes = sim->spec.aux,
		.aux_overwrite = sim->spec.snapshot != 0,
	};
	s->trace = (struct auxtrace){
		.ops = &simulated_pt,
		.pmu = "intel_pt",
		.spec = sim->spec.events,
		.overwrite = sim->spec.snapshot != 0,
		.per_cpu = true,
		.perf = AUXTRACE_PERF_MIN,
	};
}

/* With all CPUs of @sim.  0, or -ENOMEM with @err; close it in any case. */
static int open_session(struct sim_session *s, struct sim *sim, struct err *err)
{
	int ret;

	fill_opts(s, sim);
	s->specs = calloc(sim->spec.events + 1, sizeof(*s->specs));
	if (!s->specs)
		return err_set(err, -ENOMEM, "--sim: out of memory");
	fill_specs(s, sim);
	ret = session_memory_open(&s->opts, &ops, sim, &s->session, err);
	for (size_t i = 0; !ret && i < sim->nr_cpus; i++)
		if (add_ring(s, sim, i))
			ret = err_set(err, -ENOMEM, "--sim: out of memory");
	return ret;
}

static void close_session(struct sim_session *s)
{
	session_close(s->session);
	free(s->specs);
	*s = (struct sim_session){ 0 };
}

static int no_memory(struct err *err)
{
	return err_set(err, -ENOMEM, "--sim: snapshots: out of memory");
}

static bool keeps_something(const struct sim_spec *spec)
{
	return spec->overwrite || (spec->aux && spec->snapshot);
}

static int nothing_kept(struct err *err)
{
	return err_set(err, -EOPNOTSUPP,
		       "no simulated ring keeps anything for a snapshot: use --sim aux=SIZE,snapshot=1 or overwrite=1");
}

/* The option that requests snapshots from the start; NULL: none. */
static const char *unattended(const struct source_snapshots *from)
{
	if (from->on || from->at_exit)
		return "--snapshot-on";
	return from->every > 0 ? "--snapshot-every" : NULL;
}

static int check(const struct sim_spec *spec,
		 const struct source_snapshots *from, struct err *err)
{
	const char *what = unattended(from);

	if (what && !keeps_something(spec)) {
		nothing_kept(err);
		return err_prefix(err, "%s", what);
	}
	if (!from->on)
		return 0;
	if (call_spec_is(from->on))
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on %.60s: a simulated kernel has no functions to probe",
			       from->on);
	if (spec->overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "--snapshot-on checks records as they are drained, and overwrite rings are not drained: use --sim aux=SIZE,snapshot=1, or --snapshot-every");
	return 0;
}

/* Side-band event first, as the collector counts them. */
static int open_trigger(struct sim *sim, struct err *err)
{
	struct source_snapshots_parts *p = &sim->snapshots->parts;
	struct trigger_events events = {
		.nr = 1 + sim->spec.events,
		.call = UINT32_MAX,
		.made_up = true,
	};

	if (!p->opts->on)
		return 0;
	p->event_names = calloc(events.nr, sizeof(*p->event_names));
	if (!p->event_names)
		return no_memory(err);
	for (size_t i = 0; i < events.nr; i++)
		p->event_names[i] = sim->names[i];
	events.names = p->event_names;
	p->trigger = trigger_new(p->opts->on, &events, err);
	return p->trigger ? 0 : err->code;
}

int sim_snapshots_new(struct sim *sim, const struct source_snapshots *from,
		      struct err *err)
{
	int ret = check(&sim->spec, from, err);

	if (ret || !keeps_something(&sim->spec))
		return ret;
	sim->snapshots = calloc(1, sizeof(*sim->snapshots));
	if (!sim->snapshots)
		return no_memory(err);
	sim->snapshots->opts = *from;
	sim->snapshots->parts.opts = &sim->snapshots->opts;
	sim->source.snapshots = &sim->snapshots->parts;
	return open_trigger(sim, err);
}

/* Add a record of a ring in which no record wraps. */
static void take_task(struct source_snapshots_parts *p, const struct ring *ring,
		      uint64_t at, uint16_t size)
{
	struct side_band record;

	if (!side_band_parse(ring->data + at, size, &side_band_own, &record))
		task_history_record(p->tasks, &record, ring->data + at);
	if (p->trigger)
		trigger_record(p->trigger, 0, ring, at);
}

/* Record the tasks before anything happens, by a ring of their own. */
static int tell_tasks(struct sim_snapshots *s, struct err *err)
{
	size_t page = sys_page_size(), size = 2 * SIM_TRAFFIC_TOLD;
	void *base = aligned_alloc(page, page + size);
	struct sim_event side_band = { 0 };
	struct perf_event_header header;
	struct sim_ring writer;
	struct ring ring;

	if (!base)
		return no_memory(err);
	memset(base, 0, page + size);
	sim_ring_init(&writer, base, size, 0, false);
	ring_attach(&ring, base, size, false);
	sim_traffic_tell(&writer, &side_band, sys_now_ns());
	for (uint64_t at = 0; at < writer.head; at += header.size) {
		header = ring_header(&ring, at);
		take_task(&s->parts, &ring, at, header.size);
	}
	free(base);
	return 0;
}

static int open_thread(struct sim *sim, struct err *err)
{
	struct sim_snapshots *s = sim->snapshots;
	struct snapshot_opts opts = {
		.session = s->session.session,
		.session_opts = &s->session.opts,
		.collector = sim->collector,
		.trace = s->session.traces ? &s->session.trace : NULL,
		.tasks_made_up = true,
		.keep_switches = true,
	};

	return source_snapshots_open(&s->parts, &opts, &sim->notes, err);
}

int sim_snapshots_open(struct sim *sim, struct err *err)
{
	struct sim_snapshots *s = sim->snapshots;
	int ret;

	if (!s)
		return 0;
	s->parts.tasks = task_history_new(TASK_HISTORY);
	if (!s->parts.tasks)
		return no_memory(err);
	ret = tell_tasks(s, err);
	if (!ret)
		ret = open_session(&s->session, sim, err);
	if (!ret)
		ret = perfdata_machine_read(&s->parts.machine, NULL, 0, err);
	return ret ? ret : open_thread(sim, err);
}

int sim_snapshots_start(struct sim *sim, struct err *err)
{
	struct sim_snapshots *s = sim->snapshots;

	return s ? snapshot_thread_start(s->parts.thread, err) : 0;
}

void sim_snapshots_enabled(struct sim *sim)
{
	if (sim->snapshots)
		snapshot_thread_enabled(sim->snapshots->parts.thread);
}

int sim_snapshots_request(struct sim *sim, const struct request *rq,
			  struct err *err)
{
	if (!sim->source.snapshots)
		return nothing_kept(err);
	return source_snapshots_request(sim->source.snapshots, rq, err);
}

void sim_snapshots_replace(struct sim *sim, size_t i)
{
	if (sim->snapshots)
		session_memory_replace(sim->snapshots->session.session, i,
				       &sim->cpus[i].memory.view);
}

void sim_snapshots_free(struct sim *sim)
{
	struct sim_snapshots *s = sim->snapshots;

	if (!s)
		return;
	close_session(&s->session);
	source_snapshots_free(&s->parts);
	free(s);
	sim->snapshots = NULL;
	sim->source.snapshots = NULL;
}
