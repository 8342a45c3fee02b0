/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a front end calls: readings of the live source, from collector, counter
 * poller and session; and requests, which --control makes too.
 */
#include "source/session/session_source_state.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "collect/drain/drain.h"
#include "collect/thread/ring_thread.h"

static void add_known(uint64_t *sum, uint64_t more)
{
	if (*sum == UNKNOWN || more == UNKNOWN)
		*sum = UNKNOWN;
	else
		*sum += more;
}

/* The entry for @spec, in the order of first use; new ones at the end. */
static struct ring_event *event_entry(struct session_source *ss,
					 struct reading_ring *rr, size_t *used,
					 size_t spec)
{
	const char *name = session_event_name(ss->session, spec);
	struct ring_event *event;

	for (size_t i = 0; i < *used; i++)
		if (rr->row.events[i].name == name)
			return &rr->row.events[i];
	event = &rr->row.events[(*used)++];
	*event = (struct ring_event){
		.name = name,
		.side_band = spec == SESSION_SIDE_BAND,
	};
	return event;
}

/* One entry per event of the command line, for any number of tasks. */
static int fill_events(struct session_source *ss,
		       const struct session_ring *ring, struct reading_ring *rr)
{
	size_t used = 0, max = ss->opts.session.events.nr + 1;

	if (reading_reserve_events(rr, max))
		return -ENOMEM;
	for (size_t i = 0; i < ring->nr_events; i++) {
		struct ring_event *event;

		event = event_entry(ss, rr, &used, ring->events[i].spec);
		add_known(&event->count, ss->counts[i].count);
		add_known(&event->lost, ss->counts[i].lost);
		event->samples += ss->samples[i];
	}
	rr->row.nr_events = used;
	return 0;
}

static void fill_comms(struct session_source *ss, struct reading_ring *rr,
		       double now)
{
	struct top_pid top[TOP_PIDS];

	rr->nr_comms = top_pids_sorted(&rr->stats.pids, top);
	for (unsigned int i = 0; i < rr->nr_comms; i++) {
		struct reading_comm *comm = &rr->comms[i];

		comm->pid = top[i].pid;
		if (!comm_cache_get(ss->comms, comm->pid, now, comm->comm))
			snprintf(comm->comm, sizeof(comm->comm), ":%d",
				 comm->pid);
	}
}

/* The process that the ring monitors, if there is only one. */
static void fill_owner(struct session_source *ss,
		       const struct session_ring *ring, struct reading_ring *rr,
		       double now)
{
	struct source_task *only = NULL;
	char comm[PROC_COMM];

	rr->row.pid = -1;
	rr->row.comm[0] = '\0';
	for (size_t i = 0; i < ss->nr_tasks; i++) {
		struct source_task *task = &ss->tasks[i];

		if (ring->tid >= 0 && task->tid != ring->tid)
			continue;
		if (only && only->pid != task->pid)
			return;
		if (!only)
			only = task;
	}
	if (!only)
		return;
	rr->row.pid = only->pid;
	if (!only->ended && comm_cache_get(ss->comms, only->tid, now, comm))
		memcpy(only->comm, comm, sizeof(comm));
	strcpy(rr->row.comm, only->comm);
}

static void fill_memory(const struct session_ring *ring,
			struct reading_ring *rr)
{
	rr->row.overwrite = ring->ring.overwrite;
	rr->row.size = ring->ring.size;
	rr->row.watermark = ring->ring.watermark;
	if (!ring->ring.page)
		return;
	rr->row.head = ring_head(&ring->ring);
	rr->row.tail = ring->ring.overwrite ? 0 : ring_tail(&ring->ring);
	/* The tail was read after the head, and may be ahead of it. */
	if (rr->row.tail > rr->row.head && !ring->ring.overwrite)
		rr->row.head = rr->row.tail;
}

/* Seconds since tracing was last stopped, which published the head. */
static double head_age(struct session_source *ss,
		       const struct source_ring *state,
		       const struct ring_stats *stats, double now)
{
	struct perf_clock clock = session_clock(ss->session);
	uint64_t ns = perf_clock_now(&clock), at = stats->aux.last_time;
	double age = NAN;

	if (at && !clock.unknown)
		age = ns > at ? (double)(ns - at) / 1e9 : 0;
	if (state->aux_read_at > 0)
		age = fmin(age, now - state->aux_read_at);
	return age;
}

