/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the files that a run writes, DIR/rbtop-YYYYmmdd-HHMMSS-NNN.data
 * in local time, and keeping no more than the newest of them.
 */
#ifndef RBTOP_TRACE_FILE_SNAPSHOT_FILES_H
#define RBTOP_TRACE_FILE_SNAPSHOT_FILES_H

#include <stddef.h>
#include <stdint.h>

struct err;

/* The name of number @number at @time, unix seconds.  0 or -errno with @err. */
int snapshot_files_name(const char *dir, double time, uint64_t number,
			char *path, size_t size, struct err *err);

/* What this run has written, oldest first.  Zeroed: nothing. */
struct snapshot_files {
	struct snapshot_file *files;
	size_t nr;
};

/*
 * There is one more, of number @number: @path, and @beside ("": none).  0 or
 * -ENOMEM.
 */
int snapshot_files_add(struct snapshot_files *files, uint64_t number,
		       const char *path, const char *beside);
/*
 * Remove the oldest until @keep are left (0: all stay).  Only what this run
 * wrote, and only if it still is that file: one that was replaced or renamed
 * is somebody's by now.  @removed gets the number of each that was.
 */
void snapshot_files_keep(struct snapshot_files *files, unsigned int keep,
			 void (*removed)(void *ctx, uint64_t number),
			 void *ctx);
void snapshot_files_free(struct snapshot_files *files);

#endif
