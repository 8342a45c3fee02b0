/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is done to events that are open: filters, enabling, pausing, rates. */
#include "perf/session/session_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/tracepoint/filter.h"
#include "perf/tracepoint/tracefs.h"

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

static int switch_side_band(const struct session_slot *slot, bool on)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < slot->pub.nr_events; i++)
		if (slot->pub.events[i].spec == SESSION_SIDE_BAND)
			ret = session_switch(slot->pub.events[i].fd, on);
	return ret;
}

static int switch_events(const struct session *s,
			 const struct session_slot *slot, bool on)
{
	const struct session_ring *ring = &slot->pub;
	int ret = 0;

	for (size_t i = 0; !ret && i < ring->nr_events; i++)
		if (leads(s, ring, &ring->events[i]))
			ret = session_switch(ring->events[i].fd, on);
	return ret;
}

/*
 * A tracepoint that fires while another CPU disables its event may count once
 * more than it was sampled or lost (seen on Linux 6.18).  On its own CPU it
 * cannot be in the middle: its handlers are not preempted.
 */
static int stop_events(const struct session *s, const struct session_slot *slot)
{
	cpu_set_t home;
	bool there = slot->pub.cpu >= 0 && !slot->pub.elsewhere &&
		     sys_visit_cpu(slot->pub.cpu, &home) == 0;
	int ret = switch_events(s, slot, false);

	if (there)
		sys_leave_cpu(&home);
	return ret;
}

int session_slot_start(const struct session *s, const struct session_slot *slot)
{
	int ret = s->side_band_enabled ? switch_side_band(slot, true) : 0;

	return !ret && s->enabled ? switch_events(s, slot, true) : ret;
}

static int enable_locked(struct session *s, bool on)
{
	/* The exec of the workload enables its events itself. */
	bool later = on && s->exec_pending;
	int ret = 0;

	s->enabled = on && !later;
	if (on)
		s->side_band_enabled = true;
	for (size_t i = 0; !ret && i < s->nr_slots; i++) {
		if (s->slots[i]->pub.gone)
			continue;
		ret = on ? session_slot_start(s, s->slots[i]) :
			   stop_events(s, s->slots[i]);
	}
	s->enabled = on && !(later && s->opts.start_disabled);
	if (on)
		s->exec_pending = false;
	return ret;
}

int session_enable_side_band(struct session *s, struct err *err)
{
	int ret = 0;

	pthread_mutex_lock(&s->lock);
	s->side_band_enabled = true;
	for (size_t i = 0; !ret && i < s->nr_slots; i++)
		if (!s->slots[i]->pub.gone)
			ret = switch_side_band(s->slots[i], true);
	pthread_mutex_unlock(&s->lock);
	if (ret)
		err_set(err, ret, "enabling the side-band: %s",
			strerror(-ret));
	return ret;
}

int session_enable(struct session *s, bool on, struct err *err)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	ret = enable_locked(s, on);
	pthread_mutex_unlock(&s->lock);
	if (ret)
		err_set(err, ret, "%s the events: %s",
			on ? "enabling" : "disabling", strerror(-ret));
	return ret;
}

void session_end(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	enable_locked(s, false);
	s->side_band_enabled = false;
	/* After all events, so that what their last samples hit is told. */
	for (size_t i = 0; i < s->nr_slots; i++)
		if (!s->slots[i]->pub.gone)
			switch_side_band(s->slots[i], false);
	pthread_mutex_unlock(&s->lock);
}

/* 0 or -errno. */
static int pause_output(const struct session *s, size_t ring, bool on)
{
	if (!s->memory)
		return sys_perf_ioctl(s->slots[ring]->pub.ring.fd,
				      PERF_EVENT_IOC_PAUSE_OUTPUT, on);
	s->memory->pause(s->memory_ctx, ring, on);
	return 0;
}

void session_held_pause(struct session *s, size_t ring, bool on)
{
	pause_output(s, ring, on);
}

int session_pause(struct session *s, size_t ring, bool on, struct err *err)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	ret = pause_output(s, ring, on);
	if (!ret)
		s->slots[ring]->paused = on;
	pthread_mutex_unlock(&s->lock);
	if (ret)
		err_set(err, ret, "%s ring %zu: %s",
			on ? "pausing" : "resuming", ring, strerror(-ret));
	return ret;
}

bool session_paused(struct session *s, size_t ring)
{
	bool paused;

	pthread_mutex_lock(&s->lock);
	paused = ring < s->nr_slots && s->slots[ring]->paused;
	pthread_mutex_unlock(&s->lock);
	return paused;
}

/* The field names of the tracepoint "sys:name", for who mistyped one. */
static const char *fields_of(const char *event, char *buf, size_t size)
{
	char sys[128];
	size_t len = strcspn(event, ":");
	uint32_t bytes;

	snprintf(sys, sizeof(sys), "%.*s", (int)len, event);
	if (!event[len] ||
	    tracefs_event_fields(tracefs_path(NULL), sys, event + len + 1,
				 &bytes, buf, size))
		snprintf(buf, size, "listed in its format file in tracefs");
	return buf;
}

static int filter_error(const struct session *s, size_t spec, int code,
			struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[spec];
	char fields[300];

	if (code == -EINVAL && from->filter)
		return err_usage(err,
				 "filter '%s' on %s: the kernel cannot parse it: the event's fields are %s",
				 from->filter, from->name,
				 fields_of(from->name, fields, sizeof(fields)));
	return err_set(err, code, "setting a filter on %s: %s", from->name,
		       strerror(-code));
}

