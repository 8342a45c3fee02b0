/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/session/session_slot_open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "perf/session/session_aux.h"
#include "perf/session/session_error.h"
#include "perf/session/session_slot.h"
#include "perf/session/session_specs.h"

static struct session_place slot_place(const struct session_slot *slot)
{
	return (struct session_place){ slot->pub.tid, slot->pub.cpu };
}

/*
 * If the kernel's attr is shorter than ours, and a bit is set beyond it, the
 * kernel writes its own size to attr->size: try again with that.
 */
static int open_sized(struct perf_event_attr *attr, pid_t tid, int cpu,
		      int group, unsigned long flags)
{
	int fd = sys_perf_event_open(attr, tid, cpu, group, flags);

	if (fd == -E2BIG && attr->size && attr->size < sizeof(*attr))
		fd = sys_perf_event_open(attr, tid, cpu, group, flags);
	attr->size = sizeof(*attr);
	return fd;
}

/*
 * Omit features that the kernel does not have, one after another: it returns
 * only EINVAL, whatever the reason, and another reason remains until the end.
 */
static int open_known(struct session *s, struct session_place place,
		      uint64_t bytes, struct perf_event_attr *attr)
{
	int fd;

	for (unsigned int newer = 1;; newer <<= 1) {
		session_specs_side_band(s, place, bytes, attr);
		fd = open_sized(attr, place.tid, place.cpu, -1, 0);
		if (fd != -EINVAL || newer > SESSION_NEWER_ALL)
			return fd;
		s->missing |= newer;
	}
}

/*
 * text_poke may need the right to sample the kernel, which the rest does not
 * (kernel/events/core.c, perf_event_open).
 */
static int open_dummy(struct session *s, struct session_place place,
		      uint64_t bytes, struct perf_event_attr *attr)
{
	unsigned int had = s->missing;
	int fd = open_known(s, place, bytes, attr);

	if ((fd == -EACCES || fd == -EPERM) && attr->text_poke) {
		s->missing |= SESSION_NEWER_TEXT_POKE;
		fd = open_known(s, place, bytes, attr);
	}
	if (fd < 0)
		s->missing = had;
	return fd;
}

/* PERF_EVENT_IOC_ID; 0 if it fails. */
static uint64_t event_id(int fd)
{
	uint64_t id = 0;

	if (sys_perf_ioctl(fd, PERF_EVENT_IOC_ID, (unsigned long)&id))
		return 0;
	return id;
}

int session_slot_open_side_band(struct session *s, struct session_place place,
				uint64_t bytes, struct session_event *event,
				struct err *err)
{
	struct perf_event_attr attr;
	int fd = open_dummy(s, place, bytes, &attr);

	if (fd < 0)
		return session_error_open(s, fd, "the side-band", &attr, place,
					  err);
	*event = (struct session_event){
		.spec = SESSION_SIDE_BAND,
		.tid = place.tid,
		.id = event_id(fd),
		.fd = fd,
	};
	return 0;
}

int session_slot_map(struct session *s, const struct session_event *owner,
		     int cpu, uint64_t bytes, struct ring *ring,
		     struct err *err)
{
	struct session_place place = { owner->tid, cpu };
	int ret = ring_map(ring, owner->fd, bytes, s->opts.overwrite);

	if (ret)
		return session_error_map(s, ret, bytes, place, err);
	return session_specs_watermark(s, bytes, &ring->watermark, err);
}

/*
 * Without the right to sample the kernel, sample only user space, as perf does.
 * False if that does not help.
 */
static bool leave_out_kernel(struct session *s, struct session_spec *spec,
			     int code)
{
	size_t len = strlen(spec->name);
	struct session_paranoid paranoid;

	if ((code != -EACCES && code != -EPERM) || spec->attr.exclude_kernel ||
	    spec->attr.exclude_user ||
	    spec->attr.type == PERF_TYPE_TRACEPOINT ||
	    len + 3 > sizeof(spec->name))
		return false;
	paranoid = session_paranoid();
	if (paranoid.level <= 1 || paranoid.refuses_all)
		return false;
	spec->attr.exclude_kernel = 1;
	spec->attr.exclude_hv = 1;
	strcpy(spec->name + len, strchr(spec->name, ':') ? "u" : ":u");
	session_notice_add(s,
			   "%s: user space only, since kernel.perf_event_paranoid is %d",
			   spec->name, paranoid.level);
	return true;
}

