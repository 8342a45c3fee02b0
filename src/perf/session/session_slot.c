/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_slot.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/cpulist.h"
#include "base/sys.h"

bool session_slot_is_elsewhere(const struct session *s, int cpu)
{
	return s->opts.side_band_elsewhere && cpu >= 0 &&
	       s->opts.target.mode == TARGET_CPUS &&
	       !cpulist_has(&s->map.cpus, cpu);
}

struct session_slot *session_slot_add(struct session *s, int cpu, pid_t tid)
{
	struct session_slot *slot = calloc(1, sizeof(*slot));
	struct session_slot **place;

	if (!slot)
		return NULL;
	slot->pub.cpu = cpu;
	slot->pub.tid = tid;
	slot->pub.ring.fd = -1;
	slot->pub.elsewhere = session_slot_is_elsewhere(s, cpu);
	place = array_add(s->slots, s->nr_slots, s->room_slots);
	if (!place) {
		free(slot);
		return NULL;
	}
	*place = slot;
	return slot;
}

void session_slot_close(struct session_slot *slot)
{
	aux_ring_unmap(&slot->pub.aux);
	ring_unmap(&slot->pub.ring);
	/* Members before their leader, all before the owner of their ring. */
	for (size_t i = slot->pub.nr_events; i-- > 0;)
		sys_close(slot->pub.events[i].fd);
	slot->pub.nr_events = 0;
}

void session_slot_free(struct session_slot *slot)
{
	session_slot_close(slot);
	free(slot->pub.events);
	free(slot->base);
	free(slot);
}
