/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "perf/session/session_impl.h"

enum { SPARE_FILES = 64 }; /* beside the events: epoll sets, timers, /proc */

uint64_t session_event_id(int fd)
{
	uint64_t id = 0;

	if (sys_perf_ioctl(fd, PERF_EVENT_IOC_ID, (unsigned long)&id))
		return 0;
	return id;
}

/* Whether a CPU-wide dummy may own the rings of tasks. */
static bool may_watch_cpus(struct session *s)
{
	struct session_place place = { .tid = -1, .cpu = s->map.cpus.cpus[0] };
	struct session_event event;
	int ret = session_open_side_band(s, place, s->ring_bytes, &event, NULL);

	if (ret == 0)
		sys_close(event.fd);
	return ret != -EACCES && ret != -EPERM;
}

static int add_slots(struct session *s, struct err *err)
{
	const struct target_map *map = &s->map;
	bool threads = s->opts.target.mode == TARGET_THREADS;
	size_t nr = threads ? map->nr_tids : map->cpus.nr;

	for (size_t i = 0; i < nr; i++)
		if (!session_slot_add(s, threads ? -1 : map->cpus.cpus[i],
				      threads ? map->tids[i] : -1))
			return err_set(err, -ENOMEM, "%zu rings: out of memory",
				       nr);
	return 0;
}

static void raise_files(struct session *s)
{
	uint64_t tasks = target_by_task(&s->opts.target) ? s->map.nr_tids : 1;
	uint64_t per_task = s->opts.events.nr + 1;

	if (s->opts.target.mode == TARGET_THREADS)
		tasks = 1;
	s->want_files = s->nr_slots * (1 + tasks * per_task) + SPARE_FILES;
	s->have_files = sys_raise_nofile(s->want_files);
}

/* A thread that ended meanwhile has no ring; it is an error if all have. */
static int open_owners(struct session *s, struct err *err)
{
	size_t opened = 0;
	int ret = 0;

	for (size_t i = 0; i < s->nr_slots; i++) {
		struct session_slot *slot = s->slots[i];

		ret = session_open_slot(s, slot, err);
		slot->pub.gone = ret == -ESRCH;
		if (ret && (ret != -ESRCH || slot->pub.tid < 0))
			return ret;
		opened += ret == 0;
	}
	return opened ? 0 : ret;
}

/* Whether what failed was to map a data ring. */
static bool ring_refused(const struct session *s)
{
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct session_ring *ring = &s->slots[i]->pub;

		if (ring->nr_events && !ring->ring.page)
			return true;
	}
	return false;
}

/* Over the mlock limit with a size nobody asked for: what fits is better. */
static int open_owners_fitting(struct session *s, struct err *err)
{
	uint64_t wanted = s->ring_bytes;
	char had[16], got[16];
	int ret;

	while ((ret = open_owners(s, err)) == -EPERM && !s->opts.ring_bytes &&
	       ring_refused(s) && s->ring_bytes > sys_page_size()) {
		for (size_t i = 0; i < s->nr_slots; i++)
			session_slot_close(s->slots[i]);
		s->ring_bytes /= 2;
	}
	if (ret || s->ring_bytes == wanted)
		return ret;
	units_bytes(had, sizeof(had), (double)wanted);
	units_bytes(got, sizeof(got), (double)s->ring_bytes);
	session_notice_add(s, "rings of %s instead of %s: over kernel.perf_event_mlock_kb and ulimit -l",
			   got, had);
	return 0;
}

/* Take away the rings of threads that ended before they could be opened. */
static void drop_missing(struct session *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nr_slots; i++) {
		struct session_slot *slot = s->slots[i];

		if (slot->pub.nr_events) {
			s->slots[kept++] = slot;
			continue;
		}
		session_slot_free(slot);
	}
	s->nr_slots = kept;
}

static int fill_slots(struct session *s, struct err *err)
{
	size_t filled = 0;
	int ret = 0;

	for (size_t i = 0; i < s->nr_slots; i++) {
		struct session_slot *slot = s->slots[i];

		ret = session_fill_slot(s, slot, err);
		slot->pub.gone = ret == -ESRCH;
		if (ret && (ret != -ESRCH || slot->pub.tid < 0))
			return ret;
		filled += ret == 0;
	}
	return filled ? 0 : ret;
}

/* An uncore event counts on the CPUs of its PMU's cpumask alone. */
static int check_opened(const struct session *s, struct err *err)
{
	char list[128];

	for (size_t spec = 0; spec < s->opts.events.nr; spec++) {
		const struct cpulist *cpus = &s->opts.events.specs[spec].cpus;
		bool found = s->specs[spec].left_out;

		for (size_t i = 0; !found && i < s->nr_slots; i++) {
			const struct session_ring *ring = &s->slots[i]->pub;

			for (size_t k = 0; k < ring->nr_events; k++)
				found |= ring->events[k].spec == spec;
		}
		if (!found)
			return err_set(err, -ENODEV,
				       "%s counts on CPUs %s only: add them to -C",
				       s->specs[spec].name,
				       cpulist_format(cpus, list, sizeof(list)));
	}
	return 0;
}

