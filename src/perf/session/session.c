/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a session: all rings with their owners first, then the events. */
#include "perf/session/session_state.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"

enum { SPARE_FILES = 64 }; /* for epoll sets, timers, /proc */

/*
 * The lock is recursive: a thread that holds the session may call into it.
 */
static struct session *session_new(const struct session_opts *opts)
{
	struct session *s = calloc(1, sizeof(*s));
	pthread_mutexattr_t attr;

	if (!s)
		return NULL;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&s->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	s->opts = *opts;
	return s;
}

const char *session_notice(const struct session *s)
{
	return s->notice;
}

void session_notice_add(struct session *s, const char *fmt, ...)
{
	size_t len = strlen(s->notice);
	va_list ap;

	if (len && len + 2 < sizeof(s->notice)) {
		strcpy(s->notice + len, "; ");
		len += 2;
	}
	va_start(ap, fmt);
	vsnprintf(s->notice + len, sizeof(s->notice) - len, fmt, ap);
	va_end(ap);
}

int session_open_trial(void)
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

/* Whether a CPU-wide dummy may own the rings of tasks. */
static bool may_watch_cpus(struct session *s)
{
	struct session_scope scope = { .tid = -1, .cpu = s->map.cpus.cpus[0] };
	struct session_event event;
	int ret = session_slot_open_side_band(s, scope, s->ring_bytes, &event,
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

static int open_other_cpu(struct session *s, int cpu, struct err *err)
{
	struct session_slot *slot = session_slot_add(s, cpu, -1);
	int ret;

	if (!slot)
		return err_set(err, -ENOMEM, "CPU %d: out of memory", cpu);
	ret = session_slot_open(s, slot, err);
	if (ret)
		session_slot_free(s->slots[--s->nr_slots]);
	/* the CPU went offline meanwhile */
	return ret == -ENODEV ? 0 : ret;
}

/* Up to the first failure, which is added to the notices. */
static void open_other_cpus(struct session *s)
{
	struct cpulist online = { 0 };
	struct err err = { 0 };
	int ret = 0;

	if (!s->opts.side_band_all_cpus || s->opts.target.mode != TARGET_CPUS ||
	    cpulist_online(&online, &err))
		return;
	sys_raise_nofile(s->want_files + online.nr);
	for (size_t i = 0; !ret && i < online.nr; i++)
		if (session_slot_is_side_band_only(s, online.cpus[i]))
			ret = open_other_cpu(s, online.cpus[i], &err);
	if (ret)
		session_notice_add(s, "tasks from other CPUs may have no "
				   "name: %s", err.text);
	cpulist_free(&online);
}

static void note_left_out(struct session *s)
{
	char more[40] = "";
	size_t i = 0;

	if (!s->nr_left_out)
		return;
	while (!s->specs[i].left_out)
		i++;
	if (s->nr_left_out > 1)
		snprintf(more, sizeof(more), " and %zu more",
			 s->nr_left_out - 1);
	session_notice_add(s, "left out: %s%s: %s", s->specs[i].name, more,
			   strerror(-s->left_out_for));
}

static int open_all(struct session *s, struct err *err)
{
	const struct target *target = &s->opts.target;
	uint64_t tasks = 1;
	size_t kept = 0;
	int ret;

	ret = target_resolve(target, &s->map, err);
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
	if (target_by_task(target) && target->mode != TARGET_THREADS)
		tasks = s->map.nr_tids;
	s->want_files = s->nr_slots * (1 + tasks * (s->opts.events.nr + 1)) +
			SPARE_FILES;
	s->have_files = sys_raise_nofile(s->want_files);
	s->owner_on_task = target->mode == TARGET_THREADS ||
			   (target->mode == TARGET_TASKS &&
			    (s->has_aux || !may_watch_cpus(s)));
	ret = open_owners_fitting(s, err);
	if (ret)
		return ret;
	/* without the rings of threads that ended before they were opened */
	for (size_t i = 0; i < s->nr_slots; i++) {
		if (s->slots[i]->pub.nr_events)
			s->slots[kept++] = s->slots[i];
		else
			session_slot_free(s->slots[i]);
	}
	s->nr_slots = kept;
	/*
	 * A user page of its own, since those of rings disappear with their
	 * CPUs.  The page of any event without a clockid describes perf's
	 * clock, if the kernel supports that (arch_perf_update_userpage).
	 */
	if (s->has_aux) {
		int fd = session_open_trial();

		s->clock.unknown = true;
		if (fd >= 0 && ring_map(&s->clock_page, fd, 0, true) == 0)
			s->clock = perf_clock_of(s->clock_page.page);
		sys_close(fd); /* the mapping keeps it */
	}
	ret = open_each(s, session_slot_fill, err);
	if (!ret)
		note_left_out(s);
	if (!ret)
		ret = check_opened(s, err);
	if (!ret)
		open_other_cpus(s);
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

void session_close(struct session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr_slots; i++) {
		struct session_ring *ring = &s->slots[i]->pub;

		/* the memory of such a ring belongs to the caller */
		if (s->memory) {
			ring->ring = (struct ring){ .fd = -1 };
			ring->aux = (struct aux_ring){ 0 };
			ring->nr_events = 0;
		}
		session_slot_free(s->slots[i]);
	}
	free(s->slots);
	ring_unmap(&s->clock_page);
	session_specs_free(s);
	target_free_map(&s->map);
	free(s->tid_gone);
	free(s->filter_tids);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static int copy_specs(struct session *s)
{
	const struct event_list *list = &s->opts.events;

	s->specs = calloc(list->nr + 1, sizeof(*s->specs));
	if (!s->specs)
		return -ENOMEM;
	for (size_t i = 0; i < list->nr; i++) {
		s->specs[i].attr = list->specs[i].attr;
		s->specs[i].cgroup = -1;
		snprintf(s->specs[i].name, sizeof(s->specs[i].name), "%s",
			 list->specs[i].name);
		s->has_aux |= list->specs[i].aux;
	}
	return 0;
}

int session_memory_open(const struct session_opts *opts,
			const struct session_memory_ops *ops, void *ctx,
			struct session **out, struct err *err)
{
	struct session *s = session_new(opts);

	if (!s)
		return err_set(err, -ENOMEM, "opening rings: out of memory");
	s->memory = ops;
	s->memory_ctx = ctx;
	s->side_band_enabled = s->enabled = true;
	if (copy_specs(s)) {
		session_close(s);
		return err_set(err, -ENOMEM, "opening rings: out of memory");
	}
	*out = s;
	return 0;
}

int session_memory_add(struct session *s, const struct session_ring *ring)
{
	struct session_event *events;
	struct session_slot *slot;

	events = calloc(ring->nr_events + 1, sizeof(*events));
	if (!events)
		return -ENOMEM;
	memcpy(events, ring->events, ring->nr_events * sizeof(*events));
	pthread_mutex_lock(&s->lock);
	slot = session_slot_add(s, ring->cpu, ring->tid);
	if (slot) {
		free(slot->pub.events);
		slot->pub = *ring;
		slot->pub.events = events;
		slot->pub.events_cap = ring->nr_events + 1;
	}
	pthread_mutex_unlock(&s->lock);
	if (!slot)
		free(events);
	return slot ? 0 : -ENOMEM;
}

void session_memory_replace(struct session *s, size_t ring,
			    const struct ring *memory)
{
	pthread_mutex_lock(&s->lock);
	s->slots[ring]->pub.ring = *memory;
	pthread_mutex_unlock(&s->lock);
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
	while (nr < s->nr_slots && !s->slots[nr]->pub.side_band_only)
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

bool session_has_aux(const struct session *s)
{
	return s->has_aux;
}

struct perf_clock session_clock(const struct session *s)
{
	return s->clock;
}
