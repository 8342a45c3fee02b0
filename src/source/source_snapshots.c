/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_snapshots.h"

#include "trace/snapshot/snapshot_thread.h"
#include "ring/request.h"

void source_snapshots_fill(const struct source_snapshots *from,
			   struct snapshot_opts *opts)
{
	opts->dir = from->dir ? from->dir : ".";
	opts->keep = from->keep;
	opts->every = from->every;
	opts->cooldown = from->cooldown > 0 ? from->cooldown :
					      SOURCE_SNAPSHOTS_COOLDOWN;
	opts->max_record = from->max_record;
	opts->history_bytes = from->history ? from->history :
					      SOURCE_SNAPSHOTS_HISTORY;
}

int source_snapshots_request(struct snapshot_thread *thread,
			     const struct request *rq, struct err *err)
{
	switch (rq->kind) {
	case REQUEST_SNAPSHOT:
		return snapshot_thread_take(thread, rq->rings, rq->nr_rings,
					    rq->text, rq->snapshot, err);
	case REQUEST_SNAPSHOT_CANCEL:
		return snapshot_thread_cancel(thread, rq->snapshot, err);
	default:
		break;
	}
	if (!rq->on)
		return snapshot_thread_record_end(thread, err);
	return snapshot_thread_record(thread, rq->text[0] ? rq->text : NULL,
				      err);
}
