/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of the live source, in session and collector; and the CPUs they are
 * on, which go offline and come back.
 */
#include "source/session/session_source_state.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cpulist.h"
#include "base/err.h"

/* Events of tasks outlive a CPU; CPU-wide events do not. */
static bool survives(const struct session_source *ss)
{
	return target_by_task(&ss->opts.session.target);
}

/*
 * Have the collector drain ring @index, of @owner with @memory: a new one
 * (@fresh), or that one in place of its former memory.
 */
static int hand_over(struct session_source *ss, size_t index, bool fresh,
		     const struct ring *memory,
		     const struct session_event *owner, struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, index);
	const struct event_list *events = &ss->opts.session.events;
	size_t nr = ring->nr_events, call = session_source_call(ss), slot;
	/* all lists of the collector_ring, with at most @nr entries each */
	uint64_t *ids = calloc(nr, sizeof(*ids) + 4 * sizeof(uint32_t));
	int *fds, *aux_fds, *call_fds, ret;
	struct collector_ring cr;
	uint32_t *tags;

	if (!ids)
		return err_set(err, -ENOMEM, "%s a ring: out of memory",
			       fresh ? "adding" : "replacing");
	tags = (uint32_t *)(ids + nr);
	fds = (int *)(tags + nr);
	aux_fds = fds + nr;
	call_fds = aux_fds + nr;
	cr = (struct collector_ring){
		.ring = *memory,
		.cpu = ring->cpu,
		.side_band_only = ring->side_band_only,
		.fds = fds,
		.ids = ids,
		.tags = tags,
		.nr_ids = (uint32_t)nr,
		.call_fds = call_fds,
		.aux = ring->aux,
		.aux_fds = aux_fds,
		.read_finish = ss->traces ? ss->trace.ops->read_finish : NULL,
	};
	for (size_t i = 0; i < nr; i++) {
		const struct session_event *event = i ? &ring->events[i] :
							owner;
		bool side_band = event->spec == SESSION_SIDE_BAND;

		ids[i] = event->id;
		/* SESSION_SIDE_BAND: unknown to the resolver thread */
		tags[i] = (uint32_t)event->spec;
		/*
		 * Polled: the dummy event of each task hangs up when the task
		 * and its children have ended; a CPU-wide owner never does.
		 */
		if (i ? side_band : owner->tid >= 0 || !survives(ss))
			fds[cr.nr_fds++] = event->fd;
		if (!side_band && event->spec == call)
			call_fds[cr.nr_call_fds++] = event->fd;
		if (!side_band && ring->aux.size &&
		    events->specs[event->spec].aux)
			aux_fds[cr.nr_aux_fds++] = event->fd;
	}
	ret = fresh ? collector_add(ss->collector, &cr, &slot, err) :
		      collector_replace(ss->collector, index, &cr, err);
	free(ids);
	return ret;
}

int session_source_ring_add(struct session_source *ss, size_t ring,
			    struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);

	if (array_fit_zero(ss->rings, ss->rings_cap, ring + 1))
		return err_set(err, -ENOMEM, "adding a ring: out of memory");
	return hand_over(ss, ring, true, &r->ring, &r->events[0], err);
}

/*
 * The losses of the events of @ring so far, which were all just redirected to
 * @fresh.  UNKNOWN if records may have been lost in @fresh.
 */
static uint64_t lost_before(struct session_source *ss, size_t ring,
			    const struct ring *fresh)
{
	/*
	 * Dynamic fields of a tracepoint: PERF_MAX_TRACE_SIZE of the kernel's
	 * linux/trace_events.h; and a LOST record before it.
	 */
	enum { DYNAMIC = 8192 + 64 };
	uint64_t longest = session_longest_record(ss->session) + DYNAMIC;
	uint64_t lost, head;

	if (fresh->overwrite || ss->rings[ring].paused)
		return UNKNOWN;
	lost = session_lost(ss->session, ring);
	head = ring_head(fresh); /* all bytes written to it */
	if (head && head + longest > fresh->size)
		return UNKNOWN;
	return lost;
}

