/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the snapshots that were asked for, from the stop to the file: memory
 * for all rings is made ready; tracing is stopped in all of them; what they
 * hold is copied; tracing goes on; the data rings are drained, for the records
 * of the stop; then all is written (see base/file/new_file.h).  Overwrite data
 * rings are paused and copied in the same stop.
 *
 * All of it on the snapshot thread.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_TAKER_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_TAKER_H

#include "trace/snapshot/snapshot.h"
#include "trace/file/snapshot_files.h"
#include "trace/snapshot/snapshot_opts.h"
#include "trace/snapshot/snapshot_queue.h"

struct snapshot_taker {
	/* set by the owner; borrowed */
	const struct snapshot_opts *opts;
	struct event_ids *ids;
	struct snapshot_queue *queue;
	struct snapshot_status *status;
	/* called between pieces of a file */
	void (*between)(void *ctx);
	void *ctx;

	struct snapshot_tracks tracks;
	struct snapshot_memory memory;
	struct snapshot_files files;
	double since;		/* when the events were enabled */
};

/*
 * The events are enabled, since the moment @since (CLOCK_MONOTONIC seconds):
 * make ready what the first snapshot would have to wait for.
 */
void snapshot_taker_prepare(struct snapshot_taker *taker, double since);
/* Take the snapshot that is next in the queue, if any. */
void snapshot_taker_take(struct snapshot_taker *taker);
void snapshot_taker_free(struct snapshot_taker *taker);

#endif
