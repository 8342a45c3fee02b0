/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-ids of the files named by the records of a perf.data file, for its
 * feature BUILD_ID: with them perf finds the right file on another machine or
 * after an upgrade.
 *
 * Other processes open the files (symbols/symbol_loader.h), since one on a file
 * system that does not answer would hang the recorder, and with it the exit.
 */
#ifndef RBTOP_TRACE_FILE_BUILD_IDS_H
#define RBTOP_TRACE_FILE_BUILD_IDS_H

#include <stddef.h>

struct build_ids;
struct perfdata_writer;
struct symbol_loader;

/*
 * What opens the files of any number of perf.data files: @workers processes, or
 * with 0 the caller.  @proc: "/proc", borrowed.  NULL when out of memory.
 */
struct symbol_loader *build_ids_loader(const char *proc, unsigned int workers);

/* NULL when out of memory.  @loader is borrowed. */
struct build_ids *build_ids_new(struct symbol_loader *loader);
void build_ids_free(struct build_ids *b);

/*
 * Add the file of a MMAP or MMAP2 record, if it is executable; other records
 * are ignored, and so are files beyond 65536.  0 or -ENOMEM.
 */
int build_ids_record(struct build_ids *b, const void *record, size_t size);

/*
 * Read on, for @seconds at most.  Returns the number of files that are still to
 * be read.
 */
size_t build_ids_read(struct build_ids *b, double seconds);

/*
 * Add the build-ids read so far to @w.  Files that cannot be read, or that were
 * replaced, are left out.  0 or the writer's error.
 */
int build_ids_write(const struct build_ids *b, struct perfdata_writer *w);

#endif
