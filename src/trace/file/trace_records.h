/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of data rings on their way into a file: which of them belong
 * there, and what has to be mended so that perf reads them.
 *
 * perf gives up on a file at the first record whose id no attribute has, and
 * at types that it does not know.
 */
#ifndef RBTOP_TRACE_FILE_TRACE_RECORDS_H
#define RBTOP_TRACE_FILE_TRACE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/file/event_ids.h"

struct build_ids;
struct perfdata_writer;
struct session;

/* State of one file.  Plain data; the first seven are its maker's. */
struct trace_records {
	struct perfdata_writer *writer;
	struct session *session;
	struct event_ids *ids;		/* those of the session; shared */
	size_t side_band;		/* index of its event in the file */
	struct build_ids *build_ids;	/* told of mappings */
	bool tracked;			/* what task_history keeps was written
					 * from there, up to tasks_until */
	bool no_cpu;			/* the trace is that of threads: AUX
					 * records must not tell of a CPU */
	uint64_t tasks_until;		/* time of the newest of these */
	size_t nr_ids;			/* of ids, known to the writer */
	bool stale;			/* the session may have others by now */
	uint64_t first, last;		/* times of samples; last 0: none */
	uint64_t newest;		/* time of any record */
	uint64_t unknown;		/* samples of no event of the session:
					 * left out */
};

/* What of a ring is wanted. */
struct trace_rule {
	bool tasks_only;	/* nothing but what task_history keeps */
	size_t from;		/* before that many bytes: the same */
	/*
	 * Leave AUX records of snapshot mode out but for those whose trace is
	 * in the file, which is that from aux_from to aux_to.  Decoders that
	 * cut the trace by them would say so each time.
	 */
	bool cut_aux;
	uint64_t aux_from, aux_to;
};

/* Tell the writer of all ids there are by now.  0 or -errno. */
int trace_records_ids(struct trace_records *r);

/*
 * Write those of the records at @buf (@size bytes, whole ones, aligned to 8)
 * that are wanted; what has to be mended is mended in place.  0 or -errno.
 */
int trace_records_put(struct trace_records *r, unsigned char *buf, size_t size,
		      const struct trace_rule *rule);

/*
 * The state that task_history tells of, and its records: they are written as
 * they are, and noted.  The same as above, of one record.
 */
int trace_records_task(struct trace_records *r, unsigned char *record,
		       size_t size);

#endif
