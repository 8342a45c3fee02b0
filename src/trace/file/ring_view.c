/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/ring_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"

/* Rings may be added between the listing and the lock, one for each CPU. */
size_t ring_view_max(struct session *session)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return session_nr_rings(session) + (cpus > 0 ? (size_t)cpus : 0) + 1;
}

int ring_view_open(struct ring_view *view, struct session *session,
		   struct err *err)
{
	*view = (struct ring_view){
		.session = session,
		.nr = session_nr_rings(session),
	};
	view->nr_all = ring_view_max(session);
	view->rings = calloc(view->nr + 1, sizeof(*view->rings));
	view->all = calloc(view->nr_all, sizeof(*view->all));
	if (!view->rings || !view->all) {
		ring_view_close(view);
		return err_set(err, -ENOMEM, "listing rings: out of memory");
	}
	memset(view->all, true, view->nr_all * sizeof(*view->all));
	for (size_t i = 0; i < view->nr; i++)
		view->rings[i] = session_ring(session, i);
	return 0;
}

void ring_view_close(struct ring_view *view)
{
	free(view->rings);
	free(view->all);
	*view = (struct ring_view){ 0 };
}

int ring_view_lock(struct ring_view *view, struct err *err)
{
	double spread;

	return session_aux_hold(view->session, view->all, &spread, err);
}

void ring_view_unlock(struct ring_view *view)
{
	session_aux_release(view->session);
}

void ring_place(const struct session *session, const struct session_ring *ring,
		int *cpu, int *tid)
{
	const struct target_map *map = session_target(session);

	*cpu = ring->cpu;
	*tid = ring->tid;
	/* a CPU's ring of several tasks gets the thread id of the first */
	if (ring->cpu >= 0 && ring->tid < 0 && map->nr_tids)
		*tid = map->tids[0];
}

struct auxtrace_track *ring_track_of(struct ring_track *track,
				     const struct session_ring *ring)
{
	uint64_t owner = ring->nr_events ? ring->events[0].id : 0;

	if (track->owner != owner)
		*track = (struct ring_track){ .owner = owner };
	return &track->track;
}

const struct event_id *event_ids_find(const struct event_ids *ids, uint64_t id)
{
	const struct table_entry *entry = table_find(&ids->by_id, id);

	return entry ? &ids->ids[entry->index] : NULL;
}

static int add(struct event_ids *ids, const struct event_id *id)
{
	if (event_ids_find(ids, id->id))
		return 0;
	if (array_fit(ids->ids, ids->room, ids->nr + 1) ||
	    table_add_index(&ids->by_id, id->id, ids->nr))
		return -ENOMEM;
	ids->ids[ids->nr++] = *id;
	return 0;
}

/* Called under the view's lock. */
static int add_ring(struct event_ids *ids, const struct session_ring *ring,
		    size_t index)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < ring->nr_events; i++) {
		const struct session_event *event = &ring->events[i];
		const struct event_id id = {
			.id = event->id,
			.spec = event->spec,
			.ring = (uint32_t)index,
			.cpu = ring->cpu,
			.tid = event->tid,
		};

		if (id.id)
			ret = add(ids, &id);
	}
	return ret;
}

int event_ids_refresh(struct event_ids *ids, struct session *session,
		      struct err *err)
{
	struct ring_view view;
	int ret = ring_view_open(&view, session, err);

	if (ret)
		return ret;
	ret = ring_view_lock(&view, err);
	if (!ret) {
		for (size_t i = 0; !ret && i < view.nr; i++)
			ret = add_ring(ids, view.rings[i], i);
		ring_view_unlock(&view);
		if (ret)
			err_set(err, ret, "listing events: out of memory");
	}
	ring_view_close(&view);
	return ret;
}

void event_ids_free(struct event_ids *ids)
{
	free(ids->ids);
	table_free(&ids->by_id);
	*ids = (struct event_ids){ 0 };
}