static int open_all(struct session *s, struct err *err)
{
	int ret;

	ret = target_resolve(&s->opts.target, &s->map, err);
	if (!ret)
		ret = session_specs_make(s, err);
	if (!ret)
		ret = session_specs_ring_bytes(s, err);
	if (ret)
		return ret;
	s->tid_gone = calloc(s->map.nr_tids + 1, sizeof(*s->tid_gone));
	if (!s->tid_gone)
		return err_set(err, -ENOMEM, "opening events: out of memory");
	ret = add_slots(s, err);
	if (ret)
		return ret;
	raise_files(s);
	s->owner_on_task = s->opts.target.mode == TARGET_THREADS ||
			   (s->opts.target.mode == TARGET_TASKS &&
			    (s->has_aux || !may_watch_cpus(s)));
	ret = open_owners_fitting(s, err);
	if (ret)
		return ret;
	drop_missing(s);
	if (s->has_aux)
		session_aux_open_clock(s);
	ret = fill_slots(s, err);
	if (!ret)
		session_error_left_out(s);
	if (!ret)
		ret = check_opened(s, err);
	if (!ret)
		session_open_elsewhere(s);
	return ret;
}

void session_init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

int session_open(const struct session_opts *opts, struct session **out,
		 struct err *err)
{
	struct session *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return err_set(err, -ENOMEM, "opening events: out of memory");
	session_init_lock(&s->lock);
	s->opts = *opts;
	for (size_t i = 0; i < opts->events.nr; i++)
		s->has_aux |= opts->events.specs[i].aux;
	s->exec_pending = opts->enable_on_exec || opts->start_disabled;
	ret = open_all(s, err);
	if (ret) {
		session_close(s);
		return ret;
	}
	*out = s;
	return 0;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	session_memory_forget(s);
	for (size_t i = 0; i < s->nr_slots; i++)
		session_slot_free(s->slots[i]);
	free(s->slots);
	ring_unmap(&s->clock_page);
	session_specs_free(s);
	target_free_map(&s->map);
	free(s->tid_gone);
	free(s->filter_tids);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

const char *session_notice(const struct session *s)
{
	return s->notice;
}

const char *session_event_name(const struct session *s, size_t spec)
{
	return spec < s->opts.events.nr ? s->specs[spec].name : "side-band";
}

const struct perf_event_attr *session_event_attr(const struct session *s,
						 size_t spec)
{
	return spec < s->opts.events.nr ? &s->specs[spec].attr : NULL;
}

bool session_event_left_out(const struct session *s, size_t spec)
{
	return spec < s->opts.events.nr && s->specs[spec].left_out;
}

size_t session_nr_rings(struct session *s)
{
	size_t nr;

	pthread_mutex_lock(&s->lock);
	nr = s->nr_slots;
	pthread_mutex_unlock(&s->lock);
	return nr;
}

size_t session_nr_watched(struct session *s)
{
	size_t nr = 0;

	pthread_mutex_lock(&s->lock);
	while (nr < s->nr_slots && !s->slots[nr]->pub.elsewhere)
		nr++;
	pthread_mutex_unlock(&s->lock);
	return nr;
}

const struct session_ring *session_ring(struct session *s, size_t i)
{
	const struct session_ring *ring;

	pthread_mutex_lock(&s->lock);
	ring = i < s->nr_slots ? &s->slots[i]->pub : NULL;
	pthread_mutex_unlock(&s->lock);
	return ring;
}

size_t session_nr_events(struct session *s, size_t ring)
{
	size_t nr;

	pthread_mutex_lock(&s->lock);
	nr = ring < s->nr_slots ? s->slots[ring]->pub.nr_events : 0;
	pthread_mutex_unlock(&s->lock);
	return nr;
}

uint64_t session_longest_record(const struct session *s)
{
	return s->max_record;
}

const struct target_map *session_target(const struct session *s)
{
	return &s->map;
}

bool session_owner_on_task(const struct session *s)
{
	return s->owner_on_task;
}

struct session_count session_read_event(const struct session *s, int fd)
{
	/* value, enabled, running, id, lost: see set_common() */
	uint64_t values[5];
	ssize_t n = sys_read_count(fd, values, sizeof(values));
	struct session_count count = { SESSION_UNKNOWN, SESSION_UNKNOWN };

	if (n >= (ssize_t)sizeof(values[0]))
		count.count = values[0];
	if (!(s->missing & SESSION_NEWER_LOST) && n == (ssize_t)sizeof(values))
		count.lost = values[4];
	return count;
}

void session_count_add(struct session_count *sum, struct session_count more)
{
	if (more.count != SESSION_UNKNOWN)
		sum->count += more.count;
	if (more.lost != SESSION_UNKNOWN)
		sum->lost += more.lost;
}

/* With what those that had its place before had counted. */
static struct session_count total_of(const struct session *s,
				     const struct session_slot *slot, size_t i)
{
	struct session_count total = slot->base[i], now;

	now = session_read_event(s, slot->pub.events[i].fd);
	session_count_add(&total, now);
	if (now.count == SESSION_UNKNOWN)
		total.count = SESSION_UNKNOWN;
	if (now.lost == SESSION_UNKNOWN)
		total.lost = SESSION_UNKNOWN;
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
	for (size_t i = 0; sum != SESSION_UNKNOWN && i < slot->pub.nr_events;
	     i++) {
		uint64_t lost = total_of(s, slot, i).lost;

		sum = lost == SESSION_UNKNOWN ? lost : sum + lost;
	}
	pthread_mutex_unlock(&s->lock);
	return sum;
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
	/* Nobody drains it now: a CPU-wide dummy would only fill it. */
	for (size_t i = 0; i < slot->pub.nr_events; i++)
		if (i == 0 || (slot->pub.events[i].spec == SESSION_SIDE_BAND &&
			       slot->pub.events[i].tid < 0))
			session_switch(slot->pub.events[i].fd, false);
	pthread_mutex_unlock(&s->lock);
}
