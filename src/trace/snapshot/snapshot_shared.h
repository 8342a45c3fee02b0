/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the snapshot thread share: its options, and what it
 * publishes, figures for screens and exports and lines for the log.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_SHARED_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_SHARED_H

#include <pthread.h>

#include "ring/reading.h"
#include "trace/file/ring_view.h"
#include "trace/file/trace_file.h"
#include "trace/snapshot/snapshot_thread.h"

struct snapshot_shared {
	struct snapshot_opts opts;
	struct event_ids ids;	/* used by the thread only */
	pthread_mutex_t lock;	/* of @now; never held for long */
	struct snapshots now;
};

/* Whether there are rings that can be copied; false with @err. */
bool snapshot_shared_can_take(const struct snapshot_shared *s, struct err *err);
/* Input for files. */
struct trace_file_from snapshot_shared_from(struct snapshot_shared *s);

/* Lock the figures; the caller may change them until it unlocks them. */
struct snapshots *snapshot_shared_lock(struct snapshot_shared *s);
void snapshot_shared_unlock(struct snapshot_shared *s);

void snapshot_shared_note(const struct snapshot_shared *s, enum log_kind kind,
			  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* If not 0, @nr files have no build-ids in @path: see trace_file_build_ids(). */
void snapshot_shared_note_unread(const struct snapshot_shared *s,
				 const char *path, size_t nr);

#endif
