/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_switch.h"

#include "base/sys.h"

/* Whether it is switched itself, or with its group's leader. */
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

int session_switch(int fd, bool on)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE :
				     PERF_EVENT_IOC_DISABLE;

	return sys_perf_ioctl(fd, request, 0);
}

int session_switch_side_band(const struct session_slot *slot, bool on)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < slot->pub.nr_events; i++)
		if (slot->pub.events[i].spec == SESSION_SIDE_BAND)
			ret = session_switch(slot->pub.events[i].fd, on);
	return ret;
}

int session_switch_events(const struct session *s,
			  const struct session_slot *slot, bool on)
{
	const struct session_ring *ring = &slot->pub;
	int ret = 0;

	for (size_t i = 0; !ret && i < ring->nr_events; i++)
		if (leads(s, ring, &ring->events[i]))
			ret = session_switch(ring->events[i].fd, on);
	return ret;
}

int session_switch_start(const struct session *s,
			 const struct session_slot *slot)
{
	int ret = s->side_band_enabled ? session_switch_side_band(slot, true) :
					 0;

	return !ret && s->enabled ? session_switch_events(s, slot, true) : ret;
}
