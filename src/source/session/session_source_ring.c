/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/session/session_source_ring.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "source/session/session_source_trace.h"

/* Make room for a ring's state. */
static int reserve(struct session_source *ss, size_t nr_rings)
{
	return array_fit_zero(ss->rings, ss->room_rings, nr_rings);
}

char *session_source_ring_label(struct session_source *ss, size_t ring,
				char *buf, size_t size)
{
	const struct session_ring *r = session_ring(ss->session, ring);

	if (r->cpu >= 0)
		snprintf(buf, size, "CPU %d", r->cpu);
	else
		snprintf(buf, size, "thread %d", r->tid);
	return buf;
}

/* Arrays that a collector_ring points to, one entry per event. */
struct ring_lists {
	int *fds;
	uint64_t *ids;
	uint32_t *tags;
	int *aux_fds;
	int *call_fds;
};

static void lists_free(struct ring_lists *lists)
{
	free(lists->fds);
	free(lists->ids);
	free(lists->tags);
	free(lists->aux_fds);
	free(lists->call_fds);
}

static int lists_new(struct ring_lists *lists, size_t nr)
{
	lists->fds = calloc(nr, sizeof(*lists->fds));
	lists->ids = calloc(nr, sizeof(*lists->ids));
	lists->tags = calloc(nr, sizeof(*lists->tags));
	lists->aux_fds = calloc(nr, sizeof(*lists->aux_fds));
	lists->call_fds = calloc(nr, sizeof(*lists->call_fds));
	if (lists->fds && lists->ids && lists->tags && lists->aux_fds &&
	    lists->call_fds)
		return 0;
	lists_free(lists);
	return -ENOMEM;
}

/*
 * The file descriptors to poll: the dummy event of each task hangs up when the
 * task and its children have ended; a CPU-wide owner never does.
 */
static size_t list_fds(const struct session_source *ss,
		       const struct session_ring *ring,
		       const struct session_event *owner, int *fds)
{
	size_t nr = 0;

	if (owner->tid >= 0 || !target_by_task(&ss->opts.session.target))
		fds[nr++] = owner->fd;
	for (size_t i = 1; i < ring->nr_events; i++)
		if (ring->events[i].spec == SESSION_SIDE_BAND)
			fds[nr++] = ring->events[i].fd;
	return nr;
}

/* The file descriptors of events that trace. */
static size_t list_aux_fds(const struct session_source *ss,
			   const struct session_ring *ring, int *fds)
{
	const struct event_list *events = &ss->opts.session.events;
	size_t nr = 0;

	for (size_t i = 0; ring->aux.size && i < ring->nr_events; i++) {
		const struct session_event *event = &ring->events[i];

		if (event->spec != SESSION_SIDE_BAND &&
		    events->specs[event->spec].aux)
			fds[nr++] = event->fd;
	}
	return nr;
}

/* The file descriptors of the events of --snapshot-on call:FUNC. */
static size_t list_call_fds(const struct session_source *ss,
			    const struct session_ring *ring, int *fds)
{
	size_t call = session_source_call(ss), nr = 0;

	for (size_t i = 0; i < ring->nr_events && call != SESSION_SIDE_BAND;
	     i++)
		if (ring->events[i].spec == call)
			fds[nr++] = ring->events[i].fd;
	return nr;
}

static void fill_collector_ring(const struct session_source *ss,
				const struct session_ring *ring,
				const struct ring *memory,
				const struct session_event *owner,
				struct ring_lists *lists,
				struct collector_ring *out)
{
	for (size_t i = 0; i < ring->nr_events; i++) {
		const struct session_event *event = i ? &ring->events[i]
						      : owner;

		lists->ids[i] = event->id;
		/* SESSION_SIDE_BAND: unknown to the resolver thread */
		lists->tags[i] = (uint32_t)event->spec;
	}
	*out = (struct collector_ring){
		.ring = *memory,
		.cpu = ring->cpu,
		.apart = ring->elsewhere,
		.fds = lists->fds,
		.nr_fds = list_fds(ss, ring, owner, lists->fds),
		.ids = lists->ids,
		.tags = lists->tags,
		.nr_ids = (uint32_t)ring->nr_events,
		.call_fds = lists->call_fds,
		.nr_call_fds = list_call_fds(ss, ring, lists->call_fds),
		.aux = ring->aux,
		.aux_fds = lists->aux_fds,
		.nr_aux_fds = list_aux_fds(ss, ring, lists->aux_fds),
		.read_finish = session_source_read_finish(ss),
	};
}

int session_source_ring_add(struct session_source *ss, size_t ring,
			    struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct collector_ring cr;
	struct ring_lists lists;
	size_t slot;
	int ret;

	if (reserve(ss, ring + 1) ||
	    lists_new(&lists, r->nr_events))
		return err_set(err, -ENOMEM, "adding a ring: out of memory");
	fill_collector_ring(ss, r, &r->ring, &r->events[0], &lists, &cr);
	ret = collector_add(ss->collector, &cr, &slot, err);
	lists_free(&lists);
	return ret;
}

