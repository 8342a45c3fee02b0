/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file/ring_view.h"
#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "perf/abi/aux_ring.h"

/* Rings can be replaced between planning and stop. */
enum { MOST_TRIES = 5 };

void snapshot_tracks_free(struct snapshot_tracks *tracks)
{
	free(tracks->rings);
	*tracks = (struct snapshot_tracks){ 0 };
}

void snapshot_free(struct snapshot *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_ring *r = &s->rings[i];

		snapshot_memory_put(s->from, r->trace, r->trace_room);
		snapshot_memory_put(s->from, r->memory, r->memory_room);
	}
	free(s->rings);
	*s = (struct snapshot){ 0 };
}

static bool asked_for(const size_t *rings, size_t nr, size_t ring)
{
	for (size_t i = 0; i < nr; i++)
		if (rings[i] == ring)
			return true;
	return nr == 0;
}

static bool has_trace(const struct session_ring *r)
{
	return r->aux.size && r->aux.overwrite;
}

static bool has_memory(const struct session_ring *r)
{
	return r->ring.page && r->ring.overwrite;
}

/* Fault in all pages before tracing is stopped. */
static void touch(const unsigned char *data, uint64_t size)
{
	for (uint64_t at = 0; at < size; at += sys_page_size())
		(void)*(const volatile unsigned char *)(data + at);
}

static uint64_t room_for_trace(const struct snapshot_from *from,
			       const struct session_ring *r)
{
	uint64_t most = from->trace ? from->trace->snapshot_bytes : 0;

	return most && most < r->aux.size ? most : r->aux.size;
}

/* Called under the view's lock: select the rings, and note their sizes. */
static int plan(const struct snapshot_from *from, const struct ring_view *view,
		const size_t *rings, size_t nr, struct snapshot *out)
{
	for (size_t i = 0; i < view->nr; i++) {
		const struct session_ring *r = view->rings[i];
		struct snapshot_ring *s = &out->rings[out->nr];

		if (!asked_for(rings, nr, i) ||
		    (!has_trace(r) && !has_memory(r)))
			continue;
		*s = (struct snapshot_ring){ .ring = i };
		ring_view_place(view, i, &s->cpu, &s->tid);
		if (has_trace(r)) {
			s->trace_room = room_for_trace(from, r);
			touch(r->aux.data, r->aux.size);
		}
		if (has_memory(r))
			s->memory_room = sys_page_size() + r->ring.size;
		out->nr++;
	}
	if (!out->nr)
		return -ENODATA;
	return array_fit_zero(from->tracks->rings, from->tracks->room,
			      view->nr);
}

static int get_memories(struct snapshot *s, struct err *err)
{
	uint64_t bytes = 0;
	bool failed = false;
	char size[16];

	for (size_t i = 0; i < s->nr; i++) {
		struct snapshot_ring *r = &s->rings[i];

		bytes += r->trace_room + r->memory_room;
		if (!failed && r->trace_room)
			failed = !(r->trace = snapshot_memory_get(
					   s->from, r->trace_room));
		if (!failed && r->memory_room)
			failed = !(r->memory = snapshot_memory_get(
					   s->from, r->memory_room));
	}
	if (!failed)
		return 0;
	return err_set(err, -ENOMEM,
		       "a copy of the rings takes %s: out of memory: use smaller rings (-m) or -S SIZE",
		       units_bytes(size, sizeof(size), (double)bytes));
}

/* Whether the memory allocated for the ring still fits it. */
static bool as_planned(const struct snapshot_from *from,
		       const struct snapshot_ring *s,
		       const struct session_ring *r)
{
	size_t trace = has_trace(r) ? room_for_trace(from, r) : 0;
	size_t memory = has_memory(r) ? sys_page_size() + r->ring.size : 0;

	return s->trace_room == trace && s->memory_room == memory;
}

static void copy_trace(const struct snapshot_from *from,
		       const struct session_ring *r, struct snapshot_ring *s)
{
	struct ring_track *track = &from->tracks->rings[s->ring];

	if (!s->trace_room)
		return;
	s->span = auxtrace_find(from->trace, ring_track_of(track, r), &r->aux);
	if (s->span.to - s->span.from > s->trace_room)
		s->span.from = s->span.to - s->trace_room;
	s->trace_len = auxtrace_copy(from->trace, &r->aux, s->span, s->trace);
}

/*
 * Records whose writing began before the pause are written over the oldest
 * ones: the head is read again after the copy.
 */
static void copy_memory(const struct session_ring *r, struct snapshot_ring *s)
{
	uint64_t head;

	if (!s->memory_room)
		return;
	head = __atomic_load_n(&r->ring.page->data_head, __ATOMIC_ACQUIRE);
	memcpy(s->memory + sys_page_size(), r->ring.data, r->ring.size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	s->newer = ring_head(&r->ring);
	ring_attach(&s->data, s->memory, r->ring.size, true);
	s->data.page->data_head = head;
}

static void pause_output(const struct snapshot_from *from,
			 const struct snapshot *s, bool on)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_ring *r = &s->rings[i];

		if (r->memory_room && !r->paused)
			session_held_pause(from->session, r->ring, on);
	}
}

