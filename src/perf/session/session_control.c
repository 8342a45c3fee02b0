/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations on open events: filters, enabling, pausing, rates, counts. */
#include "perf/session/session_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/event/event_spec.h"
#include "perf/tracepoint/tracefs.h"

/* The field names of the tracepoint "sys:name", for an error message. */
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

static int filter_tracepoint(const struct session *s,
			     const struct session_event *event,
			     struct err *err)
{
	const struct event_spec *from = &s->opts.events.specs[event->spec];
	char *filter, fields[300];
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
	if (ret == -EINVAL && from->filter)
		return err_usage(err,
				 "filter '%s' on %s: the kernel cannot parse it: the event's fields are %s",
				 from->filter, from->name,
				 fields_of(from->name, fields, sizeof(fields)));
	return ret ? err_errno(err, ret, "setting a filter on %s", from->name) :
		     0;
}

int session_control_filter(struct session *s, const struct session_slot *slot,
			   struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < slot->pub.nr_events; i++) {
		const struct session_event *event = &slot->pub.events[i];
		const struct event_spec *from;

		if (event->spec == SESSION_SIDE_BAND)
			continue;
		from = &s->opts.events.specs[event->spec];
		if (from->tracepoint) {
			ret = filter_tracepoint(s, event, err);
		} else if (from->address_filter) {
			ret = sys_perf_ioctl(
				event->fd, PERF_EVENT_IOC_SET_FILTER,
				(unsigned long)from->address_filter);
			if (ret)
				session_error_address_filter(s, ret, from, err);
		}
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
		ret = session_control_filter(s, s->slots[i], err);
	pthread_mutex_unlock(&s->lock);
	return ret;
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

static int switch_event(int fd, bool on)
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
			ret = switch_event(slot->pub.events[i].fd, on);
	return ret;
}

static int switch_events(const struct session *s,
			 const struct session_slot *slot, bool on)
{
	const struct session_ring *ring = &slot->pub;
	int ret = 0;

	for (size_t i = 0; !ret && i < ring->nr_events; i++)
		if (leads(s, ring, &ring->events[i]))
			ret = switch_event(ring->events[i].fd, on);
	return ret;
}

int session_control_start(const struct session *s,
			  const struct session_slot *slot)
{
	int ret = 0;

	if (s->side_band_enabled)
		ret = switch_side_band(slot, true);
	if (!ret && s->enabled)
		ret = switch_events(s, slot, true);
	return ret;
}

/*
 * A tracepoint that fires while another CPU disables its event may be counted
 * once more than it was sampled or lost (seen on Linux 6.18).  So it is
 * disabled on its own CPU, where no handler can be running: handlers are not
 * preempted.
 */
static int stop_events(const struct session *s, const struct session_slot *slot)
{
	cpu_set_t home;
	bool there = slot->pub.cpu >= 0 && !slot->pub.side_band_only &&
		     sys_visit_cpu(slot->pub.cpu, &home) == 0;
	int ret = switch_events(s, slot, false);

	if (there)
		sys_leave_cpu(&home);
	return ret;
}

static int enable_locked(struct session *s, bool on)
{
	/* the exec of the workload enables its events itself */
	bool later = on && s->exec_pending;
	int ret = 0;

	s->enabled = on && !later;
	if (on)
		s->side_band_enabled = true;
	for (size_t i = 0; !ret && i < s->nr_slots; i++) {
		if (s->slots[i]->pub.gone)
			continue;
		ret = on ? session_control_start(s, s->slots[i]) :
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
		err_errno(err, ret, "enabling the side-band");
	return ret;
}

int session_enable(struct session *s, bool on, struct err *err)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	ret = enable_locked(s, on);
	pthread_mutex_unlock(&s->lock);
	if (ret)
		err_errno(err, ret, "%s the events",
			  on ? "enabling" : "disabling");
	return ret;
}

void session_end(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	enable_locked(s, false);
	s->side_band_enabled = false;
	/*
	 * after all events, so that mappings of their last samples are reported
	 */
	for (size_t i = 0; i < s->nr_slots; i++)
		if (!s->slots[i]->pub.gone)
			switch_side_band(s->slots[i], false);
	pthread_mutex_unlock(&s->lock);
}

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
		err_errno(err, ret, "%s ring %zu", on ? "pausing" : "resuming",
			  ring);
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

/*
 * The value for PERF_EVENT_IOC_PERIOD: a frequency if the event was opened with
 * one, else a period.  The timers of clocks have a fixed period, so the kernel
 * has converted their frequency (kernel/events/core.c,
 * perf_swevent_init_hrtimer).  0: the event cannot be changed.
 */
static uint64_t rate_value(const struct session *s, size_t i, uint64_t freq,
			   uint64_t period)
{
	const struct session_spec *spec = &s->specs[i];

	if (s->opts.events.specs[i].aux)
		return 0; /* -F and -c are not for events that trace */
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

/* Events opened later get the new rate, too. */
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
		return err_errno(err, ret, "%s %llu", what, asked);
	if (changed == 0)
		return err_set(err, -EOPNOTSUPP,
			       "the events were opened with a %s, and only that can be changed: restart with %s",
			       freq ? "period" : "frequency",
			       freq ? "-F" : "-c");
	return 0;
}

void session_ring_back(struct session *s, size_t ring)
{
	struct session_slot *slot;

	pthread_mutex_lock(&s->lock);
	slot = s->slots[ring];
	slot->pub.gone = false;
	session_control_start(s, slot);
	pthread_mutex_unlock(&s->lock);
}

void session_ring_gone(struct session *s, size_t ring)
{
	struct session_slot *slot;

	pthread_mutex_lock(&s->lock);
	slot = s->slots[ring];
	slot->pub.gone = true;
	/* not drained any more: a CPU-wide dummy would fill it */
	for (size_t i = 0; i < slot->pub.nr_events; i++)
		if (i == 0 || (slot->pub.events[i].spec == SESSION_SIDE_BAND &&
			       slot->pub.events[i].tid < 0))
			switch_event(slot->pub.events[i].fd, false);
	pthread_mutex_unlock(&s->lock);
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
			ret = switch_event(ring->events[i].fd, on);
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
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct session_ring *r = &s->slots[i]->pub;

		s->slots[i]->held = r->aux.data && !r->gone &&
				    !(skip && skip[i]);
	}
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

struct session_count session_control_count(const struct session *s, int fd)
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

void session_control_add(struct session_count *sum, struct session_count more)
{
	if (more.count != UNKNOWN)
		sum->count += more.count;
	if (more.lost != UNKNOWN)
		sum->lost += more.lost;
}

/* The counts of an event, with those of the closed events that it replaced. */
static struct session_count total_of(const struct session *s,
				     const struct session_slot *slot, size_t i)
{
	struct session_count total = slot->base[i], now;

	now = session_control_count(s, slot->pub.events[i].fd);
	session_control_add(&total, now);
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