/* rr->stats must be set. */
static void fill_aux(struct session_source *ss, size_t i, double now,
		     struct reading_ring *rr)
{
	const struct session_ring *ring = session_ring(ss->session, i);
	struct source_ring *state = &ss->rings[i];
	struct reading_aux *aux = &rr->aux;
	struct ring_aux *row = &rr->row.aux;

	*aux = (struct reading_aux){ .head_age = NAN, .read_cost = NAN };
	*row = (struct ring_aux){ 0 };
	if (!ring->aux.size)
		return;
	row->size = ring->aux.size;
	row->watermark = ring->aux.watermark;
	row->overwrite = ring->aux.overwrite;
	aux->stopped = !rr->row.enabled;
	/* Tail first: the head that is read then is never less. */
	row->tail = row->overwrite ? 0 : aux_ring_tail(&ring->aux);
	row->head = aux_ring_head(&ring->aux);
	if (!row->overwrite)
		return;
	aux->head_age = head_age(ss, state, &rr->stats, now);
	state->aux_free_running |= row->head > row->size;
	aux->free_running = state->aux_free_running;
	aux->full = auxtrace_was_full(ring_track_of(&state->trace, ring),
				      &ring->aux, row->head);
	if (state->aux_read_at > 0)
		aux->read_cost = state->aux_read_cost;
}

static int fill_ring(struct session_source *ss, size_t i,
		     struct reading_ring *rr, double now)
{
	const struct session_ring *ring = session_ring(ss->session, i);
	const struct source_ring *state = &ss->rings[i];

	if (array_fit(ss->counts, ss->counts_cap, ring->nr_events) ||
	    array_fit(ss->samples, ss->samples_cap, ring->nr_events))
		return -ENOMEM;
	rr->row.cpu = ring->cpu;
	rr->row.tid = ring->tid;
	rr->row.gone = ring->gone;
	rr->row.paused = state->paused;
	rr->row.enabled = ss->enabled && !ring->gone;
	rr->row.wakeup_events = ss->opts.session.wakeup_events ?
				    ss->opts.session.wakeup_events :
				    UNKNOWN;
	rr->read = state->read;
	fill_memory(ring, rr);
	/* Losses before samples: a loss is never newer than the samples. */
	counter_poller_read(ss->poller, i, ss->counts, ring->nr_events,
			    &rr->counts_age);
	collector_read(ss->collector, i, &rr->stats, ss->samples,
		       ring->nr_events, &rr->recent_peak);
	rr->ordinary = !ss->priority || collector_fell_back(ss->collector);
	rr->ordinary_wait = ss->watch_wait;
	/* Losses that no record will report count as reported. */
	rr->stats.lost += state->unreported;
	fill_aux(ss, i, now, rr);
	fill_owner(ss, ring, rr, now);
	fill_comms(ss, rr, now);
	return fill_events(ss, ring, rr);
}

/* Once each time that more readers fell back; the notice stays on screen. */
static void note_fall_back(struct session_source *ss)
{
	size_t nr = collector_fell_back(ss->collector);

	if (nr == ss->fell_back)
		return;
	ss->fell_back = nr;
	snprintf(ss->source.notice, sizeof(ss->source.notice),
		 "%zu reader%s used over %.0f%% of a CPU: not realtime until "
		 "restarted; use a lower frequency (-F) or larger period (-c)",
		 nr, nr == 1 ? "" : "s", CPU_BUDGET_SHARE * 100);
}

static int read_locked(struct session_source *ss, struct reading *r)
{
	size_t nr = session_nr_watched(ss->session);
	int ret = reading_reserve(r, nr);

	if (ret)
		return ret;
	source_clock_read(r, ss->collector);
	for (size_t i = 0; !ret && i < nr; i++)
		ret = fill_ring(ss, i, &r->rings[i], r->mono);
	ss->watch_wait = 0;
	r->cpu = sys_process_cpu();
	session_rates(ss->session, &r->rates);
	note_fall_back(ss);
	r->ended = ss->ended;
	ss->source.exit_status = ss->command.status;
	ss->source.exit_signal = ss->command.signal;
	ss->source.has_status = ss->command.ended;
	source_notes_move(&ss->notes, r);
	return ret;
}

