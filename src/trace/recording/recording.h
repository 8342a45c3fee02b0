/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording: writes the histories of the data rings to a file as they grow,
 * and in full trace the AUX rings as well.  AUX trace is written by other
 * threads (collect/aux_lane.h), from recording_new() on; they do not wait for
 * this one.
 *
 * If the disk is too slow, histories overwrite records that were not written
 * yet; these are counted as missed.  Drains never wait.
 */
#ifndef RBTOP_TRACE_RECORDING_RECORDING_H
#define RBTOP_TRACE_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sys.h"
#include "ring/reading.h"
#include "trace/file/trace_file.h"

struct collector;
struct err;
struct recording;

struct recording_opts {
	struct trace_file_from from;	/* copied */
	struct collector *collector;	/* borrowed; keeps histories */
	bool all;		/* include what the histories already contain */
	uint64_t max_bytes;	/* 0: no limit.  The recording ends at this
				 * size, except for records that the trace in it
				 * needs */
};

/*
 * Create a file at @path, for what is written to the rings from now on.  The
 * kernel's modules and the tasks are written at the first pass, as they are
 * then.  NULL with @err on failure.
 */
struct recording *recording_new(const struct recording_opts *opts,
				const char *path, struct err *err);

/*
 * Write what is new, and about once a second make it valid: the file has its
 * name after the first pass.  0, or -errno with @err: recording_leave() or
 * recording_cancel() must follow.
 */
int recording_pass(struct recording *r, struct err *err);
/*
 * Seconds until the next pass.  It is due earlier if collector_history_fd()
 * becomes readable: a ring has filled a good part of its history.
 */
double recording_delay(const struct recording *r);
/*
 * Whether the recording must be finished: it reached max_bytes, or the disk has
 * hardly more space than one more pass and the end of the file need.  A pass
 * stops before that by itself, so that the file can be finished.
 */
bool recording_full(const struct recording *r);

struct recording_stats {
	uint64_t bytes;		/* written */
	uint64_t missed;	/* bytes of records that were overwritten */
	enum record_cause cause;	/* main cause of missed */
	uint64_t unknown;	/* samples of no event of the session */
	size_t unread;		/* files whose build-ids are not in it, since
				 * they take too long to read; at the end */
	bool full;		/* the disk was full before all was written */
	bool limited;		/* it reached max_bytes */
};
/* The path of the file; NULL: it has no name yet. */
const char *recording_named(const struct recording *r);
struct recording_stats recording_stats(const struct recording *r);

/*
 * Write the rest, if there is space, and finish the file; see
 * trace_file_commit() for the arguments and what is left if that fails.  @stats
 * are final.  Frees @r.
 */
int recording_finish(struct recording *r, char *path, char *aux_path,
		     size_t size, struct recording_stats *stats,
		     struct err *err);
/* Remove the file and free @r.  NULL is fine. */
void recording_cancel(struct recording *r);
/* The same, but a file that has its name is left as it is. */
void recording_leave(struct recording *r);

/*
 * Measures where the thread that writes a recording spends its time, to explain
 * why it could not keep up.  The scheduler counts the time it ran and the time
 * it waited for a CPU; for the rest of a pass it was blocked by the disk, in
 * write(2) or in a page fault.
 */

/* ns */
struct writer_spent {
	uint64_t ran, waited, blocked;
};

struct writer_times {
	int fd;			/* see sys_open_thread_times() */
	struct sys_thread_times mark;
	struct writer_spent before;	/* during the previous pass */
	struct writer_spent between;	/* between that and this one */
};

/* Measure the calling thread. */
void writer_times_open(struct writer_times *w);
void writer_times_close(struct writer_times *w);
/* Call at the start of a pass. */
void writer_times_begin(struct writer_times *w);
/*
 * Call at the end of a pass.  Returns what took most time since the start of
 * the previous one.
 */
enum record_cause writer_times_end(struct writer_times *w);

/* How the cause is derived from times; RECORD_FAST if nothing is known. */
enum record_cause writer_times_cause(const struct writer_spent *spent);

#endif
