/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data file of a session, either a snapshot or a recording: its
 * beginning, the contents of rings, its end.  A snapshot appears complete or not
 * at all; a recording gets its name at its first checkpoint, and what is written
 * up to the last one can be read if the program is killed.
 *
 * perf has no decoder for the trace of a PMU of the generic kind, and refuses
 * files that contain it.  Such trace is written to a second file next to the
 * first, NAME.aux for NAME.data: for each ring the PERF_RECORD_AUXTRACE that
 * perf.data would have (48 bytes: which ring, how many bytes), followed by the
 * trace, padded to 8 bytes.
 */
#ifndef RBTOP_TRACE_FILE_TRACE_FILE_H
#define RBTOP_TRACE_FILE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/pmu/auxtrace.h"
#include "base/file/new_file.h"

struct err;
struct event_ids;
struct perfdata_machine;
struct ring;
struct symbol_loader;
struct task_history;
struct trace_file;

/* What the file is about.  Borrowed; must outlive the file. */
struct trace_file_from {
	struct session *session;
	const struct session_opts *session_opts;
	const struct auxtrace *trace;	/* NULL: no event traces */
	const struct auxtrace_env *env;
	struct task_history *tasks;	/* NULL: read from /proc on begin */
	bool tasks_made_up;		/* tasks are simulated, without files */
	const struct perfdata_machine *machine;
	struct event_ids *ids;
	struct symbol_loader *loader;	/* build_ids_loader()'s; NULL: no
					 * build-ids are read */
};

/*
 * The processes of the session's target, for task_history_read_proc(), in an
 * array that the caller frees; NULL and 0: all processes.  0 or -ENOMEM.
 */
int trace_file_pids(struct session *session, pid_t **pids, size_t *nr);

/* Create an empty file.  NULL with @err. */
struct trace_file *trace_file_open(const struct trace_file_from *from,
				   const char *path, struct err *err);
/* See new_file_between(). */
void trace_file_between(struct trace_file *f, new_file_between_fn *between,
			void *ctx);

/* Allow trace_file_checkpoint().  To be called before the file is begun. */
void trace_file_allow_checkpoints(struct trace_file *f);
/*
 * Write the attributes; clock, ids and tracing data that perf needs; the kernel
 * and its modules; and the present tasks.  0 or -errno with @err.
 */
int trace_file_begin(struct trace_file *f, struct err *err);
/*
 * The same in two steps: what must precede any trace, which is fast; then what
 * must precede any record of a ring.
 */
int trace_file_begin_trace(struct trace_file *f, struct err *err);
int trace_file_begin_records(struct trace_file *f, struct err *err);

/* The following return 0 or -errno; trace_file_error() has the reason. */

struct trace_rule;	/* trace/file/trace_records.h */

/* Write records of a ring, back to back, aligned to 8; changed in place. */
int trace_file_records(struct trace_file *f, unsigned char *buf, size_t size,
		       const struct trace_rule *rule);
/*
 * Write the records of @ring, a copy of an overwrite ring, oldest first.
 * @newer is the head after the copy: the oldest records, by as many bytes as
 * were written during the copy, are not valid and are left out.
 */
int trace_file_overwrite(struct trace_file *f, const struct ring *ring,
			 uint64_t newer);

/* A ring with trace. */
struct trace_file_ring {
	size_t ring;
	int cpu, tid;		/* -1: see ring_place() */
};
/* Write a piece of a ring's trace that starts at position @offset. */
int trace_file_trace(struct trace_file *f, const struct trace_file_ring *of,
		     uint64_t offset, const void *data, size_t len);
/*
 * The same for trace in two pieces, for example at the wrap of a ring: see
 * perfdata_write_auxtrace().  May be called on any thread until the file is
 * committed or cancelled.
 */
int trace_file_pieces(struct trace_file *f, const struct trace_file_ring *of,
		      uint64_t offset, const struct aux_pieces *pieces);

/*
 * End a pass over all rings: every record as old as @until has been written
 * (see collector_drained_to()).  Writes FINISHED_ROUND if that covers the
 * previous pass, so that perf need not keep the whole file in memory.
 */
int trace_file_round(struct trace_file *f, uint64_t until);

/*
 * Make what is written so far valid: see perfdata_writer_checkpoint().  The
 * first time, the files get their names, as trace_file_commit() would give them.
 * The last record of NAME.aux may be incomplete at that moment.  0 or -errno
 * with @err; -ENOENT if the file was removed.
 */
int trace_file_checkpoint(struct trace_file *f, struct err *err);
/* The path of the file; NULL: it has no name yet. */
const char *trace_file_named(const struct trace_file *f);

/*
 * Read build-ids of the files that the records name, for @seconds at most: other
 * processes do, see trace_records.h.  Returns the number of files that are
 * still to be read; trace_file_commit() leaves them out.
 */
#define TRACE_FILE_PATIENCE 0.7	/* seconds to wait at the end */
size_t trace_file_build_ids(struct trace_file *f, double seconds);

/* Bytes written so far, including those of the AUX trace's file; any thread. */
uint64_t trace_file_bytes(const struct trace_file *f);
/* Bytes free in the file system, see new_file_room(); any thread. */
uint64_t trace_file_room(const struct trace_file *f);
/* Samples of unknown events, which are not in the file. */
uint64_t trace_file_unknown(const struct trace_file *f);

/* Return @ret; @err says which error occurred while writing. */
int trace_file_error(const struct trace_file *f, int ret, struct err *err);

/*
 * Write features and header, sync, and give the file its name, which is stored
 * in @path (@size bytes): see new_file_commit_unique().  @aux_path, of the same
 * size, gets the name of the AUX trace's file, "" if there is none.  Frees @f.
 * 0, or -errno with @err, and no file unless it had its name.
 */
int trace_file_commit(struct trace_file *f, char *path, char *aux_path,
		      size_t size, struct err *err);
/* Remove the file and free @f.  NULL is fine. */
void trace_file_cancel(struct trace_file *f);
/* The same, but a file that has its name is left as it is. */
void trace_file_leave(struct trace_file *f);

#endif
