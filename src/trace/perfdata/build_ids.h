/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-ids of the files that the records of a perf.data file name, for
 * its feature BUILD_ID: by them perf finds the right file later, on another
 * machine or after an upgrade.
 */
#ifndef RBTOP_TRACE_PERFDATA_BUILD_IDS_H
#define RBTOP_TRACE_PERFDATA_BUILD_IDS_H

#include <stddef.h>

struct build_ids;
struct perfdata_writer;

/* @proc: "/proc", for the roots of processes.  NULL when out of memory. */
struct build_ids *build_ids_new(const char *proc);
void build_ids_free(struct build_ids *b);

/*
 * A record of the file: the names of executable files in MMAP and MMAP2 are
 * kept, all else is passed over, and names beyond some 65,000.  0 or -ENOMEM.
 */
int build_ids_record(struct build_ids *b, const void *record, size_t size);

/*
 * Read the build-ids of all of them and tell @w.  Takes a file open each, so
 * not while anybody waits.  What cannot be read, or is another file by now, is
 * left out.  0 or the writer's error.
 */
int build_ids_write(const struct build_ids *b, struct perfdata_writer *w);

#endif
