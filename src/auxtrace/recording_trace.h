/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AUX trace of a recording in full trace: on its way from the rings into
 * the file, on threads of their own (collect/aux_lane.h), without a copy.
 */
#ifndef RBTOP_AUXTRACE_RECORDING_TRACE_H
#define RBTOP_AUXTRACE_RECORDING_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "auxtrace/trace_file.h"
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
	struct trace_file_ring *places;	/* by slot; of lanes */
	bool *known;		/* whose place that is */
	size_t nr;		/* more rings there cannot be */
	_Atomic int error;	/* the first one, -errno */
};

/*
 * Have all trace written from now on into @file, which was begun for it.  All
 * is borrowed until recording_trace_end().  0, or -ENOMEM with @err.
 */
int recording_trace_begin(struct recording_trace *t,
			  const struct trace_file_from *from,
			  struct collector *collector, struct trace_file *file,
			  struct recording_room *room, struct err *err);
/* What the rings hold by now is written before this returns. */
void recording_trace_flush(struct recording_trace *t);
/* Nothing is written any more; harmless where it was not begun. */
void recording_trace_end(struct recording_trace *t);

#endif
