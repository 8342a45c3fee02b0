/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stopping the events that trace, for a moment. */
#include "perf/session/session_state.h"

#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session_memory.h"
#include "perf/session/session_switch.h"

static int switch_tracing(const struct session *s, size_t slot, bool on)
{
	const struct session_ring *ring = &s->slots[slot]->pub;
	int ret = 0;

	if (s->memory) {
		s->memory->trace(s->memory_ctx, slot, on);
		return 0;
	}
	for (size_t i = 0; !ret && i < ring->nr_events; i++) {
		size_t spec = ring->events[i].spec;

		if (spec != SESSION_SIDE_BAND && s->opts.events.specs[spec].aux)
			ret = session_switch(ring->events[i].fd, on);
	}
	return ret;
}

static void resume(const struct session *s, size_t slot)
{
	if (s->slots[slot]->held && s->enabled)
		switch_tracing(s, slot, true);
	s->slots[slot]->held = false;
}

static void release_locked(struct session *s)
{
	for (size_t i = 0; i < s->nr_slots; i++)
		resume(s, i);
	pthread_mutex_unlock(&s->lock);
}

static void choose(struct session *s, const bool *skip)
{
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct session_ring *ring = &s->slots[i]->pub;

		s->slots[i]->held = ring->aux.data && !ring->gone &&
				    !(skip && skip[i]);
	}
}

/* Returns 0, or -errno with the ring that would not stop in @ring. */
static int stop_held(struct session *s, size_t *ring)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < s->nr_slots; i++) {
		*ring = i;
		if (s->slots[i]->held)
			ret = switch_tracing(s, i, false);
	}
	return ret;
}

/*
 * Once more for what is inherited: a child that was in the middle of being
 * forked takes its parent's event as it was before, and may be listed with
 * the event's children only after those were disabled (inherit_event in
 * kernel/events/core.c).  Those that stand already cost next to nothing.
 */
int session_aux_hold(struct session *s, const bool *skip, double *spread,
		     struct err *err)
{
	int times = s->opts.target.mode == TARGET_TASKS ? 2 : 1;
	size_t ring = 0;
	double start;
	int ret = 0;

	pthread_mutex_lock(&s->lock);
	choose(s, skip);
	start = sys_now();
	while (!ret && times-- > 0)
		ret = stop_held(s, &ring);
	*spread = sys_now() - start;
	if (!ret)
		return 0;
	release_locked(s);
	return err_set(err, ret, "stopping the trace of ring %zu: %s", ring,
		       strerror(-ret));
}

void session_aux_resume(struct session *s, size_t ring)
{
	pthread_mutex_lock(&s->lock);
	if (ring < s->nr_slots)
		resume(s, ring);
	pthread_mutex_unlock(&s->lock);
}

void session_aux_release(struct session *s)
{
	release_locked(s);
}