int session_source_read(struct source *source, struct reading *r,
			struct err *err)
{
	struct session_source *ss = (struct session_source *)source;
	int ret;

	pthread_mutex_lock(&ss->lock);
	ret = read_locked(ss, r);
	pthread_mutex_unlock(&ss->lock);
	if (ret)
		return err_set(err, ret, "reading the rings: out of memory");
	return 0;
}

/* Requests. */

/* Log a line about a ring: "CPU 0: " or "thread 12: ", and the text. */
__attribute__((format(printf, 3, 4)))
static void note_ring(struct session_source *ss, size_t ring, const char *fmt,
		      ...)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	bool cpu = r->cpu >= 0;
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	source_notes_add(&ss->notes, LOG_INFO, "%s %d: %s",
			 cpu ? "CPU" : "thread", cpu ? r->cpu : r->tid, text);
}

static int resize(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	uint64_t old = ring->ring.size;
	char from[16], to[16];
	int ret;

	if (!rq->on && old <= sys_page_size())
		return err_set(err, -EINVAL,
			       "a ring has at least one page: it cannot be halved");
	ret = session_source_ring_swap(ss, rq->ring, rq->on ? old * 2 : old / 2,
				       err);
	if (ret)
		return ret;
	note_ring(ss, rq->ring, "ring of %s replaced by one of %s",
		  units_bytes(from, sizeof(from), (double)old),
		  units_bytes(to, sizeof(to), (double)ring->ring.size));
	return 0;
}

static int pause_output(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	int ret = session_pause(ss->session, rq->ring, rq->on, err);

	if (ret)
		return ret;
	ss->rings[rq->ring].paused = rq->on;
	note_ring(ss, rq->ring, "output %s", rq->on ? "paused" : "resumed");
	return 0;
}

static int enable(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	int ret;

	collector_trace(ss->collector, false);
	ret = session_enable(ss->session, rq->on, err);
	collector_trace(ss->collector, ret ? ss->enabled : rq->on);
	if (ret)
		return ret;
	ss->enabled = rq->on;
	source_notes_add(&ss->notes, LOG_INFO, "all events %s",
			 rq->on ? "enabled" : "disabled");
	return 0;
}

/* The notice of a too short period stays on screen until the rate changes. */
static void update_period_notice(struct session_source *ss, uint64_t period)
{
	char *notice = ss->source.notice;

	if (!session_period_notice(ss->session, period, notice,
				   sizeof(ss->source.notice)) &&
	    strstr(notice, SESSION_PERIOD_OVER))
		*notice = '\0';
}

static int set_rate(struct session_source *ss, const struct request *rq,
		    struct err *err)
{
	bool freq = rq->kind == REQUEST_FREQ;
	unsigned long long value = rq->value, limited;
	int ret = session_set_rate(ss->session, freq ? rq->value : 0,
				   freq ? 0 : rq->value, err);

	if (ret)
		return ret;
	session_source_title(ss);
	update_period_notice(ss, freq ? 0 : rq->value);
	limited = freq ? session_limit_freq(value) : value;
	if (limited < value)
		source_notes_add(&ss->notes, LOG_INFO, SESSION_FREQ_LOWERED,
				 value, limited);
	else
		source_notes_add(&ss->notes, LOG_INFO,
				 freq ? "samples at %llu Hz" :
					"samples at period %llu",
				 value);
	return 0;
}

/* @lost: records lost before the pause. */
static void note_read(struct session_source *ss, size_t ring, uint64_t lost)
{
	const struct ring_overwrite *read = &ss->rings[ring].read;
	char oldest[16], paused[16], cost[40] = "";

	if (lost != UNKNOWN && read->lost != UNKNOWN)
		snprintf(cost, sizeof(cost), ", %llu lost",
			 (unsigned long long)(read->lost - lost));
	note_ring(ss, ring, "read %llu records, oldest %s; paused for %s%s",
		  (unsigned long long)read->records,
		  units_duration(oldest, sizeof(oldest), read->oldest),
		  units_duration(paused, sizeof(paused), read->paused), cost);
}

