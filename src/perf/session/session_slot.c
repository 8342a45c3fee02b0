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

bool session_slot_is_open(const struct session *s, size_t spec)
{
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct session_ring *ring = &s->slots[i]->pub;

		for (size_t k = 0; k < ring->nr_events; k++)
			if (ring->events[k].spec == spec)
				return true;
	}
	return false;
}

int session_slot_open_trial(void)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER0,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return sys_perf_event_open(&attr, 0, -1, -1, 0);
}

void session_slot_close(struct session_slot *slot)
{
	aux_ring_unmap(&slot->pub.aux);
	ring_unmap(&slot->pub.ring);
	/* members before their leader, all before the owner of their ring */
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

/* Whether it is switched itself, rather than with its group's leader. */
static bool leads(const struct session *s, const struct session_ring *ring,
		  const struct session_event *event)
{
	size_t leader;

	if (event->spec == SESSION_SIDE_BAND)
		return false;
	leader = s->opts.events.specs[event->spec].leader;
	if (leader == event->spec)
		return true;
	for (size_t i = 0; i < ring->nr_events; i++)
		if (ring->events[i].spec == leader &&
		    ring->events[i].tid == event->tid)
			return false;
	return true;
}

int session_slot_switch(int fd, bool on)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE :
				     PERF_EVENT_IOC_DISABLE;

	return sys_perf_ioctl(fd, request, 0);
}

int session_slot_switch_side_band(const struct session_slot *slot, bool on)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < slot->pub.nr_events; i++)
		if (slot->pub.events[i].spec == SESSION_SIDE_BAND)
			ret = session_slot_switch(slot->pub.events[i].fd, on);
	return ret;
}

int session_slot_switch_events(const struct session *s,
			       const struct session_slot *slot, bool on)
{
	const struct session_ring *ring = &slot->pub;
	int ret = 0;

	for (size_t i = 0; !ret && i < ring->nr_events; i++)
		if (leads(s, ring, &ring->events[i]))
			ret = session_slot_switch(ring->events[i].fd, on);
	return ret;
}

int session_slot_start(const struct session *s,
		       const struct session_slot *slot)
{
	int ret = 0;

	if (s->side_band_enabled)
		ret = session_slot_switch_side_band(slot, true);
	if (!ret && s->enabled)
		ret = session_slot_switch_events(s, slot, true);
	return ret;
}

struct session_count session_slot_read_count(const struct session *s, int fd)
{
	/* value, enabled, running, id, lost: see set_common() */
	uint64_t values[5];
	ssize_t n = sys_read_count(fd, values, sizeof(values));
	struct session_count count = { UNKNOWN, UNKNOWN };

	if (n >= (ssize_t)sizeof(values[0]))
		count.count = values[0];
	if (!(s->missing & SESSION_NEWER_LOST) && n == (ssize_t)sizeof(values))
		count.lost = values[4];
	return count;
}

void session_slot_add_count(struct session_count *sum,
			    struct session_count more)
{
	if (more.count != UNKNOWN)
		sum->count += more.count;
	if (more.lost != UNKNOWN)
		sum->lost += more.lost;
}

/* The counts of an event, with those of closed events in its place. */
static struct session_count total_of(const struct session *s,
				     const struct session_slot *slot, size_t i)
{
	struct session_count total = slot->base[i], now;

	now = session_slot_read_count(s, slot->pub.events[i].fd);
	session_slot_add_count(&total, now);
	if (now.count == UNKNOWN)
		total.count = UNKNOWN;
	if (now.lost == UNKNOWN)
		total.lost = UNKNOWN;
	return total;
}

size_t session_read(struct session *s, size_t ring,
		    struct session_count *counts, size_t max)
{
	const struct session_slot *slot;
	size_t nr = 0;

	pthread_mutex_lock(&s->lock);
	slot = ring < s->nr_slots ? s->slots[ring] : NULL;
	if (slot)
		nr = slot->pub.nr_events < max ? slot->pub.nr_events : max;
	for (size_t i = 0; i < nr; i++)
		counts[i] = total_of(s, slot, i);
	pthread_mutex_unlock(&s->lock);
	return nr;
}

uint64_t session_lost(struct session *s, size_t ring)
{
	const struct session_slot *slot;
	uint64_t sum = 0;

	pthread_mutex_lock(&s->lock);
	slot = s->slots[ring];
	for (size_t i = 0; sum != UNKNOWN && i < slot->pub.nr_events;
	     i++) {
		uint64_t lost = total_of(s, slot, i).lost;

		sum = lost == UNKNOWN ? lost : sum + lost;
	}
	pthread_mutex_unlock(&s->lock);
	return sum;
}
