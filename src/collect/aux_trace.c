/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/aux_trace.h"

#include "collect/aux_lane.h"
#include "collect/collector_threads.h"

void aux_trace_begin(struct aux_trace *t, const struct aux_sink *sink)
{
	struct slot *slot;

	/* no reader empties an AUX ring once all readers have seen this */
	atomic_store(&t->held, true);
	collector_threads_pass(t->threads);
	atomic_store(&t->sink, sink);
	for (size_t i = 0; (slot = slot_list_get(t->slots, i)); i++)
		aux_lane_ring_wake(&slot->lane);
}

void aux_trace_end(struct aux_trace *t)
{
	struct slot *slot;

	atomic_store(&t->sink, NULL);
	for (size_t i = 0; (slot = slot_list_get(t->slots, i)); i++)
		aux_lane_ring_wait(&slot->lane);
	atomic_store(&t->held, false);
	collector_threads_pass(t->threads);
}

void aux_trace_flush(struct aux_trace *t)
{
	struct slot *slot;

	for (size_t i = 0; (slot = slot_list_get(t->slots, i)); i++)
		aux_lane_flush(slot);
}

void aux_trace_leave(struct aux_trace *t, size_t index)
{
	const struct aux_ring none = { 0 };
	struct slot *slot = slot_list_get(t->slots, index);

	if (!slot)
		return;
	aux_lane_flush(slot);
	aux_lane_ring_set(&slot->lane, &none);
}

void aux_trace_enable(struct aux_trace *t, bool on)
{
	atomic_store(&t->disabled, !on);
	collector_threads_pass(t->threads);
}
