/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/pmu/intel_pt.h"
#include "trace/pmu/intel_pt_time.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session.h"
#include "sim/sim_state.h"

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

static uint64_t now_ns(void)
{
	return sys_now_ns();
}

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
	.reference = now_ns,
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
		.perf = AUXTRACE_PERF_LEAST,
	};
}

int sim_session_open(struct sim_session *s, struct sim *sim, struct err *err)
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

void sim_session_close(struct sim_session *s)
{
	session_close(s->session);
	free(s->specs);
	*s = (struct sim_session){ 0 };
}
