/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording: the histories of the data rings followed into a file as they
 * grow, and in full trace the AUX rings as well.  Other threads write those to
 * the file (see recording_trace.h) from recording_new() on; they do not wait
 * for anything done here.
 *
 * A disk that is too slow lets the histories overtake the recording, which
 * counts that; no drain ever waits.
 */
#ifndef RBTOP_TRACE_RECORDING_RECORDING_H
#define RBTOP_TRACE_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/file/trace_file.h"
#include "ring/snapshots.h"

struct collector;
struct err;
struct recording;

struct recording_opts {
	struct trace_file_from from;	/* copied */
	struct collector *collector;	/* borrowed; keeps histories */
	bool all;		/* what the histories hold already, too */
	uint64_t max_bytes;	/* the recording ends at this size, but for the
				 * records that trace in it needs; 0: none */
};

/*
 * Begin a file at @path, of what is written to the rings from now on.  The
 * kernel's modules and the tasks, as they are by then, are written at the first
 * pass.  NULL with @err on failure.
 */
struct recording *recording_new(const struct recording_opts *opts,
				const char *path, struct err *err);

/* Write what there is by now.  0 or -errno with @err: it is to be given up. */
int recording_pass(struct recording *r, struct err *err);
/*
 * Seconds until the next pass, or until collector_history_fd() is readable,
 * which it is when a ring has filled much of its history.
 */
double recording_delay(const struct recording *r);
/*
 * Whether it has to end: it reached max_bytes, or the disk has little more room
 * than for one more pass and the end of the file.  A pass stops before that by
 * itself, so that the file is complete and can be finished.
 */
bool recording_full(const struct recording *r);

struct recording_stats {
	uint64_t bytes;		/* written */
	uint64_t missed;	/* bytes of records, overwritten ... */
	enum record_cause cause;	/* ... and the main cause of it */
	uint64_t unknown;	/* samples of no event of the session */
	bool full;		/* the disk was: there was more to write */
	bool limited;		/* it reached max_bytes */
};
struct recording_stats recording_stats(const struct recording *r);

/*
 * Write the rest, as far as the disk has room, and end the file; see
 * trace_file_commit() for the arguments.  @stats are those of all that was
 * written.  Frees @r.
 */
int recording_finish(struct recording *r, char *path, char *beside,
		     size_t size, struct recording_stats *stats,
		     struct err *err);
/* Leave nothing.  NULL is fine. */
void recording_cancel(struct recording *r);

#endif
