/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "perf/session/session_slot.h"
#include "perf/session/session_state.h"

static int copy_specs(struct session *s)
{
	const struct event_list *list = &s->opts.events;

	s->specs = calloc(list->nr + 1, sizeof(*s->specs));
	if (!s->specs)
		return -ENOMEM;
	for (size_t i = 0; i < list->nr; i++) {
		s->specs[i].attr = list->specs[i].attr;
		s->specs[i].cgroup = -1;
		snprintf(s->specs[i].name, sizeof(s->specs[i].name), "%s",
			 list->specs[i].name);
		s->has_aux |= list->specs[i].aux;
	}
	return 0;
}

int session_memory_open(const struct session_opts *opts,
			const struct session_memory_ops *ops, void *ctx,
			struct session **out, struct err *err)
{
	struct session *s = session_new(opts);

	if (!s)
		return err_set(err, -ENOMEM, "opening rings: out of memory");
	s->memory = ops;
	s->memory_ctx = ctx;
	s->side_band_enabled = s->enabled = true;
	if (copy_specs(s)) {
		session_close(s);
		return err_set(err, -ENOMEM, "opening rings: out of memory");
	}
	*out = s;
	return 0;
}

int session_memory_add(struct session *s, const struct session_ring *ring)
{
	struct session_event *events;
	struct session_slot *slot;

	events = calloc(ring->nr_events + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	memcpy(events, ring->events, ring->nr_events * sizeof(*events));
	pthread_mutex_lock(&s->lock);
	slot = session_slot_add(s, ring->cpu, ring->tid);
	if (slot) {
		free(slot->pub.events);
		slot->pub = *ring;
		slot->pub.events = events;
		slot->pub.room_events = ring->nr_events + 1;
	}
	pthread_mutex_unlock(&s->lock);
	if (!slot)
		free(events);
	return slot ? 0 : -ENOMEM;
}

void session_memory_replace(struct session *s, size_t ring,
			    const struct ring *memory)
{
	pthread_mutex_lock(&s->lock);
	s->slots[ring]->pub.ring = *memory;
	pthread_mutex_unlock(&s->lock);
}