/*
 * A ring reports its losses with the next record that fits.  Add those that the
 * former memories of @ring will never report: they lost @lost in all, and
 * @reported of them.
 */
static void add_unreported(struct session_source *ss, size_t ring,
			   uint64_t lost, uint64_t reported)
{
	struct source_ring *state = &ss->rings[ring];

	if (lost != UNKNOWN && lost > reported + state->unreported)
		state->unreported = lost - reported;
}

int session_source_ring_swap(struct session_source *ss, size_t ring,
			     uint64_t bytes, struct err *err)
{
	struct session_swap swap;
	uint64_t lost;
	int ret = session_swap_prepare(ss->session, ring, bytes, &swap, err);

	if (ret)
		return ret;
	ret = hand_over(ss, ring, false, &swap.ring, &swap.owner, err);
	if (ret) {
		session_swap_cancel(ss->session, &swap);
		return ret;
	}
	ret = session_swap_redirect(ss->session, &swap, err);
	if (ret) {
		/* Back to the old memory; records in the new one are kept. */
		hand_over(ss, ring, false, &swap.old, &swap.old_owner, NULL);
		collector_retire(ss->collector, ring);
		session_swap_cancel(ss->session, &swap);
		return ret;
	}
	lost = lost_before(ss, ring, &swap.ring);
	add_unreported(ss, ring, lost, collector_retire(ss->collector, ring));
	session_swap_finish(ss->session, &swap);
	return 0;
}

/*
 * Hotplug.  The events of an offlined CPU never work again, though read(2) and
 * even enabling them succeed: there is no POLLHUP and no error
 * (kernel/events/core.c, perf_event_exit_cpu).  Uevents are used, because a CPU
 * may be back before the list of online CPUs is read again.
 */

int session_source_cpus_open(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = 1, /* the kernel's multicast group, not udev's */
	};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 &&
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Rings with side-band only are not shown, so nothing is logged. */
static bool is_side_band_only(const struct session_source *ss, size_t ring)
{
	return session_ring(ss->session, ring)->side_band_only;
}

static void cpu_offline(struct session_source *ss, size_t ring, int cpu)
{
	uint64_t reported;

	ss->rings[ring].offline = true;
	if (survives(ss)) {
		collector_drain(ss->collector, ring);
	} else {
		/* nothing more is written to it, nor are losses reported */
		reported = collector_retire(ss->collector, ring);
		if (!session_ring(ss->session, ring)->ring.overwrite)
			add_unreported(ss, ring,
				       session_lost(ss->session, ring),
				       reported);
	}
	session_ring_gone(ss->session, ring);
	if (!is_side_band_only(ss, ring))
		source_notes_add(&ss->notes, LOG_HOTPLUG,
				 "CPU %d went offline: its ring is idle",
				 cpu);
}

/* Open all events of a CPU again, at the same index. */
static int reopen(struct session_source *ss, size_t ring, int cpu,
		  struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	size_t index;
	int ret;

	/* before the old ring is unmapped */
	collector_leave_trace(ss->collector, ring);
	ret = session_reopen_cpu(ss->session, cpu, &index, err);
	return ret ? ret :
		     hand_over(ss, ring, false, &r->ring, &r->events[0], err);
}

/* The tasks' events work again; a CPU-wide owner does not, and is replaced. */
static int revive(struct session_source *ss, size_t ring, struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	int ret = 0;

	if (!session_owner_on_task(ss->session))
		ret = session_source_ring_swap(ss, ring, r->ring.size, err);
	if (!ret)
		session_ring_back(ss->session, ring);
	return ret;
}

