/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a snapshot and the records needed to decode it to a file. */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_WRITE_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/snapshot/snapshot.h"
#include "trace/file/trace_file.h"

struct err;
struct snapshot_records;

struct snapshot_write_opts {
	struct trace_file_from from;
	const struct snapshot *snapshot;
	const struct snapshot_records *records;	/* changed in place */
	/*
	 * Called between pieces, with the bytes written so far; another result
	 * than 0 ends the writing (-ECANCELED).
	 */
	int (*progress)(void *ctx, uint64_t bytes);
	void *ctx;
};

struct snapshot_written {
	uint64_t bytes;
	size_t unread;		/* see trace_file_build_ids() */
};

/*
 * Write it to @path (@size bytes), which is set to the final name, as is
 * @beside: see trace_file_commit().  0, or -errno with @err and no file.
 */
int snapshot_write(const struct snapshot_write_opts *opts, char *path,
		   char *beside, size_t size, struct snapshot_written *written,
		   struct err *err);

#endif
