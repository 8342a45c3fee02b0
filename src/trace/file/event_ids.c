/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/event_ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file/ring_view.h"
#include "base/err.h"

/* Where @id stands among those sorted, or would. */
static size_t place_of(const struct event_ids *ids, uint64_t id)
{
	size_t low = 0, high = ids->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (ids->ids[ids->sorted[mid]].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct event_id *event_ids_find(const struct event_ids *ids, uint64_t id)
{
	size_t at = place_of(ids, id);
	const struct event_id *found;

	if (at == ids->nr)
		return NULL;
	found = &ids->ids[ids->sorted[at]];
	return found->id == id ? found : NULL;
}

static int make_room(struct event_ids *ids)
{
	size_t room = ids->room ? 2 * ids->room : 64;
	struct event_id *more;
	uint32_t *sorted;

	if (ids->nr < ids->room)
		return 0;
	more = reallocarray(ids->ids, room, sizeof(*more));
	if (!more)
		return -ENOMEM;
	ids->ids = more;
	sorted = reallocarray(ids->sorted, room, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	ids->sorted = sorted;
	ids->room = room;
	return 0;
}

static int add(struct event_ids *ids, const struct event_id *id)
{
	size_t at = place_of(ids, id->id);
	int ret;

	if (at < ids->nr && ids->ids[ids->sorted[at]].id == id->id)
		return 0;
	ret = make_room(ids);
	if (ret)
		return ret;
	memmove(ids->sorted + at + 1, ids->sorted + at,
		(ids->nr - at) * sizeof(*ids->sorted));
	ids->sorted[at] = (uint32_t)ids->nr;
	ids->ids[ids->nr++] = *id;
	return 0;
}

/* Under the view's lock. */
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
	free(ids->sorted);
	*ids = (struct event_ids){ 0 };
}