static int filter_tracepoint(const struct session *s,
			     const struct session_event *event,
			     struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[event->spec];
	char *filter;
	int ret;

	errno = 0;
	filter = filter_without(from->filter, s->filter_tids,
				s->nr_filter_tids);
	if (!filter && errno == ENOMEM)
		return err_set(err, -ENOMEM, "filters: out of memory");
	if (!filter)
		return 0;
	ret = sys_perf_ioctl(event->fd, PERF_EVENT_IOC_SET_FILTER,
			     (unsigned long)filter);
	free(filter);
	return ret ? filter_error(s, event->spec, ret, err) : 0;
}

static int filter_addresses(const struct session *s,
			    const struct session_event *event, struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[event->spec];
	int ret = sys_perf_ioctl(event->fd, PERF_EVENT_IOC_SET_FILTER,
				 (unsigned long)from->address_filter);

	return ret ? session_error_address_filter(s, ret, from, err) : 0;
}

int session_slot_filter(struct session *s, struct session_slot *slot,
			struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < slot->pub.nr_events; i++) {
		const struct session_event *event = &slot->pub.events[i];
		const struct event_spec *from;

		if (event->spec == SESSION_SIDE_BAND)
			continue;
		from = &s->opts.events.specs[event->spec];
		if (from->tracepoint)
			ret = filter_tracepoint(s, event, err);
		else if (from->address_filter)
			ret = filter_addresses(s, event, err);
	}
	return ret;
}

int session_filter(struct session *s, const pid_t *tids, size_t nr,
		   struct err *err)
{
	int ret = 0;

	pthread_mutex_lock(&s->lock);
	s->filter_tids = calloc(nr + 1, sizeof(*s->filter_tids));
	if (!s->filter_tids) {
		ret = err_set(err, -ENOMEM, "filters: out of memory");
	} else {
		if (nr)
			memcpy(s->filter_tids, tids, nr * sizeof(*tids));
		s->nr_filter_tids = nr;
		s->filtered = true;
	}
	for (size_t i = 0; !ret && i < s->nr_slots; i++)
		ret = session_slot_filter(s, s->slots[i], err);
	pthread_mutex_unlock(&s->lock);
	return ret;
}

/*
 * What PERF_EVENT_IOC_PERIOD wants for an event: a frequency if it was opened
 * with one, else a period.  The clocks' timers have a fixed period, so the
 * kernel has turned their frequency into one
 * (kernel/events/core.c, perf_swevent_init_hrtimer).  0: it cannot be had.
 */
static uint64_t rate_value(const struct session *s, size_t i, uint64_t freq,
			   uint64_t period)
{
	const struct session_spec *spec = &s->specs[i];

	if (s->opts.events.specs[i].aux)
		return 0; /* its samples are no business of -F and -c */
	if (spec->clock_ns)
		return freq ? (1000000000 + freq - 1) / freq : period;
	return spec->attr.freq ? freq : period;
}

static int set_rate_locked(struct session *s, uint64_t freq, uint64_t period,
			   size_t *changed)
{
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct session_ring *ring = &s->slots[i]->pub;

		for (size_t k = 0; k < ring->nr_events; k++) {
			uint64_t value;
			int ret;

			if (ring->events[k].spec == SESSION_SIDE_BAND)
				continue;
			value = rate_value(s, ring->events[k].spec, freq,
					   period);
			if (value == 0)
				continue;
			ret = sys_perf_ioctl(ring->events[k].fd,
					     PERF_EVENT_IOC_PERIOD,
					     (unsigned long)&value);
			if (ret)
				return ret;
			(*changed)++;
		}
	}
	return 0;
}

/* What is opened from now on has the new rate too. */
static void remember_rate(struct session *s, uint64_t freq, uint64_t period)
{
	for (size_t i = 0; i < s->opts.events.nr; i++) {
		struct session_spec *spec = &s->specs[i];

		if (rate_value(s, i, freq, period) == 0)
			continue;
		if (spec->clock_ns)
			spec->attr.freq = freq != 0;
		if (spec->attr.freq)
			spec->attr.sample_freq = freq;
		else
			spec->attr.sample_period = period;
	}
}

int session_set_rate(struct session *s, uint64_t freq, uint64_t period,
		     struct err *err)
{
	const unsigned long long asked = freq ? freq : period;
	const char *what = freq ? "frequency" : "period";
	size_t changed = 0;
	int ret;

	if (asked == 0 || (freq && period))
		return err_usage(err, "the new %s must not be 0", what);
	freq = session_limit_freq(freq);
	pthread_mutex_lock(&s->lock);
	ret = set_rate_locked(s, freq, period, &changed);
	if (!ret && changed)
		remember_rate(s, freq, period);
	pthread_mutex_unlock(&s->lock);
	if (ret == -EINVAL)
		return err_set(err, ret,
			       "%s %llu: the kernel refuses: see kernel.perf_event_max_sample_rate",
			       what, asked);
	if (ret)
		return err_set(err, ret, "%s %llu: %s", what, asked,
			       strerror(-ret));
	if (changed == 0)
		return err_set(err, -EOPNOTSUPP,
			       "the events were opened with a %s, which is the only thing to change in them: restart with %s",
			       freq ? "period" : "frequency",
			       freq ? "-F" : "-c");
	return 0;
}
