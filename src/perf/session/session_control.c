/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations on open events: enabling, pausing, rates. */
#include "perf/session/session_state.h"

#include <errno.h>

#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session_memory.h"
#include "perf/session/session_slot.h"

/*
 * A tracepoint that fires while another CPU disables its event may be counted
 * once more than it was sampled or lost (seen on Linux 6.18).  So it is
 * disabled on its own CPU, where no handler can be running: handlers are not
 * preempted.
 */
static int stop_events(const struct session *s, const struct session_slot *slot)
{
	cpu_set_t home;
	bool there = slot->pub.cpu >= 0 && !slot->pub.elsewhere &&
		     sys_visit_cpu(slot->pub.cpu, &home) == 0;
	int ret = session_slot_switch_events(s, slot, false);

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
			ret = session_slot_switch_side_band(s->slots[i], true);
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
			session_slot_switch_side_band(s->slots[i], false);
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
	session_slot_start(s, slot);
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
			session_slot_switch(slot->pub.events[i].fd, false);
	pthread_mutex_unlock(&s->lock);
}
