/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/recording/recording_trace.h"

#include <errno.h>
#include <stdlib.h>

#include "trace/recording/recording_room.h"
#include "trace/file/ring_view.h"
#include "base/err.h"
#include "collect/collector.h"

enum { HEAD = 64 };		/* bytes of a record's header and padding */

/*
 * A slot's CPU and thread, which never change.  They are looked up only once,
 * since the session may be locked while it opens events.
 */
static const struct trace_file_ring *place_of(struct recording_trace *t,
					      size_t slot)
{
	struct trace_file_ring *place;

	if (slot >= t->nr)
		return NULL;
	place = &t->places[slot];
	if (!t->known[slot]) {
		place->ring = slot;
		ring_place(t->from.session,
			   session_ring(t->from.session, slot), &place->cpu,
			   &place->tid);
		t->known[slot] = true;
	}
	return place;
}

/*
 * Write a piece of trace.  If the file has no room for it, it is dropped; there
 * will not be room later either.
 */
static void take(void *ctx, size_t slot, const struct aux_ring *aux,
		 uint64_t from, uint64_t to)
{
	struct recording_trace *t = ctx;
	const struct auxtrace_span span = { from, to };
	struct aux_pieces pieces = auxtrace_pieces(t->from.trace, aux, span);
	const struct trace_file_ring *place = place_of(t, slot);
	uint64_t len = pieces.len[0] + pieces.len[1] + HEAD;
	int ret = 0;

	if (!place)
		return;
	if (recording_room_grant(t->room, len)) {
		t->room->pieces++;
		ret = trace_file_pieces(t->file, place, from, &pieces);
	}
	recording_room_written(t->room, len);
	if (ret)
		t->error = ret;
}

/*
 * Decoders that cut the trace by AUX records need the trace of a record in one
 * piece (cs_etm__queue_aux_fragment() of tools/perf/util/cs-etm.c).
 */
static unsigned int alignment(const struct auxtrace *trace)
{
	return trace->ops->cuts_by_aux ? 0 : trace->ops->alignment;
}

int recording_trace_begin(struct recording_trace *t,
			  const struct trace_file_from *from,
			  struct collector *collector, struct trace_file *file,
			  struct recording_room *room, struct err *err)
{
	size_t nr = ring_view_most(from->session);

	*t = (struct recording_trace){
		.sink = { take, t, alignment(from->trace) },
		.from = *from,
		.file = file,
		.room = room,
		.places = calloc(nr, sizeof(*t->places)),
		.known = calloc(nr, sizeof(*t->known)),
		.nr = nr,
	};
	if (!t->places || !t->known) {
		recording_trace_end(t);
		return err_set(err, -ENOMEM, "a recording: out of memory");
	}
	t->collector = collector;
	collector_begin_trace(collector, &t->sink);
	return 0;
}

void recording_trace_flush(struct recording_trace *t)
{
	if (t->collector)
		collector_flush_trace(t->collector);
}

void recording_trace_end(struct recording_trace *t)
{
	if (t->collector)
		collector_end_trace(t->collector);
	free(t->places);
	free(t->known);
	*t = (struct recording_trace){ .error = t->error };
}
