/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the trace of AUX rings in full trace goes: readers discard it, or lanes
 * pass it to a sink.  See the functions of collector.h.
 */
#ifndef RBTOP_COLLECT_AUX_TRACE_H
#define RBTOP_COLLECT_AUX_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "collect/aux_lane_ring.h"

struct collector_threads;
struct slot_list;

struct aux_trace {
	/* set by the owner; borrowed */
	const struct collector_threads *threads;
	struct slot_list *slots;

	_Atomic bool held;	/* AUX rings are emptied by lanes */
	_Atomic bool disabled;	/* no event is let go on */
	aux_sink_now sink;
};

void aux_trace_begin(struct aux_trace *t, const struct aux_sink *sink);
void aux_trace_end(struct aux_trace *t);
void aux_trace_flush(struct aux_trace *t);
void aux_trace_leave(struct aux_trace *t, size_t slot);
void aux_trace_enable(struct aux_trace *t, bool on);

#endif
