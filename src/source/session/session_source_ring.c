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

/* Arrays that a collector_ring points to, one entry per event. */
struct ring_lists {
	int *fds;
	uint64_t *ids;
	uint32_t *tags;
	int *aux_fds;
	int *call_fds;
};

static void lists_free(struct ring_lists *lists)
{
	free(lists->fds);
	free(lists->ids);
	free(lists->tags);
	free(lists->aux_fds);
	free(lists->call_fds);
}

static int lists_new(struct ring_lists *lists, size_t nr)
{
	lists->fds = calloc(nr, sizeof(*lists->fds));
	lists->ids = calloc(nr, sizeof(*lists->ids));
	lists->tags = calloc(nr, sizeof(*lists->tags));
	lists->aux_fds = calloc(nr, sizeof(*lists->aux_fds));
	lists->call_fds = calloc(nr, sizeof(*lists->call_fds));
	if (lists->fds && lists->ids && lists->tags && lists->aux_fds &&
	    lists->call_fds)
		return 0;
	lists_free(lists);
	return -ENOMEM;
}

/*
 * The file descriptors to poll: the dummy event of each task hangs up when the
 * task and its children have ended; a CPU-wide owner never does.
 */
static size_t list_fds(const struct session_source *ss,
		       const struct session_ring *ring,
		       const struct session_event *owner, int *fds)
{
	size_t nr = 0;

	if (owner->tid >= 0 || !target_by_task(&ss->opts.session.target))
		fds[nr++] = owner->fd;
	for (size_t i = 1; i < ring->nr_events; i++)
		if (ring->events[i].spec == SESSION_SIDE_BAND)
			fds[nr++] = ring->events[i].fd;
	return nr;
}

/* The file descriptors of events that trace. */
static size_t list_aux_fds(const struct session_source *ss,
			   const struct session_ring *ring, int *fds)
{
	const struct event_list *events = &ss->opts.session.events;
	size_t nr = 0;

	for (size_t i = 0; ring->aux.size && i < ring->nr_events; i++) {
		const struct session_event *event = &ring->events[i];

		if (event->spec != SESSION_SIDE_BAND &&
		    events->specs[event->spec].aux)
			fds[nr++] = event->fd;
	}
	return nr;
}

/* The file descriptors of the events of --snapshot-on call:FUNC. */
static size_t list_call_fds(const struct session_source *ss,
			    const struct session_ring *ring, int *fds)
{
	size_t call = session_source_call(ss), nr = 0;

	for (size_t i = 0; i < ring->nr_events && call != SESSION_SIDE_BAND;
	     i++)
		if (ring->events[i].spec == call)
			fds[nr++] = ring->events[i].fd;
	return nr;
}

static void fill_collector_ring(const struct session_source *ss,
				const struct session_ring *ring,
				const struct ring *memory,
				const struct session_event *owner,
				struct ring_lists *lists,
				struct collector_ring *out)
{
	for (size_t i = 0; i < ring->nr_events; i++) {
		const struct session_event *event = i ? &ring->events[i]
						      : owner;

		lists->ids[i] = event->id;
		/* SESSION_SIDE_BAND: unknown to the resolver thread */
		lists->tags[i] = (uint32_t)event->spec;
	}
	*out = (struct collector_ring){
		.ring = *memory,
		.cpu = ring->cpu,
		.apart = ring->side_band_only,
		.fds = lists->fds,
		.nr_fds = list_fds(ss, ring, owner, lists->fds),
		.ids = lists->ids,
		.tags = lists->tags,
		.nr_ids = (uint32_t)ring->nr_events,
		.call_fds = lists->call_fds,
		.nr_call_fds = list_call_fds(ss, ring, lists->call_fds),
		.aux = ring->aux,
		.aux_fds = lists->aux_fds,
		.nr_aux_fds = list_aux_fds(ss, ring, lists->aux_fds),
		.read_finish = ss->traces ? ss->trace.ops->read_finish : NULL,
	};
}

/* Have the collector drain a ring; @fresh false: @memory in its place. */
static int hand_over(struct session_source *ss, size_t ring, bool fresh,
		     const struct ring *memory,
		     const struct session_event *owner, struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct collector_ring cr;
	struct ring_lists lists;
	size_t slot;
	int ret;

	if (lists_new(&lists, r->nr_events))
		return err_set(err, -ENOMEM, "%s a ring: out of memory",
			       fresh ? "adding" : "replacing");
	fill_collector_ring(ss, r, memory, owner, &lists, &cr);
	ret = fresh ? collector_add(ss->collector, &cr, &slot, err) :
		      collector_replace(ss->collector, ring, &cr, err);
	lists_free(&lists);
	return ret;
}

