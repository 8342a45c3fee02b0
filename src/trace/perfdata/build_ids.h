/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-ids of the files named by the records of a perf.data file, for its
 * feature BUILD_ID: with them perf finds the right file on another machine or
 * after an upgrade.
 */
#ifndef RBTOP_TRACE_PERFDATA_BUILD_IDS_H
#define RBTOP_TRACE_PERFDATA_BUILD_IDS_H

#include <stddef.h>

struct build_ids;
struct perfdata_writer;

/* @proc: "/proc", for root directories.  NULL when out of memory. */
struct build_ids *build_ids_new(const char *proc);
void build_ids_free(struct build_ids *b);

/*
 * Add the file of a MMAP or MMAP2 record, if it is executable; other records
 * are ignored, and so are files beyond 65536.  0 or -ENOMEM.
 */
int build_ids_record(struct build_ids *b, const void *record, size_t size);

/*
 * Read the build-ids of all files and add them to @w.  Opens every file, so it
 * may be slow.  Files that cannot be read, or that were replaced, are left out.
 * 0 or the writer's error.
 */
int build_ids_write(const struct build_ids *b, struct perfdata_writer *w);

#endif
