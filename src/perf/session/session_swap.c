/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces a ring while its events run, and reopens the events of a CPU. */
#include "perf/session/session_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"

/*
 * Open a dummy for the old owner's task; if that has ended, for another task
 * that writes to the ring.
 */
static int open_new_owner(struct session *s, const struct session_slot *slot,
			  uint64_t bytes, struct session_event *owner,
			  struct err *err)
{
	const struct session_ring *ring = &slot->pub;
	struct session_scope scope = { ring->events[0].tid, ring->cpu };
	int ret = session_slot_open_side_band(s, scope, bytes, owner, err);

	for (size_t i = 1; ret == -ESRCH && i < ring->nr_events; i++) {
		if (ring->events[i].tid == scope.tid)
			continue;
		scope.tid = ring->events[i].tid;
		ret = session_slot_open_side_band(s, scope, bytes, owner, err);
	}
	return ret;
}

static int prepare_locked(struct session *s, struct session_slot *slot,
			  uint64_t bytes, struct session_swap *w,
			  struct err *err)
{
	uint64_t mark;
	int ret = session_specs_watermark(s, bytes, &mark, err);

	if (slot->pub.aux.data)
		return err_set(err, -EOPNOTSUPP,
			       "a ring with an AUX ring cannot be resized: restart with -m SIZE");
	if (!ret)
		ret = open_new_owner(s, slot, bytes, &w->owner, err);
	if (ret)
		return ret;
	ret = session_slot_map(s, &w->owner, slot->pub.cpu, bytes, &w->ring,
			       err);
	if (!ret && slot->paused) {
		ret = sys_perf_ioctl(w->owner.fd, PERF_EVENT_IOC_PAUSE_OUTPUT,
				     1);
		if (ret)
			err_errno(err, ret, "pausing the new ring");
	}
	if (ret) {
		ring_unmap(&w->ring);
		sys_close(w->owner.fd);
		w->owner.fd = -1;
	}
	return ret;
}

int session_swap_prepare(struct session *s, size_t ring, uint64_t bytes,
			 struct session_swap *w, struct err *err)
{
	struct session_slot *slot;
	int ret;

	memset(w, 0, sizeof(*w));
	w->index = ring;
	w->ring.fd = w->owner.fd = -1;
	if (bytes < sys_page_size())
		bytes = sys_page_size();
	bytes = units_round_pow2(bytes);
	if (bytes == 0 || bytes > SIZE_MAX / 4)
		return err_set(err, -ENOMEM, "a ring of that size: too large");
	pthread_mutex_lock(&s->lock);
	slot = s->slots[ring];
	w->old = slot->pub.ring;
	w->old_owner = slot->pub.events[0];
	ret = prepare_locked(s, slot, bytes, w, err);
	pthread_mutex_unlock(&s->lock);
	return ret;
}

/* Redirect all of the slot's events but the owner to the ring of @fd. */
static int redirect(const struct session_slot *slot, int fd)
{
	int ret = 0;

	for (size_t i = 1; !ret && i < slot->pub.nr_events; i++)
		ret = sys_perf_ioctl(slot->pub.events[i].fd,
				     PERF_EVENT_IOC_SET_OUTPUT,
				     (unsigned long)fd);
	return ret;
}

int session_swap_redirect(struct session *s, struct session_swap *w,
			  struct err *err)
{
	struct session_scope scope = { .tid = w->owner.tid };
	struct session_slot *slot;
	int ret;

