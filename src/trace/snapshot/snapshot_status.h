/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the snapshot thread publishes: figures for screens and exports, and
 * lines for the log.  The lock is never held for long.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_STATUS_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_STATUS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "ring/log.h"
#include "ring/snapshots.h"

/* Called with each log line, on the snapshot thread; must sanitize it. */
typedef void snapshot_note_fn(void *ctx, enum log_kind kind, const char *text);

struct snapshot_status {
	pthread_mutex_t lock;	/* of @now */
	struct snapshots now;
	snapshot_note_fn *note;	/* NULL: no log */
	void *ctx;
};

void snapshot_status_init(struct snapshot_status *s, snapshot_note_fn *note,
			  void *ctx);
void snapshot_status_destroy(struct snapshot_status *s);

/* Lock the figures; the caller may change them until it unlocks them. */
struct snapshots *snapshot_status_lock(struct snapshot_status *s);
void snapshot_status_unlock(struct snapshot_status *s);

void snapshot_status_copy(struct snapshot_status *s, struct snapshots *out);
/* The latest snapshot that was taken, failed or cancelled; 0: none. */
uint64_t snapshot_status_ended(struct snapshot_status *s);

void snapshot_status_note(const struct snapshot_status *s, enum log_kind kind,
			  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* If not 0, @nr files have no build-ids in @path: see trace_file_build_ids(). */
void snapshot_status_note_unread(const struct snapshot_status *s,
				 const char *path, size_t nr);

#endif
