/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters the records of data rings that go into a file, and fixes those that
 * perf could not read.
 *
 * perf stops reading a file at the first record with an id that is in no
 * attribute, and at record types that it does not know.
 */
#ifndef RBTOP_TRACE_FILE_TRACE_RECORDS_H
#define RBTOP_TRACE_FILE_TRACE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct build_ids;
struct event_ids;
struct perfdata_writer;
struct session;

/* State of one file.  Plain data; the first seven are set by the owner. */
struct trace_records {
	struct perfdata_writer *writer;
	struct session *session;
	struct event_ids *ids;		/* of the session; shared */
	size_t side_band;		/* index of that event in the file */
	struct build_ids *build_ids;	/* gets all mappings; may be NULL */
	bool tracked;			/* records that task_history keeps were
					 * written from there, up to
					 * tasks_until */
	bool no_cpu;			/* the trace is that of threads: set the
					 * CPU of AUX records to -1 */
	uint64_t tasks_until;		/* time of the newest of these */
	size_t nr_ids;			/* ids already added to the writer */
	bool stale;			/* the session may have new ids */
	uint64_t first, last;		/* times of samples; last 0: none */
	uint64_t newest;		/* time of the newest record of any
					 * type */
	uint64_t unknown;		/* samples of unknown events, left
					 * out */
};

/* Which records of a ring are wanted. */
struct trace_rule {
	bool tasks_only;	/* only those that task_history keeps */
	size_t from;		/* offset in bytes; before it, the same */
	/*
	 * Leave out AUX records of snapshot mode whose trace is not in the
	 * file, which has the positions from aux_from to aux_to.  Decoders that
	 * cut the trace by AUX records report an error for each of them.
	 */
	bool cut_aux;
	uint64_t aux_from, aux_to;
};

/* Add all ids known so far to the writer.  0 or -errno. */
int trace_records_ids(struct trace_records *r);

/*
 * Write the wanted records of @buf (@size bytes of complete records, aligned to
 * 8); records are fixed in place.  0 or -errno.
 */
int trace_records_put(struct trace_records *r, unsigned char *buf, size_t size,
		      const struct trace_rule *rule);

/*
 * Write one record made by task_history, and note its time.  Arguments and
 * result as above.
 */
int trace_records_task(struct trace_records *r, unsigned char *record,
		       size_t size);

/*
 * The build-ids of the files named by the records of a perf.data file, for its
 * feature BUILD_ID: with them perf finds the right file on another machine or
 * after an upgrade.
 *
 * Other processes open the files (symbols/symbol_loader.h), since one on a file
 * system that does not answer would hang the recorder, and with it the exit.
 */

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
