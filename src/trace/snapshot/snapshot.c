/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/snapshot/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"
#include "perf/abi/aux_ring.h"

/* Rings can be replaced between planning and stop. */
enum { MAX_TRIES = 5, HUGE_PAGE = 2 << 20 };

#define NO_MEMORY "a snapshot: out of memory"

struct snapshot_spare {
	unsigned char *memory;
	size_t size;
};

/* Allocate and fault in all pages; huge pages if possible. */
static unsigned char *make_memory(size_t size)
{
	size_t page = sys_page_size();
	size_t align = size >= HUGE_PAGE ? HUGE_PAGE : page;
	size_t whole = size + -size % align;
	unsigned char *memory = aligned_alloc(align, whole);

	if (memory && align == HUGE_PAGE)
		madvise(memory, whole, MADV_HUGEPAGE);
	for (size_t at = 0; memory && at < size; at += page)
		*(volatile unsigned char *)(memory + at) = 0;
	return memory;
}

/* Uninitialized.  NULL: out of memory. */
static unsigned char *get_memory(struct snapshot_memory *m, size_t size)
{
	for (size_t i = 0; i < m->nr; i++) {
		unsigned char *memory = m->spares[i].memory;

		if (m->spares[i].size != size)
			continue;
		m->spares[i] = m->spares[--m->nr];
		m->bytes -= size;
		return memory;
	}
	return make_memory(size);
}

/* Keep or free it. */
static void put_memory(struct snapshot_memory *m, unsigned char *memory,
		       size_t size)
{
	struct snapshot_spare *spare = NULL;

	if (!memory)
		return;
	if (m->bytes + size <= m->limit)
		spare = array_add(m->spares, m->nr, m->room);
	if (!spare) {
		free(memory);
		return;
	}
	*spare = (struct snapshot_spare){ memory, size };
	m->bytes += size;
}

void snapshot_from_free(struct snapshot_from *from)
{
	struct snapshot_memory *m = &from->memory;

	for (size_t i = 0; i < m->nr; i++)
		free(m->spares[i].memory);
	free(m->spares);
	*m = (struct snapshot_memory){ 0 };
	free(from->tracks);
	from->tracks = NULL;
	from->tracks_cap = 0;
}

void snapshot_free(struct snapshot_from *from, struct snapshot *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_ring *r = &s->rings[i];

		put_memory(&from->memory, r->trace, r->trace_cap);
		put_memory(&from->memory, r->memory, r->memory_room);
	}
	free(s->rings);
	*s = (struct snapshot){ 0 };
}

/* Planning: which rings, and their sizes. */

static bool asked_for(const size_t *rings, size_t nr, size_t ring)
{
	for (size_t i = 0; i < nr; i++)
		if (rings[i] == ring)
			return true;
	return nr == 0;
}

static size_t trace_cap(const struct snapshot_from *from,
			const struct session_ring *r)
{
	uint64_t max = from->trace ? from->trace->snapshot_bytes : 0;

	if (!r->aux.overwrite)
		return 0;
	return max && max < r->aux.size ? max : r->aux.size;
}

static size_t memory_room(const struct session_ring *r)
{
	return r->ring.page && r->ring.overwrite ?
		       sys_page_size() + r->ring.size :
		       0;
}

/* Fault in all pages before tracing is stopped. */
static void touch(const unsigned char *data, uint64_t size)
{
	for (uint64_t at = 0; at < size; at += sys_page_size())
		(void)*(const volatile unsigned char *)(data + at);
}

/* Called under the view's lock. */
static int plan(struct snapshot_from *from, const struct ring_view *view,
		const size_t *rings, size_t nr, struct snapshot *out)
{
	for (size_t i = 0; i < view->nr; i++) {
		const struct session_ring *r = view->rings[i];
		struct snapshot_ring s = {
			.ring = i,
			.trace_cap = trace_cap(from, r),
			.memory_room = memory_room(r),
		};

		if (!asked_for(rings, nr, i) ||
		    (!s.trace_cap && !s.memory_room))
			continue;
		ring_place(view->session, view->rings[i], &s.cpu, &s.tid);
		if (s.trace_cap)
			touch(r->aux.data, r->aux.size);
		out->rings[out->nr++] = s;
	}
	if (!out->nr)
		return -ENODATA;
	return array_fit_zero(from->tracks, from->tracks_cap, view->nr);
}

static int make_plan(struct snapshot_from *from, struct ring_view *view,
		     const size_t *rings, size_t nr, struct snapshot *s,
		     struct err *err)
{
	int ret;