/* Stop tracing, read the head, and resume, while the caller waits. */
static int read_aux(struct session_source *ss, size_t ring, struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct source_ring *state = &ss->rings[ring];
	size_t nr = session_nr_rings(ss->session);
	bool *skip = calloc(nr + 1, sizeof(*skip));
	double spread, before;
	int ret;

	if (!skip)
		return err_set(err, -ENOMEM, "reading a head: out of memory");
	for (size_t i = 0; i < nr; i++)
		skip[i] = i != ring;
	before = sys_now();
	ret = session_aux_hold(ss->session, skip, &spread, err);
	free(skip);
	if (ret)
		return ret;
	session_aux_release(ss->session);
	state->aux_read_at = sys_now();
	state->aux_read_cost = state->aux_read_at - before;
	collector_drain(ss->collector, ring);
	note_ring(ss, ring, "AUX head at %llu; tracing stopped for %.0f us",
		  (unsigned long long)aux_ring_head(&r->aux),
		  state->aux_read_cost * 1e6);
	return 0;
}

static int read_overwrite(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	struct source_ring *state = &ss->rings[rq->ring];
	uint64_t lost;
	double before;
	int ret = 0;

	if (ring->aux.overwrite)
		return read_aux(ss, rq->ring, err);
	if (!ring->ring.overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "this ring is drained continuously: only overwrite rings (--overwrite), and AUX rings in snapshot mode, are read on demand");
	lost = session_lost(ss->session, rq->ring);
	before = sys_now();
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, true, err);
	if (ret)
		return ret;
	overwrite_walk(&ring->ring, sys_now_ns(), &state->read);
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, false, err);
	state->read.at = sys_now();
	state->read.paused = state->read.at - before;
	state->read.lost = session_lost(ss->session, rq->ring);
	note_read(ss, rq->ring, lost);
	return ret;
}

static int request_ring(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	if (rq->ring >= session_nr_watched(ss->session))
		return err_set(err, -EINVAL, "there is no ring %zu", rq->ring);
	if (session_ring(ss->session, rq->ring)->gone)
		return err_set(err, -ENODEV,
			       "the ring's CPU or thread is gone");
	switch (rq->kind) {
	case REQUEST_RESIZE:
		return resize(ss, rq, err);
	case REQUEST_PAUSE:
		return pause_output(ss, rq, err);
	default:
		return read_overwrite(ss, rq, err);
	}
}

/* The request needs samples, rings or events, which no longer exist. */
static int refuse_finished(const struct request *rq, struct err *err)
{
	switch (rq->kind) {
	case REQUEST_FILTER:
		return err_set(err, -ESRCH,
			       "the target has ended: no more samples arrive, and the filter applies to those listed");
	case REQUEST_FIELD:
		return err_set(err, -ESRCH,
			       "the target has ended: its samples were taken without that field");
	default:
		return err_set(err, -ESRCH,
			       "the target has ended: these are its final figures");
	}
}

static int request_locked(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	/* The last contents of the rings are still available. */
	if (rq->kind == REQUEST_SNAPSHOT || rq->kind == REQUEST_SNAPSHOT_CANCEL)
		return source_snapshots_request(&ss->snapshots, rq, err);
	if (ss->finished)
		return refuse_finished(rq, err);
	switch (rq->kind) {
	case REQUEST_FILTER:
	case REQUEST_FIELD:
		return source_samples_request(&ss->source,
					      ss->opts.session.overwrite, rq,
					      err);
	case REQUEST_RESIZE:
	case REQUEST_PAUSE:
	case REQUEST_READ:
		return request_ring(ss, rq, err);
	case REQUEST_ENABLE:
		return enable(ss, rq, err);
	case REQUEST_FREQ:
	case REQUEST_PERIOD:
		return set_rate(ss, rq, err);
	case REQUEST_RECORD:
		return source_snapshots_request(&ss->snapshots, rq, err);
	default:
		break;
	}
	return err_set(err, -EOPNOTSUPP, "not supported with live events");
}

int session_source_request(struct source *source, const struct request *rq,
			   struct err *err)
{
	struct session_source *ss = (struct session_source *)source;
	int ret;

	pthread_mutex_lock(&ss->lock);
	ret = request_locked(ss, rq, err);
	pthread_mutex_unlock(&ss->lock);
	return ret;
}
