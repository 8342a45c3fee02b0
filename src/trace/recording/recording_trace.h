/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the AUX trace of a recording in full trace mode: separate threads
 * (collect/aux_lane.h) write it from the rings to the file without a copy.
 */
#ifndef RBTOP_TRACE_RECORDING_RECORDING_TRACE_H
#define RBTOP_TRACE_RECORDING_RECORDING_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "trace/file/trace_file.h"
#include "collect/aux_lane.h"

struct collector;
struct err;
struct recording_room;

/* Zeroed: not begun. */
struct recording_trace {
	struct aux_sink sink;
	struct trace_file_from from;
	struct collector *collector;
	struct trace_file *file;
	struct recording_room *room;
	struct trace_file_ring *places;	/* by slot; set by the lanes */
	bool *known;		/* by slot: its place is set */
	size_t nr;		/* of both: the largest possible number of
				 * rings */
	_Atomic int error;	/* the first one, -errno */
};

/*
 * From now on write all trace to @file; call after trace_file_begin_trace().
 * All arguments are borrowed until recording_trace_end().  0, or -ENOMEM with
 * @err.
 */
int recording_trace_begin(struct recording_trace *t,
			  const struct trace_file_from *from,
			  struct collector *collector, struct trace_file *file,
			  struct recording_room *room, struct err *err);
/* Write the present contents of the rings before returning. */
void recording_trace_flush(struct recording_trace *t);
/* Stop writing.  Does nothing if recording_trace_begin() was not called. */
void recording_trace_end(struct recording_trace *t);

#endif