	s->rings = calloc(view->nr + 1, sizeof(*s->rings));
	if (!s->rings)
		return err_set(err, -ENOMEM, NO_MEMORY);
	ret = ring_view_lock(view, err);
	if (ret)
		return ret;
	ret = plan(from, view, rings, nr, s);
	ring_view_unlock(view);
	if (ret == -ENODATA)
		err_set(err, ret,
			"none of these rings can be saved: choose AUX rings in snapshot mode or overwrite rings");
	else if (ret)
		err_set(err, ret, NO_MEMORY);
	return ret;
}

static int get_memories(struct snapshot_from *from, struct snapshot *s,
			struct err *err)
{
	uint64_t bytes = 0;
	bool failed = false;
	char size[16];

	for (size_t i = 0; i < s->nr; i++) {
		struct snapshot_ring *r = &s->rings[i];

		bytes += r->trace_cap + r->memory_room;
		if (!failed && r->trace_cap)
			failed = !(r->trace = get_memory(&from->memory,
							 r->trace_cap));
		if (!failed && r->memory_room)
			failed = !(r->memory = get_memory(&from->memory,
							  r->memory_room));
	}
	if (!failed)
		return 0;
	return err_set(err, -ENOMEM,
		       "a copy of the rings takes %s: out of memory: use smaller rings (-m) or -S SIZE",
		       units_bytes(size, sizeof(size), (double)bytes));
}

/* Memory that would not be kept need not be allocated. */
static void cut_plan(struct snapshot *s, uint64_t limit)
{
	uint64_t bytes = 0;
	size_t nr = 0;

	for (; nr < s->nr; nr++) {
		bytes += s->rings[nr].trace_cap + s->rings[nr].memory_room;
		if (bytes > limit)
			break;
	}
	s->nr = nr;
}

int snapshot_prepare(struct snapshot_from *from, struct err *err)
{
	struct snapshot s = { 0 };
	struct ring_view view;
	int ret = ring_view_open(&view, from->session, err);

	if (ret)
		return ret;
	ret = make_plan(from, &view, NULL, 0, &s, err);
	cut_plan(&s, from->memory.limit);
	if (!ret)
		ret = get_memories(from, &s, err);
	snapshot_free(from, &s);
	ring_view_close(&view);
	return ret;
}

/* Copying, while tracing is stopped. */

static void copy_trace(const struct snapshot_from *from,
		       const struct session_ring *r, struct snapshot_ring *s)
{
	struct ring_track *track = &from->tracks[s->ring];

	if (!s->trace_cap)
		return;
	s->span = auxtrace_find(from->trace, ring_track_of(track, r), &r->aux);
	if (s->span.to - s->span.from > s->trace_cap)
		s->span.from = s->span.to - s->trace_cap;
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

/* -EAGAIN: the memory that was allocated does not fit the rings any more. */
static int copy_all(const struct snapshot_from *from,
		    const struct ring_view *view, struct snapshot *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct snapshot_ring *planned = &s->rings[i];
		const struct session_ring *r = view->rings[planned->ring];

		if (planned->trace_cap != trace_cap(from, r) ||
		    planned->memory_room != memory_room(r))
			return -EAGAIN;
	}
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
		skip[s->rings[i].ring] = !s->rings[i].trace_cap;
	return skip;
}

static int stop_and_copy(const struct snapshot_from *from,
			 const struct ring_view *view, struct snapshot *s,
			 struct err *err)
{
	struct perf_clock clock = session_clock(from->session);
	bool *skip = list_skipped(view, s);
	int ret;

	if (!skip)
		return err_set(err, -ENOMEM, NO_MEMORY);
	for (size_t i = 0; i < s->nr; i++)
		s->rings[i].paused = session_paused(from->session,
						    s->rings[i].ring);
	s->time = perf_clock_now(&clock);
	s->at = sys_now();
	if (from->trace)
		ret = from->trace->ops->snapshot_start(from->session, skip,
						       &s->spread, err);
	else
		ret = session_aux_hold(from->session, skip, &s->spread, err);
	free(skip);
	if (ret)
		return ret;
	ret = copy_all(from, view, s);
	session_aux_release(from->session);
	s->stopped = sys_now() - s->at;
	return ret;
}

int snapshot_take(struct snapshot_from *from, const size_t *rings, size_t nr,
		  struct snapshot *out, struct err *err)
{
	struct ring_view view;
	int ret = ring_view_open(&view, from->session, err);

	*out = (struct snapshot){ 0 };
	if (ret)
		return ret;
	for (int i = 0; i < MAX_TRIES; i++) {
		ret = make_plan(from, &view, rings, nr, out, err);
		if (!ret)
			ret = get_memories(from, out, err);
		if (!ret)
			ret = stop_and_copy(from, &view, out, err);
		if (ret)
			snapshot_free(from, out);
		if (ret != -EAGAIN)
			break;
		err_set(err, ret,
			"rings were replaced while they were copied: trying "
			"again");
	}
	ring_view_close(&view);
	return ret;
}
