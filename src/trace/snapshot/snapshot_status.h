/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the snapshot thread tells other threads: figures for screens and
 * exports, and lines for the log.  The lock is never held for long.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_STATUS_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_STATUS_H

#include <pthread.h>
#include <stdint.h>

#include "ring/log.h"
#include "ring/snapshots.h"

/* Called with each line for the log, on the snapshot thread; sanitizes it. */
typedef void snapshot_note_fn(void *ctx, enum log_kind kind, const char *text);

struct snapshot_status {
	pthread_mutex_t lock;	/* of @now */
	struct snapshots now;
	snapshot_note_fn *note;	/* NULL: there is no log */
	void *ctx;
};

void snapshot_status_init(struct snapshot_status *s, snapshot_note_fn *note,
			  void *ctx);
void snapshot_status_destroy(struct snapshot_status *s);

/* Lock the figures, which the caller may change until it unlocks them. */
struct snapshots *snapshot_status_lock(struct snapshot_status *s);
void snapshot_status_unlock(struct snapshot_status *s);

void snapshot_status_copy(struct snapshot_status *s, struct snapshots *out);
/* The number of the latest snapshot that has ended, however; 0: none has. */
uint64_t snapshot_status_ended(struct snapshot_status *s);

void snapshot_status_note(const struct snapshot_status *s, enum log_kind kind,
			  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
