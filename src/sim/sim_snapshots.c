/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim_snapshots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/snapshot/snapshot_thread.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/abi/side_band.h"
#include "task/task_history.h"
#include "collect/triggers/trigger.h"
#include "ring/request.h"
#include "ring/snapshots.h"
#include "perf/event/call_spec.h"
#include "perf/session/session_memory.h"
#include "trace/perfdata/machine.h"
#include "sim/sim_session.h"
#include "sim/sim_state.h"
#include "source/source_snapshots.h"

enum { TASK_HISTORY = 1 << 20 };	/* bytes of their records */

struct sim_snapshots {
	struct source_snapshots asked;
	const char **names;		/* of the events, for the trigger */
	struct trigger *trigger;	/* NULL: none */
	struct sim_session session;
	struct task_history *tasks;
	struct auxtrace_env env;	/* nowhere */
	struct perfdata_machine machine;
	struct snapshot_thread *thread;
	struct snapshots now;		/* as of the latest reading */
	bool had_last;			/* the one at the exit was taken */
};

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
		       "no simulated ring keeps anything to save: use --sim aux=SIZE,snapshot=1 or overwrite=1");
}

/* What is asked for at the start; NULL: nothing. */
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
			       "--snapshot-on watches records as they are drained, and overwrite rings are not: use --sim aux=SIZE,snapshot=1, or --snapshot-every");
	return 0;
}

/* Those of the side-band first, as the collector counts them. */
static int open_trigger(struct sim *sim, struct err *err)
{
	struct sim_snapshots *s = sim->snapshots;
	struct trigger_events events = {
		.nr = 1 + sim->spec.events,
		.call = UINT32_MAX,
		.made_up = true,
	};

	if (!s->asked.on)
		return 0;
	s->names = calloc(events.nr, sizeof(*s->names));
	if (!s->names)
		return no_memory(err);
	for (size_t i = 0; i < events.nr; i++)
		s->names[i] = sim->names[i];
	events.names = s->names;
	s->trigger = trigger_new(s->asked.on, &events, err);
	return s->trigger ? 0 : err->code;
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
	sim->snapshots->asked = *from;
	return open_trigger(sim, err);
}

struct trigger *sim_snapshots_trigger(const struct sim *sim)
{
	return sim->snapshots ? sim->snapshots->trigger : NULL;
}

/* A record of a ring that wraps nowhere. */
static void take_task(struct sim_snapshots *s, const struct ring *ring,
		      uint64_t at, uint16_t size)
{
	struct side_band record;

	if (!side_band_parse(ring->data + at, size, &side_band_own, &record))
		task_history_record(s->tasks, &record, ring->data + at);
	if (s->trigger)
		trigger_record(s->trigger, 0, ring, at);
}

/* The tasks as they are before anything happens: on a ring of their own. */
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
		take_task(s, &ring, at, header.size);
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
		.env = &s->env,
		.tasks = s->tasks,
		.tasks_made_up = true,
		.machine = &s->machine,
		.trigger = s->trigger,
		.keep_switches = true,
		.note = source_notes_take,
		.ctx = &sim->notes,
	};

	source_snapshots_fill(&s->asked, &opts);
	s->thread = snapshot_thread_new(&opts, err);
	return s->thread ? 0 : err->code;
}

int sim_snapshots_open(struct sim *sim, struct err *err)
{
	struct sim_snapshots *s = sim->snapshots;
	int ret;

	if (!s)
		return 0;
	s->tasks = task_history_new(TASK_HISTORY);
	if (!s->tasks)
		return no_memory(err);
	ret = tell_tasks(s, err);
	if (!ret)
		ret = sim_session_open(&s->session, sim, err);
	if (!ret)
		ret = perfdata_machine_read(&s->machine, NULL, 0, err);
	return ret ? ret : open_thread(sim, err);
}

int sim_snapshots_start(struct sim *sim, struct err *err)
{
	struct sim_snapshots *s = sim->snapshots;

	return s ? snapshot_thread_start(s->thread, err) : 0;
}

void sim_snapshots_enabled(struct sim *sim)
{
	if (sim->snapshots)
		snapshot_thread_enabled(sim->snapshots->thread);
}

int sim_snapshots_request(struct sim *sim, const struct request *rq,
			  struct err *err)
{
	if (!sim->snapshots)
		return nothing_kept(err);
	return source_snapshots_request(sim->snapshots->thread, rq, err);
}

void sim_snapshots_replace(struct sim *sim, size_t i)
{
	if (sim->snapshots)
		session_memory_replace(sim->snapshots->session.session, i,
				       &sim->cpus[i].memory.view);
}

const struct snapshots *sim_snapshots_read(struct sim *sim)
{
	struct sim_snapshots *s = sim->snapshots;

	if (!s)
		return NULL;
	snapshot_thread_status(s->thread, &s->now);
	return &s->now;
}

void sim_snapshots_finish(struct sim *sim)
{
	struct sim_snapshots *s = sim->snapshots;
	bool last;

	if (!s)
		return;
	last = s->asked.at_exit && !s->had_last;
	s->had_last |= last;
	snapshot_thread_settle(s->thread, last ? "exit" : NULL);
}

void sim_snapshots_close(struct sim *sim)
{
	struct sim_snapshots *s = sim->snapshots;

	if (!s)
		return;
	/* One asked for after the end is finished; a start that failed leaves
	 * nothing. */
	if (sim->started)
		snapshot_thread_stop(s->thread);
	snapshot_thread_free(s->thread);
	s->thread = NULL;
}

void sim_snapshots_free(struct sim *sim)
{
	struct sim_snapshots *s = sim->snapshots;

	if (!s)
		return;
	sim_session_close(&s->session);
	perfdata_machine_free(&s->machine);
	task_history_free(s->tasks);
	trigger_free(s->trigger);
	free(s->names);
	free(s);
	sim->snapshots = NULL;
}