	pthread_mutex_lock(&s->lock);
	slot = s->slots[w->index];
	scope.cpu = slot->pub.cpu;
	ret = redirect(slot, w->owner.fd);
	if (ret) {
		redirect(slot, w->old_owner.fd);
	} else {
		/*
		 * The new dummy is enabled before the old one stops: a
		 * duplicate side-band record is better than a missing one.
		 */
		if (s->side_band_enabled)
			sys_perf_ioctl(w->owner.fd, PERF_EVENT_IOC_ENABLE, 0);
		sys_perf_ioctl(w->old_owner.fd, PERF_EVENT_IOC_DISABLE, 0);
		session_control_add(&slot->base[0],
				    session_control_count(s, w->old_owner.fd));
		slot->pub.events[0] = w->owner;
		slot->pub.ring = w->ring;
	}
	pthread_mutex_unlock(&s->lock);
	return ret ? session_error_redirect(s, ret, scope, err) : 0;
}

void session_swap_finish(struct session *s, struct session_swap *w)
{
	(void)s;
	ring_unmap(&w->old);
	sys_close(w->old_owner.fd);
	w->old_owner.fd = -1;
}

void session_swap_cancel(struct session *s, struct session_swap *w)
{
	(void)s;
	ring_unmap(&w->ring);
	sys_close(w->owner.fd);
	w->owner.fd = -1;
}

/*
 * Open the events of @cpu in @fresh, in the state of the others, with a ring of
 * @bytes (0: the usual size).
 */
static int open_fresh(struct session *s, struct session_slot *fresh,
		      uint64_t bytes, struct err *err)
{
	uint64_t usual = s->ring_bytes;
	int ret;

	s->ring_bytes = bytes ? bytes : usual;
	ret = session_slot_open(s, fresh, err);
	s->ring_bytes = usual;
	if (!ret)
		ret = session_slot_fill(s, fresh, err);
	if (!ret && s->filtered)
		ret = session_control_filter(s, fresh, err);
	if (ret)
		return ret;
	ret = session_control_start(s, fresh);
	return ret ? err_errno(err, ret, "enabling its events") :
		     0;
}

/*
 * Replace the slot's events by those of @fresh.  While its CPU was offline,
 * read(2) of an event returned its last count; that is added to the base.
 */
static void adopt_fresh(struct session *s, struct session_slot *slot,
			struct session_slot *fresh)
{
	for (size_t i = 0; i < slot->pub.nr_events; i++) {
		struct session_count last;

		last = session_control_count(s, slot->pub.events[i].fd);
		session_control_add(&slot->base[i], last);
	}
	session_slot_close(slot);
	free(slot->pub.events);
	slot->pub = fresh->pub;
	slot->paused = false;
	free(fresh->base);
	free(fresh);
}

/* Reopen the events of a CPU, in the slot @old or (NULL) a new one. */
static int reopen_locked(struct session *s, struct session_slot *old, int cpu,
			 struct err *err)
{
	size_t expected = old ? old->pub.nr_events : 0;
	struct session_slot *fresh = session_slot_add(s, cpu, -1);
	int ret;

	if (!fresh)
		return err_set(err, -ENOMEM, "CPU %d: out of memory", cpu);
	ret = open_fresh(s, fresh, old ? old->pub.ring.size : 0, err);
	if (!ret && old && fresh->pub.nr_events != expected)
		ret = err_set(err, -ENODEV,
			      "CPU %d: not all of its events could be reopened",
			      cpu);
	if (!ret && !old)
		return 0;
	s->nr_slots--;
	if (ret)
		session_slot_free(fresh);
	else
		adopt_fresh(s, old, fresh);
	return ret;
}

void session_drop_last(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	session_slot_free(s->slots[--s->nr_slots]);
	pthread_mutex_unlock(&s->lock);
}

int session_reopen_cpu(struct session *s, int cpu, size_t *ring,
		       struct err *err)
{
	struct session_slot *old = NULL;
	int ret;

	pthread_mutex_lock(&s->lock);
	for (*ring = 0; !old && *ring < s->nr_slots; *ring += !old)
		if (s->slots[*ring]->pub.cpu == cpu)
			old = s->slots[*ring];
	ret = reopen_locked(s, old, cpu, err);
	pthread_mutex_unlock(&s->lock);
	return ret;
}
