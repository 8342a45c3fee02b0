/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a session: all rings with their owners first, then the events. */
#include "perf/session/session_state.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "perf/session/session_aux.h"
#include "perf/session/session_elsewhere.h"
#include "perf/session/session_error.h"
#include "perf/session/session_slot.h"
#include "perf/session/session_slot_open.h"
#include "perf/session/session_specs.h"

enum { SPARE_FILES = 64 }; /* besides the events: epoll sets, timers, /proc */

/* Whether a CPU-wide dummy may own the rings of tasks. */
static bool may_watch_cpus(struct session *s)
{
	struct session_place place = { .tid = -1, .cpu = s->map.cpus.cpus[0] };
	struct session_event event;
	int ret = session_slot_open_side_band(s, place, s->ring_bytes, &event,
					      NULL);

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
static int open_each(struct session *s,
		     int (*open)(struct session *s, struct session_slot *slot,
				 struct err *err), struct err *err)
{
	size_t opened = 0;
	int ret = 0;

	for (size_t i = 0; i < s->nr_slots; i++) {
		struct session_slot *slot = s->slots[i];

		ret = open(s, slot, err);
		slot->pub.gone = ret == -ESRCH;
		if (ret && (ret != -ESRCH || slot->pub.tid < 0))
			return ret;
		opened += ret == 0;
	}
	return opened ? 0 : ret;
}

/* Whether mapping a data ring failed. */
static bool ring_refused(const struct session *s)
{
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct session_ring *ring = &s->slots[i]->pub;

		if (ring->nr_events && !ring->ring.page)
			return true;
	}
	return false;
}

/* If the default size is over the mlock limit, use the largest that fits. */
static int open_owners_fitting(struct session *s, struct err *err)
{
	uint64_t wanted = s->ring_bytes;
	char had[16], got[16];
	int ret;

	while ((ret = open_each(s, session_slot_open, err)) == -EPERM &&
	       !s->opts.ring_bytes && ring_refused(s) &&
	       s->ring_bytes > sys_page_size()) {
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

/* Remove the rings of threads that ended before they could be opened. */
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

/* An uncore event counts only on the CPUs of its PMU's cpumask. */
static int check_opened(const struct session *s, struct err *err)
{
	char list[128];

	for (size_t spec = 0; spec < s->opts.events.nr; spec++) {
		const struct cpulist *cpus = &s->opts.events.specs[spec].cpus;

		if (!s->specs[spec].left_out && !session_slot_is_open(s, spec))
			return err_set(err, -ENODEV,
				       "%s counts on CPUs %s only: add them to -C",
				       s->specs[spec].name,
				       cpulist_format(cpus, list,
						      sizeof(list)));
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
	ret = open_each(s, session_slot_fill, err);
	if (!ret)
		session_error_left_out(s);
	if (!ret)
		ret = check_opened(s, err);
	if (!ret)
		session_elsewhere_open(s);
	return ret;
}

int session_open(const struct session_opts *opts, struct session **out,
		 struct err *err)
{
	struct session *s = session_new(opts);
	int ret;

	if (!s)
		return err_set(err, -ENOMEM, "opening events: out of memory");
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
