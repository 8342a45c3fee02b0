/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_aux.h"

#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session_error.h"
#include "perf/session/session_memory.h"
#include "perf/session/session_slot.h"
#include "perf/session/session_specs.h"

bool session_has_aux(const struct session *s)
{
	return s->has_aux;
}

struct perf_clock session_clock(const struct session *s)
{
	return s->clock;
}

size_t session_aux_spec(const struct session *s, int cpu)
{
	for (size_t i = 0; i < s->opts.events.nr; i++) {
		const struct event_spec *spec = &s->opts.events.specs[i];

		if (spec->aux && session_counts_on(spec, cpu))
			return i;
	}
	return SESSION_SIDE_BAND;
}

int session_aux_map(const struct session *s, struct session_slot *slot,
		    struct err *err)
{
	const struct session_event *owner = &slot->pub.events[0];
	struct session_place place = { owner->tid, slot->pub.cpu };
	struct aux_ring *aux = &slot->pub.aux;
	uint64_t mark;
	int ret;

	if (owner->spec == SESSION_SIDE_BAND)
		return 0;
	ret = aux_ring_map(aux, &slot->pub.ring, s->opts.aux_bytes,
			   s->opts.aux_overwrite);
	if (ret)
		return session_error_map_aux(s, ret, place, err);
	mark = s->specs[owner->spec].attr.aux_watermark;
	if (mark && !aux->overwrite)
		aux->watermark = mark;
	return 0;
}

/*
 * A user page of its own, since those of rings disappear with their CPUs.  The
 * page of any event without a clockid describes perf's clock, if the kernel
 * supports that (arch_perf_update_userpage).
 */
void session_aux_open_clock(struct session *s)
{
	int fd = session_slot_open_trial();

	s->clock.unknown = true;
	if (fd < 0)
		return;
	if (ring_map(&s->clock_page, fd, 0, true) == 0)
		s->clock = perf_clock_of(s->clock_page.page);
	sys_close(fd); /* the mapping keeps it */
}

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
			ret = session_slot_switch(ring->events[i].fd, on);
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

/* Returns 0, or -errno with the ring that could not be stopped in @ring. */
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
 * Inherited events are stopped twice: a child that is just being forked copies
 * its parent's event in the earlier state, and may be added to the event's
 * children only after those were disabled (inherit_event in
 * kernel/events/core.c).  For events that are stopped already it costs next to
 * nothing.
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
	return err_errno(err, ret, "stopping the trace of ring %zu", ring);
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