/* A fd, or -errno. */
static int open_spec(struct session *s, struct session_spec *spec,
		     struct session_place place, int group)
{
	struct perf_event_attr attr = spec->attr;
	unsigned long flags = 0;

	if (!(s->missing & SESSION_NEWER_LOST))
		attr.read_format |= PERF_FORMAT_LOST;
	if (spec->cgroup >= 0) {
		place.tid = spec->cgroup;
		flags = PERF_FLAG_PID_CGROUP;
	}
	/* a member starts with its leader */
	if (group < 0) {
		attr.disabled = 1;
		attr.enable_on_exec = s->opts.enable_on_exec;
	}
	return open_sized(&attr, place.tid, place.cpu, group, flags);
}

static struct session_event *slot_push(struct session_slot *slot,
				       const struct session_event *event)
{
	struct session_ring *ring = &slot->pub;
	struct session_event *added;

	if (array_fit(slot->base, slot->room_base, ring->nr_events + 1))
		return NULL;
	slot->base[ring->nr_events] = (struct session_count){ 0 };
	added = array_add(ring->events, ring->nr_events, ring->room_events);
	if (added)
		*added = *event;
	return added;
}

/* Add @event, and redirect it to the ring; closes it on failure. */
static int adopt_event(const struct session *s, struct session_slot *slot,
		       const struct session_event *event, struct err *err)
{
	int ret = 0;

	if (slot->pub.nr_events)
		ret = sys_perf_ioctl(event->fd, PERF_EVENT_IOC_SET_OUTPUT,
				     (unsigned long)slot->pub.events[0].fd);
	if (ret)
		ret = session_error_redirect(s, ret, slot_place(slot), err);
	else if (!slot_push(slot, event))
		ret = err_set(err, -ENOMEM, "opening events: out of memory");
	if (ret)
		sys_close(event->fd);
	return ret;
}

static int leader_fd(const struct session *s, const struct session_slot *slot,
		     size_t spec, pid_t tid)
{
	size_t leader = s->opts.events.specs[spec].leader;

	for (size_t i = 0; leader != spec && i < slot->pub.nr_events; i++) {
		const struct session_event *event = &slot->pub.events[i];

		if (event->spec == leader && event->tid == tid)
			return event->fd;
	}
	return -1;
}

static int open_event(struct session *s, const struct session_slot *slot,
		      size_t i, pid_t tid, struct session_event *event,
		      struct err *err)
{
	struct session_place place = { tid, slot->pub.cpu };
	struct session_spec *spec = &s->specs[i];
	int group = leader_fd(s, slot, i, tid);
	int fd = open_spec(s, spec, place, group);

	if (fd < 0 && leave_out_kernel(s, spec, fd))
		fd = open_spec(s, spec, place, group);
	if (fd < 0)
		return session_error_open(s, fd, spec->name, &spec->attr,
					  place, err);
	*event = (struct session_event){
		.spec = i,
		.tid = tid,
		.id = event_id(fd),
		.fd = fd,
	};
	return 0;
}

/*
 * Open one of opts.events, or the side-band of @tid, unless it owns the ring.
 */
static int add_event(struct session *s, struct session_slot *slot, size_t i,
		     pid_t tid, struct err *err)
{
	const struct session_event *owner = &slot->pub.events[0];
	struct session_place place = { tid, slot->pub.cpu };
	struct session_event event;
	int ret;

	if (owner->spec == i && owner->tid == tid)
		return 0;
	if (i == SESSION_SIDE_BAND)
		ret = session_slot_open_side_band(s, place, s->ring_bytes,
						  &event, err);
	else
		ret = open_event(s, slot, i, tid, &event, err);
	return ret ? ret : adopt_event(s, slot, &event, err);
}

/* Not for lack of memory or files, nor because the task has ended. */
static bool is_refusal(int code)
{
	return code == -EACCES || code == -EPERM || code == -EINVAL ||
	       code == -EOPNOTSUPP || code == -ENOENT || code == -ENODEV ||
	       code == -EBUSY || code == -EINTR;
}