int session_source_ring_replace(struct session_source *ss, size_t ring,
			   const struct ring *memory,
			   const struct session_event *owner, struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct collector_ring cr;
	struct ring_lists lists;
	int ret;

	if (lists_new(&lists, r->nr_events))
		return err_set(err, -ENOMEM, "replacing a ring: out of memory");
	fill_collector_ring(ss, r, memory, owner, &lists, &cr);
	ret = collector_replace(ss->collector, ring, &cr, err);
	lists_free(&lists);
	return ret;
}

/*
 * What the events of @ring have lost so far, when all of them were just
 * redirected to @fresh.  UNKNOWN if records may have been lost in @fresh.
 */
static uint64_t lost_before(struct session_source *ss, size_t ring,
			    const struct ring *fresh)
{
	/*
	 * Dynamic fields of a tracepoint: PERF_MAX_TRACE_SIZE of the kernel's
	 * linux/trace_events.h; and a LOST record before it.
	 */
	enum { DYNAMIC = 8192 + 64 };
	uint64_t longest = session_longest_record(ss->session) + DYNAMIC;
	uint64_t lost, head;

	if (fresh->overwrite || ss->rings[ring].paused)
		return UNKNOWN;
	lost = session_lost(ss->session, ring);
	head = ring_head(fresh); /* all bytes written to it */
	if (head && head + longest > fresh->size)
		return UNKNOWN;
	return lost;
}

void session_source_ring_unreported(struct session_source *ss, size_t ring,
				    uint64_t lost, uint64_t told)
{
	struct source_ring *state = &ss->rings[ring];

	if (lost != UNKNOWN && lost > told + state->unreported)
		state->unreported = lost - told;
}

int session_source_ring_swap(struct session_source *ss, size_t ring,
			     uint64_t bytes, struct err *err)
{
	struct session_swap swap;
	uint64_t lost;
	int ret = session_swap_prepare(ss->session, ring, bytes, &swap, err);

	if (ret)
		return ret;
	ret = session_source_ring_replace(ss, ring, &swap.ring, &swap.owner,
					  err);
	if (ret) {
		session_swap_cancel(ss->session, &swap);
		return ret;
	}
	ret = session_swap_redirect(ss->session, &swap, err);
	if (ret) {
		/* Back to the old memory; records in the new one are kept. */
		session_source_ring_replace(ss, ring, &swap.old,
					    &swap.old_owner, NULL);
		collector_retire(ss->collector, ring);
		session_swap_cancel(ss->session, &swap);
		return ret;
	}
	lost = lost_before(ss, ring, &swap.ring);
	session_source_ring_unreported(ss, ring, lost,
				       collector_retire(ss->collector, ring));
	session_swap_finish(ss->session, &swap);
	return 0;
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

void session_source_fill_aux(struct session_source *ss, size_t i, double now,
			     struct reading_ring *rr)
{
	const struct session_ring *ring = session_ring(ss->session, i);
	struct source_ring *state = &ss->rings[i];
	struct reading_aux *aux = &rr->aux;

	*aux = (struct reading_aux){ .head_age = NAN, .read_cost = NAN };
	if (!ring->aux.size)
		return;
	aux->size = ring->aux.size;
	aux->watermark = ring->aux.watermark;
	aux->overwrite = ring->aux.overwrite;
	aux->stopped = !rr->enabled;
	/* Tail before head, so that the head is never behind it. */
	aux->tail = aux->overwrite ? 0 : aux_ring_tail(&ring->aux);
	aux->head = aux_ring_head(&ring->aux);
	if (!aux->overwrite)
		return;
	aux->head_age = head_age(ss, state, &rr->stats, now);
	state->aux_free_running |= aux->head > aux->size;
	aux->free_running = state->aux_free_running;
	aux->full = auxtrace_was_full(ring_track_of(&state->trace, ring),
				      &ring->aux, aux->head);
	if (state->aux_read_at > 0)
		aux->read_cost = state->aux_read_cost;
}

int session_source_read_aux(struct session_source *ss, size_t ring,
			    struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct source_ring *state = &ss->rings[ring];
	size_t nr = session_nr_rings(ss->session);
	bool *skip = calloc(nr + 1, sizeof(*skip));
	double spread, before;
	char label[40];
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
	source_notes_add(&ss->notes, LOG_INFO,
			 "%s: AUX head at %llu; tracing stopped for %.0f us",
			 session_source_ring_label(ss, ring, label,
						   sizeof(label)),
			 (unsigned long long)aux_ring_head(&r->aux),
			 state->aux_read_cost * 1e6);
	return 0;
}
