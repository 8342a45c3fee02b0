/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/hw_ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

/* The index of (@id, @cpu), or where to insert it. */
static size_t place_of(const struct hw_ids *ids, uint64_t id, uint32_t cpu)
{
	size_t low = 0, high = ids->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct hw_id *at = &ids->ids[mid];

		if (at->id < id || (at->id == id && at->cpu < cpu))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int make_room(struct hw_ids *ids)
{
	size_t room = ids->room ? 2 * ids->room : 16;
	struct hw_id *more;

	if (ids->nr < ids->room)
		return 0;
	if (ids->nr >= MOST)
		return -ENOMEM;
	more = reallocarray(ids->ids, room, sizeof(*more));
	if (!more)
		return -ENOMEM;
	ids->ids = more;
	ids->room = room;
	return 0;
}

int hw_ids_put(struct hw_ids *ids, const struct side_band *r,
	       const void *record)
{
	struct perf_event_header header;
	struct hw_id fresh = {
		.id = r->id,
		.cpu = r->cpu,
		.hw_id = r->hw_id.hw_id,
		.time = r->time,
	};
	size_t at;
	int ret;

	memcpy(&header, record, sizeof(header));
	if (header.size != HW_ID_RECORD)
		return -EINVAL;
	memcpy(fresh.record, record, HW_ID_RECORD);
	at = place_of(ids, fresh.id, fresh.cpu);
	if (at < ids->nr && ids->ids[at].id == fresh.id &&
	    ids->ids[at].cpu == fresh.cpu) {
		if (ids->ids[at].time <= fresh.time)
			ids->ids[at] = fresh;
		return 0;
	}
	ret = make_room(ids);
	if (ret)
		return ret;
	memmove(ids->ids + at + 1, ids->ids + at,
		(ids->nr - at) * sizeof(*ids->ids));
	ids->ids[at] = fresh;
	ids->nr++;
	return 0;
}

void hw_ids_free(struct hw_ids *ids)
{
	free(ids->ids);
	*ids = (struct hw_ids){ 0 };
}
