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
#include "perf/event/call_spec.h"
#include "perf/session/session.h"
#include "sim/sim_session.h"
#include "sim/sim_state.h"
#include "source/source_snapshots.h"

enum { TASK_HISTORY = 1 << 20 };	/* bytes of records */

struct sim_snapshots {
	struct source_snapshots asked;
	struct source_snapshots_parts parts;	/* .env: nowhere */
	struct sim_session session;
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

	if (!p->asked->on)
		return 0;
	p->event_names = calloc(events.nr, sizeof(*p->event_names));
	if (!p->event_names)
		return no_memory(err);
	for (size_t i = 0; i < events.nr; i++)
		p->event_names[i] = sim->names[i];
	events.names = p->event_names;
	p->trigger = trigger_new(p->asked->on, &events, err);
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
	sim->snapshots->asked = *from;
	sim->snapshots->parts.asked = &sim->snapshots->asked;
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
		ret = sim_session_open(&s->session, sim, err);
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
	sim_session_close(&s->session);
	source_snapshots_free(&s->parts);
	free(s);
	sim->snapshots = NULL;
	sim->source.snapshots = NULL;
}
