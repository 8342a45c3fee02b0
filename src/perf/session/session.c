/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session.h"

#include <stdlib.h>

#include "perf/session/session_slot.h"
#include "perf/session/session_specs.h"
#include "perf/session/session_state.h"

/* Memory that the session does not own is not unmapped. */
static void forget_memory(struct session *s)
{
	for (size_t i = 0; s->memory && i < s->nr_slots; i++) {
		struct session_ring *ring = &s->slots[i]->pub;

		ring->ring = (struct ring){ .fd = -1 };
		ring->aux = (struct aux_ring){ 0 };
		ring->nr_events = 0;
	}
}

void session_close(struct session *s)
{
	if (!s)
		return;
	forget_memory(s);
	for (size_t i = 0; i < s->nr_slots; i++)
		session_slot_free(s->slots[i]);
	free(s->slots);
	ring_unmap(&s->clock_page);
	session_specs_free(s);
	target_free_map(&s->map);
	free(s->tid_gone);
	free(s->filter_tids);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

const char *session_event_name(const struct session *s, size_t spec)
{
	return spec < s->opts.events.nr ? s->specs[spec].name : "side-band";
}

const struct perf_event_attr *session_event_attr(const struct session *s,
						 size_t spec)
{
	return spec < s->opts.events.nr ? &s->specs[spec].attr : NULL;
}

bool session_event_left_out(const struct session *s, size_t spec)
{
	return spec < s->opts.events.nr && s->specs[spec].left_out;
}

size_t session_nr_rings(struct session *s)
{
	size_t nr;

	pthread_mutex_lock(&s->lock);
	nr = s->nr_slots;
	pthread_mutex_unlock(&s->lock);
	return nr;
}

size_t session_nr_watched(struct session *s)
{
	size_t nr = 0;

	pthread_mutex_lock(&s->lock);
	while (nr < s->nr_slots && !s->slots[nr]->pub.elsewhere)
		nr++;
	pthread_mutex_unlock(&s->lock);
	return nr;
}

const struct session_ring *session_ring(struct session *s, size_t i)
{
	const struct session_ring *ring;

	pthread_mutex_lock(&s->lock);
	ring = i < s->nr_slots ? &s->slots[i]->pub : NULL;
	pthread_mutex_unlock(&s->lock);
	return ring;
}

size_t session_nr_events(struct session *s, size_t ring)
{
	size_t nr;

	pthread_mutex_lock(&s->lock);
	nr = ring < s->nr_slots ? s->slots[ring]->pub.nr_events : 0;
	pthread_mutex_unlock(&s->lock);
	return nr;
}

uint64_t session_longest_record(const struct session *s)
{
	return s->max_record;
}

const struct target_map *session_target(const struct session *s)
{
	return &s->map;
}

bool session_owner_on_task(const struct session *s)
{
	return s->owner_on_task;
}
