/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the files that a run writes, DIR/rbtop-YYYYmmdd-HHMMSS-NNN.data in
 * local time, and deletion of the oldest of them.
 */
#ifndef RBTOP_TRACE_FILE_SNAPSHOT_FILES_H
#define RBTOP_TRACE_FILE_SNAPSHOT_FILES_H

#include <stddef.h>
#include <stdint.h>

struct err;

/* The name of file @number at @time, unix seconds.  0 or -errno with @err. */
int snapshot_files_name(const char *dir, double time, uint64_t number,
			char *path, size_t size, struct err *err);

/* The files written by this run, oldest first.  Zeroed: none. */
struct snapshot_files {
	struct snapshot_file *files;
	size_t nr, room;
};

/*
 * Add file @number: @path, and that of its AUX trace, @aux_path ("": none).
 * 0 or -ENOMEM.
 */
int snapshot_files_add(struct snapshot_files *files, uint64_t number,
		       const char *path, const char *aux_path);
/*
 * Delete the oldest files until @keep are left (0: keep all).  Only files
 * written by this run are deleted, and only if the path still names the same
 * file: one that was replaced or renamed is left alone.  @removed is called
 * with the number of each deleted file.
 */
void snapshot_files_keep(struct snapshot_files *files, unsigned int keep,
			 void (*removed)(void *ctx, uint64_t number),
			 void *ctx);
void snapshot_files_free(struct snapshot_files *files);

#endif
