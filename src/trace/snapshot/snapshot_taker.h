/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the requested snapshots: allocates memory for all rings; stops tracing
 * in them; copies their contents; resumes tracing; drains the data rings, for
 * the records of the stop; then writes the file (see base/file/new_file.h).
 * Overwrite data rings are paused and copied during the same stop.
 *
 * Runs on the snapshot thread.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_TAKER_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_TAKER_H

#include "trace/file/snapshot_files.h"
#include "trace/snapshot/recorder.h"
#include "trace/snapshot/snapshot.h"
#include "trace/snapshot/snapshot_shared.h"

struct snapshot_taker {
	/* set by the owner; borrowed */
	struct snapshot_shared *shared;
	struct snapshot_queue *queue;
	struct recorder *recorder;	/* makes its passes between pieces of a
					 * file */
	struct snapshot_from from;	/* session and trace */

	struct snapshot_files files;
	double since;		/* time the events were enabled */
};

/*
 * Call when the events are enabled, at @since (CLOCK_MONOTONIC seconds):
 * allocates memory in advance, so that the first snapshot need not wait for it.
 */
void snapshot_taker_prepare(struct snapshot_taker *taker, double since);
/* Take the next snapshot of the queue, if any. */
void snapshot_taker_take(struct snapshot_taker *taker);
void snapshot_taker_free(struct snapshot_taker *taker);

#endif
