/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task/hw_ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MAX_IDS = 1 << 16 };

/* The index of (@id, @cpu), or the index at which to insert it. */
static size_t index_of(const struct hw_ids *ids, uint64_t id, uint32_t cpu)
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
	struct hw_id *entry;
	size_t at;

	memcpy(&header, record, sizeof(header));
	if (header.size != HW_ID_RECORD)
		return -EINVAL;
	memcpy(fresh.record, record, HW_ID_RECORD);
	at = index_of(ids, fresh.id, fresh.cpu);
	if (at < ids->nr && ids->ids[at].id == fresh.id &&
	    ids->ids[at].cpu == fresh.cpu) {
		if (ids->ids[at].time <= fresh.time)
			ids->ids[at] = fresh;
		return 0;
	}
	entry = array_insert_max(ids->ids, ids->nr, ids->cap, at, MAX_IDS);
	if (!entry)
		return -ENOMEM;
	*entry = fresh;
	return 0;
}

void hw_ids_free(struct hw_ids *ids)
{
	free(ids->ids);
	*ids = (struct hw_ids){ 0 };
}