static void cpu_online(struct session_source *ss, size_t ring, int cpu)
{
	struct source_ring *state = &ss->rings[ring];
	struct err err = { 0 };
	int ret = survives(ss) ? revive(ss, ring, &err) :
				 reopen(ss, ring, cpu, &err);

	if (ret && !state->reopen_failed)
		source_notes_add(&ss->notes, LOG_ERROR, "CPU %d is back, but %s",
				 cpu, err.text);
	state->reopen_failed = ret != 0;
	if (ret)
		return;
	state->offline = false;
	if (!survives(ss))
		state->paused = false;
	if (is_side_band_only(ss, ring))
		return;
	source_notes_add(&ss->notes, LOG_HOTPLUG, "CPU %d is back: %s", cpu,
			 survives(ss) ?
				 "its ring is in use again" :
				 "its events and ring were reopened");
}

/* Open a CPU that did not exist when rbtop started; tried once. */
static void cpu_new(struct session_source *ss, int cpu)
{
	struct err err = { 0 };
	size_t ring;
	int ret = session_reopen_cpu(ss->session, cpu, &ring, &err);

	if (!ret) {
		ret = session_source_ring_add(ss, ring, &err);
		if (ret)
			session_drop_last(ss->session);
	}
	if (ret && cpulist_add(&ss->refused, cpu) == 0 &&
	    !ss->opts.session.side_band_all_cpus)
		source_notes_add(&ss->notes, LOG_ERROR,
				 "CPU %d is new, but %s", cpu, err.text);
	if (!ret && !is_side_band_only(ss, ring))
		source_notes_add(&ss->notes, LOG_HOTPLUG,
				 "CPU %d is new: a ring was opened for it",
				 cpu);
}

static bool find_ring(struct session_source *ss, int cpu, size_t *ring)
{
	size_t nr = session_nr_rings(ss->session);

	for (*ring = 0; *ring < nr; (*ring)++)
		if (session_ring(ss->session, *ring)->cpu == cpu)
			return true;
	return false;
}

static void check_rings(struct session_source *ss, const struct cpulist *online)
{
	size_t nr = session_nr_rings(ss->session);

	for (size_t i = 0; i < nr; i++) {
		const struct session_ring *ring = session_ring(ss->session, i);
		bool there = ring->cpu < 0 || cpulist_has(online, ring->cpu);

		if (!there && !ss->rings[i].offline && !ring->gone)
			cpu_offline(ss, i, ring->cpu);
		else if (there && ss->rings[i].offline)
			cpu_online(ss, i, ring->cpu);
	}
}

void session_source_cpus_check(struct session_source *ss)
{
	const struct target *target = &ss->opts.session.target;
	bool later = target->mode == TARGET_SYSTEM ||
		     ss->opts.session.side_band_all_cpus ||
		     (target->mode == TARGET_TASKS && target->cpus.nr == 0);
	struct cpulist online = { 0 };
	size_t ring;

	if (target->mode == TARGET_THREADS || ss->finished ||
	    cpulist_online(&online, NULL))
		return;
	check_rings(ss, &online);
	/* CPUs that did not exist at the start */
	for (size_t i = 0; later && i < online.nr; i++)
		if (!find_ring(ss, online.cpus[i], &ring) &&
		    !cpulist_has(&ss->refused, online.cpus[i]))
			cpu_new(ss, online.cpus[i]);
	cpulist_free(&online);
}

void session_source_cpus_event(struct session_source *ss)
{
	char message[2048];
	bool about_cpus = false;
	ssize_t len;
	size_t ring;
	int cpu;

	while ((len = recv(ss->uevents, message, sizeof(message) - 1, 0)) > 0) {
		message[len] = '\0';
		if (strstr(message, "@/devices/system/cpu/cpu"))
			about_cpus = true;
		if (sscanf(message, "offline@/devices/system/cpu/cpu%d",
			   &cpu) != 1 ||
		    ss->finished || !find_ring(ss, cpu, &ring) ||
		    ss->rings[ring].offline ||
		    session_ring(ss->session, ring)->gone)
			continue;
		cpu_offline(ss, ring, cpu);
	}
	/* Messages were dropped, as the socket's buffer was full. */
	if (len < 0 && errno == ENOBUFS)
		about_cpus = true;
	if (about_cpus)
		session_source_cpus_check(ss);
}
