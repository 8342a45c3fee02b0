/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slots of a session: each has a ring and the events that write to it. */
#include "perf/session/session_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"

/*
 * The ring of a CPU that is not selected holds about 600 records of tasks and
 * mappings; the reader is woken after 300.
 */
enum { SIDE_BAND_ONLY_BYTES = 64 << 10 };

bool session_slot_is_side_band_only(const struct session *s, int cpu)
{
	return s->opts.side_band_all_cpus && cpu >= 0 &&
	       s->opts.target.mode == TARGET_CPUS &&
	       !cpulist_has(&s->map.cpus, cpu);
}

struct session_slot *session_slot_add(struct session *s, int cpu, pid_t tid)
{
	struct session_slot *slot = calloc(1, sizeof(*slot));
	struct session_slot **added;

	if (!slot)
		return NULL;
	slot->pub.cpu = cpu;
	slot->pub.tid = tid;
	slot->pub.ring.fd = -1;
	slot->pub.side_band_only = session_slot_is_side_band_only(s, cpu);
	added = array_add(s->slots, s->nr_slots, s->slots_cap);
	if (!added) {
		free(slot);
		return NULL;
	}
	*added = slot;
	return slot;
}

bool session_slot_is_open(const struct session *s, size_t spec)
{
	for (size_t i = 0; i < s->nr_slots; i++) {
		const struct session_ring *ring = &s->slots[i]->pub;

		for (size_t k = 0; k < ring->nr_events; k++)
			if (ring->events[k].spec == spec)
				return true;
	}
	return false;
}

void session_slot_close(struct session_slot *slot)
{
	aux_ring_unmap(&slot->pub.aux);
	ring_unmap(&slot->pub.ring);
	/* members before their leader, all before the owner of their ring */
	for (size_t i = slot->pub.nr_events; i-- > 0;)
		sys_close(slot->pub.events[i].fd);
	slot->pub.nr_events = 0;
}

