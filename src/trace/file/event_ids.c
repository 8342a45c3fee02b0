/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/file/event_ids.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/err.h"
#include "trace/file/ring_view.h"

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