/*
 * Some tracepoints cannot be sampled, or not by every user: the others of a
 * glob are kept.  If none is left, the error of the last one is returned.
 */
static bool leave_out(struct session *s, size_t i, int code)
{
	if (!s->opts.events.specs[i].wild || session_slot_is_open(s, i) ||
	    !is_refusal(code) || s->nr_left_out + 1 == s->opts.events.nr)
		return false;
	s->specs[i].left_out = true;
	if (s->nr_left_out++ == 0)
		s->left_out_for = code;
	return true;
}

static int add_spec(struct session *s, struct session_slot *slot, size_t i,
		    pid_t tid, struct err *err)
{
	int ret;

	if (s->specs[i].left_out ||
	    !session_counts_on(&s->opts.events.specs[i], slot->pub.cpu))
		return 0;
	ret = add_event(s, slot, i, tid, err);
	return ret && leave_out(s, i, ret) ? 0 : ret;
}

/* The events of one task (or, with tid -1, of the CPU). */
static int open_events(struct session *s, struct session_slot *slot, pid_t tid,
		       struct err *err)
{
	int ret = add_event(s, slot, SESSION_SIDE_BAND, tid, err);

	for (size_t i = 0; !ret && i < s->opts.events.nr; i++)
		ret = add_spec(s, slot, i, tid, err);
	return ret;
}

static bool follows(const struct session *s, const struct session_slot *slot,
		    size_t tid_index)
{
	return !s->tid_gone[tid_index] &&
	       (slot->pub.tid < 0 || slot->pub.tid == s->map.tids[tid_index]);
}

/*
 * If a thread ends while its process is opened, that is not a failure, as long
 * as one thread is left.
 */
static int open_tasks(struct session *s, struct session_slot *slot,
		      struct err *err)
{
	size_t opened = 0;
	int ret = 0;

	for (size_t i = 0; i < s->map.nr_tids; i++) {
		if (!follows(s, slot, i))
			continue;
		ret = open_events(s, slot, s->map.tids[i], err);
		if (ret && ret != -ESRCH)
			return ret;
		s->tid_gone[i] = ret == -ESRCH;
		opened += ret == 0;
	}
	return opened ? 0 : ret;
}

/* Open the event that traces there, else a dummy. */
static int open_owner_on(struct session *s, const struct session_slot *slot,
			 pid_t tid, struct session_event *event,
			 struct err *err)
{
	struct session_place place = { tid, slot->pub.cpu };
	size_t spec = slot->pub.elsewhere ? SESSION_SIDE_BAND :
					    session_aux_spec(s, slot->pub.cpu);

	if (spec == SESSION_SIDE_BAND)
		return session_slot_open_side_band(s, place, s->ring_bytes,
						   event, err);
	session_specs_owner(s, s->ring_bytes, &s->specs[spec].attr);
	return open_event(s, slot, spec, tid, event, err);
}

static int open_owner(struct session *s, struct session_slot *slot,
		      struct err *err)
{
	struct session_event event;
	int ret = -ESRCH;

	if (!s->owner_on_task) {
		ret = open_owner_on(s, slot, slot->pub.tid, &event, err);
		return ret ? ret : adopt_event(s, slot, &event, err);
	}
	for (size_t i = 0; ret == -ESRCH && i < s->map.nr_tids; i++) {
		if (!follows(s, slot, i))
			continue;
		ret = open_owner_on(s, slot, s->map.tids[i], &event, err);
		s->tid_gone[i] = ret == -ESRCH;
	}
	return ret ? ret : adopt_event(s, slot, &event, err);
}

int session_slot_open(struct session *s, struct session_slot *slot,
		      struct err *err)
{
	int ret = open_owner(s, slot, err);

	if (!ret)
		ret = session_slot_map(s, &slot->pub.events[0], slot->pub.cpu,
				       s->ring_bytes, &slot->pub.ring, err);
	return ret ? ret : session_aux_map(s, slot, err);
}

int session_slot_fill(struct session *s, struct session_slot *slot,
		      struct err *err)
{
	if (slot->pub.elsewhere)
		return 0;
	return target_by_task(&s->opts.target) ? open_tasks(s, slot, err) :
						 open_events(s, slot, -1, err);
}
