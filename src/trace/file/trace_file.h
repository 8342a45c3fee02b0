/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file of a session, be it a snapshot or a recording: what all of
 * them begin with, how rings are put into it, and how it ends.  There as a
 * whole or not at all (base/file/new_file.h).
 *
 * perf knows no decoder for the trace of a PMU of the generic kind, and
 * refuses files that say so.  That trace goes into a file of its own beside
 * the other, NAME.aux for NAME.data: for each ring the record that it would
 * have had, PERF_RECORD_AUXTRACE (48 bytes: whose trace, and how many bytes),
 * and the trace behind it, padded to 8 bytes.
 */
#ifndef RBTOP_TRACE_FILE_TRACE_FILE_H
#define RBTOP_TRACE_FILE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/pmu/auxtrace.h"
#include "trace/file/event_ids.h"
#include "base/file/new_file.h"

struct err;
struct perfdata_machine;
struct ring;
struct task_history;
struct trace_file;

/* Whose file it is.  Borrowed; outlives the file. */
struct trace_file_from {
	struct session *session;
	const struct session_opts *session_opts;
	const struct auxtrace *trace;	/* NULL: no event traces */
	const struct auxtrace_env *env;
	struct task_history *tasks;	/* NULL: read from /proc by then */
	bool tasks_made_up;		/* their files are not looked at */
	const struct perfdata_machine *machine;
	struct event_ids *ids;
};

/*
 * The processes that the session is about, for task_history_read_proc(), in an
 * allocation that the caller frees; NULL and none: all.  0 or -ENOMEM.
 */
int trace_file_pids(struct session *session, pid_t **pids, size_t *nr);

/* Create it, empty.  NULL with @err. */
struct trace_file *trace_file_open(const struct trace_file_from *from,
				   const char *path, struct err *err);
/* See new_file_between(). */
void trace_file_between(struct trace_file *f, new_file_between_fn *between,
			void *ctx);

/*
 * The attributes, what perf has to know of clock, ids and tracing, kernel and
 * modules, and the tasks as they stand now.  0 or -errno with @err.
 */
int trace_file_begin(struct trace_file *f, struct err *err);
/*
 * The same in two steps: what must precede any trace, which is fast; and the
 * rest, which must precede any record of a ring.
 */
int trace_file_begin_trace(struct trace_file *f, struct err *err);
int trace_file_begin_records(struct trace_file *f, struct err *err);

/*
 * The rest: 0 or -errno; why it could not be written is told by
 * trace_file_error().
 */

struct trace_rule;	/* trace/file/trace_records.h */

/* Records of a ring, back to back, aligned to 8; changed in place. */
int trace_file_records(struct trace_file *f, unsigned char *buf, size_t size,
		       const struct trace_rule *rule);
/*
 * The records of @ring, a copy of an overwrite ring, oldest first.  What was
 * written while it was copied begins at @newer, a head: that much of the
 * oldest is not to be trusted.
 */
int trace_file_overwrite(struct trace_file *f, const struct ring *ring,
			 uint64_t newer);

/* Whose trace. */
struct trace_file_ring {
	size_t ring;
	int cpu, tid;		/* -1: see ring_view_place() */
};
/* A piece of the trace of a ring, from position @offset on. */
int trace_file_trace(struct trace_file *f, const struct trace_file_ring *of,
		     uint64_t offset, const void *data, size_t len);
/*
 * The same for trace in two pieces, for example at the wrap of a ring: see
 * perfdata_write_auxtrace().  Any thread, but not once the file is being
 * committed or cancelled.
 */
int trace_file_pieces(struct trace_file *f, const struct trace_file_ring *of,
		      uint64_t offset, const struct aux_pieces *pieces);

/*
 * The end of a pass over all rings, before which every record has been
 * written that is as old as @until (see collector_drained_to()): told to perf
 * where that covers the pass before, so that it need not keep the whole file
 * in memory.
 */
int trace_file_round(struct trace_file *f, uint64_t until);

/* Bytes written so far, including trace in a file beside it; any thread. */
uint64_t trace_file_bytes(const struct trace_file *f);
/* Bytes free in the file system, see new_file_room(); any thread. */
uint64_t trace_file_room(const struct trace_file *f);
/* Samples of events that nobody knows: they are not in the file. */
uint64_t trace_file_unknown(const struct trace_file *f);

/* @ret with the sentence for it, of what came in the way of writing. */
int trace_file_error(const struct trace_file *f, int ret, struct err *err);

/*
 * Features, header; synced, then given its name, which @path (of @size bytes)
 * tells: see new_file_commit_beside().  Of the file beside it @beside tells,
 * of the same size; "" where there is none.  Frees @f.  0 or -errno with @err;
 * then nothing is left.
 */
int trace_file_commit(struct trace_file *f, char *path, char *beside,
		      size_t size, struct err *err);
/* Leave nothing.  NULL is fine. */
void trace_file_cancel(struct trace_file *f);

#endif