static int copy_all(const struct snapshot_from *from,
		    const struct ring_view *view, struct snapshot *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!as_planned(from, &s->rings[i],
				view->rings[s->rings[i].ring]))
			return -EAGAIN;
	pause_output(from, s, true);
	for (size_t i = 0; i < s->nr; i++) {
		struct snapshot_ring *r = &s->rings[i];

		copy_trace(from, view->rings[r->ring], r);
		if (from->trace)
			from->trace->ops->snapshot_finish(from->session,
							  r->ring);
		copy_memory(view->rings[r->ring], r);
		s->bytes += r->trace_len + r->data.size;
	}
	pause_output(from, s, false);
	return 0;
}

/* Rings that are not part of the snapshot are not stopped. */
static bool *list_skipped(const struct ring_view *view,
			  const struct snapshot *s)
{
	bool *skip = calloc(view->nr_all, sizeof(*skip));

	if (!skip)
		return NULL;
	memset(skip, true, view->nr_all * sizeof(*skip));
	for (size_t i = 0; i < s->nr; i++)
		skip[s->rings[i].ring] = !s->rings[i].trace_room;
	return skip;
}

static int hold(const struct snapshot_from *from, const bool *skip,
		double *spread, struct err *err)
{
	if (from->trace)
		return from->trace->ops->snapshot_start(from->session, skip,
							spread, err);
	return session_aux_hold(from->session, skip, spread, err);
}

static int stop_and_copy(const struct snapshot_from *from,
			 const struct ring_view *view, struct snapshot *s,
			 struct err *err)
{
	struct perf_clock clock = session_clock(from->session);
	bool *skip = list_skipped(view, s);
	int ret;

	if (!skip)
		return err_set(err, -ENOMEM, "a snapshot: out of memory");
	s->time = perf_clock_now(&clock);
	s->at = sys_now();
	ret = hold(from, skip, &s->spread, err);
	free(skip);
	if (ret)
		return ret;
	ret = copy_all(from, view, s);
	session_aux_release(from->session);
	s->stopped = sys_now() - s->at;
	return ret;
}

static int plan_locked(const struct snapshot_from *from, struct ring_view *view,
		       const size_t *rings, size_t nr, struct snapshot *s,
		       struct err *err)
{
	int ret = ring_view_lock(view, err);

	if (ret)
		return ret;
	ret = plan(from, view, rings, nr, s);
	ring_view_unlock(view);
	if (ret == -ENODATA)
		err_set(err, ret,
			"none of these rings can be saved: choose AUX rings in snapshot mode or overwrite rings");
	else if (ret)
		err_set(err, ret, "a snapshot: out of memory");
	return ret;
}

static int make_plan(const struct snapshot_from *from, struct ring_view *view,
		     const size_t *rings, size_t nr, struct snapshot *s,
		     struct err *err)
{
	s->from = from->memory;
	s->rings = calloc(view->nr + 1, sizeof(*s->rings));
	if (!s->rings)
		return err_set(err, -ENOMEM, "a snapshot: out of memory");
	return plan_locked(from, view, rings, nr, s, err);
}

static int make_ready(const struct snapshot_from *from,
		      struct ring_view *view, const size_t *rings, size_t nr,
		      struct snapshot *s, struct err *err)
{
	int ret = make_plan(from, view, rings, nr, s, err);

	return ret ? ret : get_memories(s, err);
}

/* Memory that would not be kept need not be allocated. */
static void cut_plan(struct snapshot *s, uint64_t limit)
{
	uint64_t bytes = 0;
	size_t nr = 0;

	for (; nr < s->nr; nr++) {
		bytes += s->rings[nr].trace_room + s->rings[nr].memory_room;
		if (bytes > limit)
			break;
	}
	s->nr = nr;
}

int snapshot_prepare(const struct snapshot_from *from, struct err *err)
{
	struct snapshot s = { 0 };
	struct ring_view view;
	int ret = ring_view_open(&view, from->session, err);

	if (ret)
		return ret;
	ret = make_plan(from, &view, NULL, 0, &s, err);
	cut_plan(&s, from->memory->limit);
	if (!ret)
		ret = get_memories(&s, err);
	snapshot_free(&s);
	ring_view_close(&view);
	return ret;
}

static int try_take(const struct snapshot_from *from, struct ring_view *view,
		    const size_t *rings, size_t nr, struct snapshot *s,
		    struct err *err)
{
	int ret = make_ready(from, view, rings, nr, s, err);

	for (size_t i = 0; !ret && i < s->nr; i++)
		s->rings[i].paused = session_paused(from->session,
						    s->rings[i].ring);
	return ret ? ret : stop_and_copy(from, view, s, err);
}

int snapshot_take(const struct snapshot_from *from, const size_t *rings,
		  size_t nr, struct snapshot *out, struct err *err)
{
	struct ring_view view;
	int ret = ring_view_open(&view, from->session, err);

	*out = (struct snapshot){ 0 };
	if (ret)
		return ret;
	for (int i = 0; i < MOST_TRIES; i++) {
		ret = try_take(from, &view, rings, nr, out, err);
		if (ret)
			snapshot_free(out);
		if (ret != -EAGAIN)
			break;
		err_set(err, ret,
			"rings were replaced while they were copied: trying "
			"again");
	}
	ring_view_close(&view);
	return ret;
}
