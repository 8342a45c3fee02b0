/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that go offline and come back.  The events of an offlined CPU never work
 * again, though read(2) and even enabling them succeed: there is no POLLHUP and
 * no error (kernel/events/core.c, perf_event_exit_cpu).  Uevents are used,
 * because a CPU may be back before the list of online CPUs is read again.
 */
#include "source/session/session_source_cpus.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "source/session/session_source_ring.h"

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
	return session_ring(ss->session, ring)->elsewhere;
}

/* Retire a ring: nothing will be written to it, nor its losses reported. */
static void let_go(struct session_source *ss, size_t ring)
{
	uint64_t told = collector_retire(ss->collector, ring);

	if (!session_ring(ss->session, ring)->ring.overwrite)
		session_source_ring_unreported(ss, ring,
					       session_lost(ss->session, ring),
					       told);
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
		     session_source_ring_replace(ss, ring, &r->ring,
						 &r->events[0], err);
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
	    !ss->opts.session.side_band_elsewhere)
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
	       ss->opts.session.side_band_elsewhere ||
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