void session_slot_free(struct session_slot *slot)
{
	session_slot_close(slot);
	free(slot->pub.events);
	free(slot->base);
	free(slot);
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
static int open_known(struct session *s, struct session_scope scope,
		      uint64_t bytes, struct perf_event_attr *attr)
{
	int fd;

	for (unsigned int newer = 1;; newer <<= 1) {
		session_specs_side_band(s, scope, bytes, attr);
		fd = open_sized(attr, scope.tid, scope.cpu, -1, 0);
		if (fd != -EINVAL || newer > SESSION_NEWER_ALL)
			return fd;
		s->missing |= newer;
	}
}

/*
 * text_poke may need the right to sample the kernel, which the rest does not
 * (kernel/events/core.c, perf_event_open).
 */
static int open_dummy(struct session *s, struct session_scope scope,
		      uint64_t bytes, struct perf_event_attr *attr)
{
	unsigned int had = s->missing;
	int fd = open_known(s, scope, bytes, attr);

	if ((fd == -EACCES || fd == -EPERM) && attr->text_poke) {
		s->missing |= SESSION_NEWER_TEXT_POKE;
		fd = open_known(s, scope, bytes, attr);
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

int session_slot_open_side_band(struct session *s, struct session_scope scope,
				uint64_t bytes, struct session_event *event,
				struct err *err)
{
	struct perf_event_attr attr;
	int fd = open_dummy(s, scope, bytes, &attr);

	if (fd < 0)
		return session_error_open(s, fd, "the side-band", &attr, scope,
					  err);
	*event = (struct session_event){
		.spec = SESSION_SIDE_BAND,
		.tid = scope.tid,
		.id = event_id(fd),
		.fd = fd,
	};
	return 0;
}

int session_slot_map(struct session *s, const struct session_event *owner,
		     int cpu, uint64_t bytes, struct ring *ring,
		     struct err *err)
{
	struct session_scope scope = { owner->tid, cpu };
	int ret = ring_map(ring, owner->fd, bytes, s->opts.overwrite);

	if (ret)
		return session_error_map(s, ret, bytes, scope, err);
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
	if (!strstr(s->notice, "user space only"))
		session_notice_add(s, "%s: user space only, as are other events "
				   "with u, since kernel.perf_event_paranoid "
				   "is %d", spec->name, paranoid.level);
	return true;
}

/* A fd, or -errno. */
static int open_spec(struct session *s, struct session_spec *spec,
		     struct session_scope scope, int group)
{
	struct perf_event_attr attr = spec->attr;
	unsigned long flags = 0;

	if (!(s->missing & SESSION_NEWER_LOST))
		attr.read_format |= PERF_FORMAT_LOST;
	if (spec->cgroup >= 0) {
		scope.tid = spec->cgroup;
		flags = PERF_FLAG_PID_CGROUP;
	}
	/* a member starts with its leader */
	if (group < 0) {
		attr.disabled = 1;
		attr.enable_on_exec = s->opts.enable_on_exec;
	}
	return open_sized(&attr, scope.tid, scope.cpu, group, flags);
}

/* Add @event, and redirect it to the ring; closes it on failure. */
static int adopt_event(const struct session *s, struct session_slot *slot,
		       const struct session_event *event, struct err *err)
{
	struct session_ring *ring = &slot->pub;
	struct session_scope scope = { ring->tid, ring->cpu };
	struct session_event *added = NULL;
	int ret = 0;

	if (ring->nr_events)
		ret = sys_perf_ioctl(event->fd, PERF_EVENT_IOC_SET_OUTPUT,
				     (unsigned long)ring->events[0].fd);
	if (ret) {
		sys_close(event->fd);
		return session_error_redirect(s, ret, scope, err);
	}
	if (!array_fit(slot->base, slot->base_cap, ring->nr_events + 1))
		added = array_add(ring->events, ring->nr_events,
				  ring->events_cap);
	if (!added) {
		sys_close(event->fd);
		return err_set(err, -ENOMEM, "opening events: out of memory");
	}
	*added = *event;
	slot->base[ring->nr_events - 1] = (struct session_count){ 0 };
	return 0;
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
	struct session_scope scope = { tid, slot->pub.cpu };
	struct session_spec *spec = &s->specs[i];
	int group = leader_fd(s, slot, i, tid);
	int fd = open_spec(s, spec, scope, group);

	if (fd < 0 && leave_out_kernel(s, spec, fd))
		fd = open_spec(s, spec, scope, group);
	if (fd < 0)
		return session_error_open(s, fd, spec->name, &spec->attr, scope,
					  err);
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
	struct session_scope scope = { tid, slot->pub.cpu };
	struct session_event event;
	int ret;

	if (owner->spec == i && owner->tid == tid)
		return 0;
	if (i == SESSION_SIDE_BAND)
		ret = session_slot_open_side_band(s, scope, s->ring_bytes,
						  &event, err);
	else
		ret = open_event(s, slot, i, tid, &event, err);
	return ret ? ret : adopt_event(s, slot, &event, err);
}

/*
 * Some tracepoints cannot be sampled, or not by every user: the others of a
 * glob are kept.  If none is left, the error of the last one is returned.
 */
static bool leave_out(struct session *s, size_t i, int code)
{
	/* not for lack of memory or files, nor because the task has ended */
	bool refused = code == -EACCES || code == -EPERM || code == -EINVAL ||
		       code == -EOPNOTSUPP || code == -ENOENT ||
		       code == -ENODEV || code == -EBUSY || code == -EINTR;

	if (!s->opts.events.specs[i].wild || session_slot_is_open(s, i) ||
	    !refused || s->nr_left_out + 1 == s->opts.events.nr)
		return false;
	s->specs[i].left_out = true;
	if (s->nr_left_out++ == 0)
		s->left_out_for = code;
	return true;
}

/* The events of one task (or, with tid -1, of the CPU). */
static int open_events(struct session *s, struct session_slot *slot, pid_t tid,
		       struct err *err)
{
	int ret = add_event(s, slot, SESSION_SIDE_BAND, tid, err);

	for (size_t i = 0; !ret && i < s->opts.events.nr; i++) {
		if (s->specs[i].left_out ||
		    !session_specs_count_on(&s->opts.events.specs[i],
					    slot->pub.cpu))
			continue;
		ret = add_event(s, slot, i, tid, err);
		if (ret && leave_out(s, i, ret))
			ret = 0;
	}
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
static int open_owner_of(struct session *s, struct session_slot *slot,
			 pid_t tid, struct err *err)
{
	struct session_scope scope = { tid, slot->pub.cpu };
	size_t spec = slot->pub.side_band_only ?
			      SESSION_SIDE_BAND :
			      session_specs_tracing(s, slot->pub.cpu);
	struct session_event event;
	int ret;

	if (spec == SESSION_SIDE_BAND) {
		ret = session_slot_open_side_band(s, scope, s->ring_bytes,
						  &event, err);
	} else {
		session_specs_owner(s, s->ring_bytes, &s->specs[spec].attr);
		ret = open_event(s, slot, spec, tid, &event, err);
	}
	return ret ? ret : adopt_event(s, slot, &event, err);
}

static int open_owner(struct session *s, struct session_slot *slot,
		      struct err *err)
{
	int ret = -ESRCH;

	if (!s->owner_on_task)
		return open_owner_of(s, slot, slot->pub.tid, err);
	for (size_t i = 0; ret == -ESRCH && i < s->map.nr_tids; i++) {
		if (!follows(s, slot, i))
			continue;
		ret = open_owner_of(s, slot, s->map.tids[i], err);
		s->tid_gone[i] = ret == -ESRCH;
	}
	return ret;
}

/* Map the AUX ring of a ring whose owner traces. */
static int map_aux(const struct session *s, struct session_slot *slot,
		   struct err *err)
{
	const struct session_event *owner = &slot->pub.events[0];
	struct session_scope scope = { owner->tid, slot->pub.cpu };
	struct aux_ring *aux = &slot->pub.aux;
	uint64_t mark;
	int ret;

	if (owner->spec == SESSION_SIDE_BAND)
		return 0;
	ret = aux_ring_map(aux, &slot->pub.ring, s->opts.aux_bytes,
			   s->opts.aux_overwrite);
	if (ret)
		return session_error_map_aux(s, ret, scope, err);
	mark = s->specs[owner->spec].attr.aux_watermark;
	if (mark && !aux->overwrite)
		aux->watermark = mark;
	return 0;
}

int session_slot_open(struct session *s, struct session_slot *slot,
		      struct err *err)
{
	const struct session_opts opts = s->opts;
	uint64_t bytes = s->ring_bytes;
	int ret;

	/*
	 * The size and watermark of the options are for the selected rings only.
	 * The others are drained even if those are overwrite rings.
	 */
	if (slot->pub.side_band_only) {
		s->ring_bytes = MAX(SIDE_BAND_ONLY_BYTES, sys_page_size());
		s->opts.watermark = 0;
		s->opts.watermark_ratio = 0;
		s->opts.switch_events = false;
		s->opts.overwrite = false;
	}
	ret = open_owner(s, slot, err);
	if (!ret)
		ret = session_slot_map(s, &slot->pub.events[0], slot->pub.cpu,
				       s->ring_bytes, &slot->pub.ring, err);
	s->opts = opts;
	s->ring_bytes = bytes;
	return ret ? ret : map_aux(s, slot, err);
}

int session_slot_fill(struct session *s, struct session_slot *slot,
		      struct err *err)
{
	if (slot->pub.side_band_only)
		return 0;
	return target_by_task(&s->opts.target) ? open_tasks(s, slot, err) :
						 open_events(s, slot, -1, err);
}