int session_source_ring_add(struct session_source *ss, size_t ring,
			    struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);

	if (array_fit_zero(ss->rings, ss->room_rings, ring + 1))
		return err_set(err, -ENOMEM, "adding a ring: out of memory");
	return hand_over(ss, ring, true, &r->ring, &r->events[0], err);
}

/*
 * What the events of @ring have lost so far, when all of them were just
 * redirected to @fresh.  UNKNOWN if records may have been lost in @fresh.
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
 * A ring reports its losses with the next record that fits.  Losses that the
 * former memories of @ring did not report (they lost @lost in all, and reported
 * @told) will never be; they are added.
 */
static void add_unreported(struct session_source *ss, size_t ring,
			   uint64_t lost, uint64_t told)
{
	struct source_ring *state = &ss->rings[ring];

	if (lost != UNKNOWN && lost > told + state->unreported)
		state->unreported = lost - told;
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

/* Events of tasks outlive a CPU; CPU-wide events do not. */
static bool survives(const struct session_source *ss)
{
	return target_by_task(&ss->opts.session.target);
}

/* Rings with side-band only are not shown, so nothing is logged. */
static bool is_elsewhere(const struct session_source *ss, size_t ring)
{
	return session_ring(ss->session, ring)->side_band_only;
}

/* Retire a ring: nothing will be written to it, nor its losses reported. */
static void let_go(struct session_source *ss, size_t ring)
{
	uint64_t told = collector_retire(ss->collector, ring);

	if (!session_ring(ss->session, ring)->ring.overwrite)
		add_unreported(ss, ring, session_lost(ss->session, ring), told);
}

static void cpu_went(struct session_source *ss, size_t ring, int cpu)
{
	ss->rings[ring].offline = true;
	if (survives(ss))
		collector_drain(ss->collector, ring);
	else
		let_go(ss, ring);
	session_ring_gone(ss->session, ring);
	if (!is_elsewhere(ss, ring))
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

static void cpu_came(struct session_source *ss, size_t ring, int cpu)
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
	if (is_elsewhere(ss, ring))
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
	if (!ret && !is_elsewhere(ss, ring))
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

/* Whether CPUs that appear later are monitored. */
static bool wants_all_cpus(const struct session_source *ss)
{
	return ss->opts.session.target.mode == TARGET_SYSTEM ||
	       ss->opts.session.side_band_all_cpus ||
	       (ss->opts.session.target.mode == TARGET_TASKS &&
		ss->opts.session.target.cpus.nr == 0);
}

static void check_rings(struct session_source *ss, const struct cpulist *online)
{
	size_t nr = session_nr_rings(ss->session);

	for (size_t i = 0; i < nr; i++) {
		const struct session_ring *ring = session_ring(ss->session, i);
		bool there = ring->cpu < 0 || cpulist_has(online, ring->cpu);

		if (!there && !ss->rings[i].offline && !ring->gone)
			cpu_went(ss, i, ring->cpu);
		else if (there && ss->rings[i].offline)
			cpu_came(ss, i, ring->cpu);
	}
}

void session_source_cpus_check(struct session_source *ss)
{
	struct cpulist online = { 0 };
	size_t ring;

	if (ss->opts.session.target.mode == TARGET_THREADS || ss->finished ||
	    cpulist_online(&online, NULL))
		return;
	check_rings(ss, &online);
	for (size_t i = 0; wants_all_cpus(ss) && i < online.nr; i++)
		if (!find_ring(ss, online.cpus[i], &ring) &&
		    !cpulist_has(&ss->refused, online.cpus[i]))
			cpu_new(ss, online.cpus[i]);
	cpulist_free(&online);
}

/* "offline@/devices/system/cpu/cpu3", followed by NUL and more. */
static bool parse_offline(const char *message, int *cpu)
{
	return sscanf(message, "offline@/devices/system/cpu/cpu%d", cpu) == 1;
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
		if (!parse_offline(message, &cpu) || ss->finished ||
		    !find_ring(ss, cpu, &ring) || ss->rings[ring].offline ||
		    session_ring(ss->session, ring)->gone)
			continue;
		cpu_went(ss, ring, cpu);
	}
	/* Messages were dropped, as the socket's buffer was full. */
	if (len < 0 && errno == ENOBUFS)
		about_cpus = true;
	if (about_cpus)
		session_source_cpus_check(ss);
}
