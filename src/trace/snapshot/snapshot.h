/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the rings of a session held at one moment, in memory: AUX rings in
 * snapshot mode, and overwrite data rings.
 *
 * Tracing stands still only while it is copied: memory is made ready before,
 * and what can fault has done so.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/pmu/auxtrace.h"
#include "trace/file/ring_view.h"
#include "trace/snapshot/snapshot_memory.h"
#include "perf/abi/ring.h"

struct err;
struct session;

/* What is remembered of the rings from one snapshot to the next. */
struct snapshot_tracks {
	struct ring_track *rings;
	size_t nr;
};
void snapshot_tracks_free(struct snapshot_tracks *tracks);

/* Of one ring. */
struct snapshot_ring {
	size_t ring;
	int cpu, tid;		/* see ring_view_place() */
	unsigned char *trace;	/* NULL: it has none */
	size_t trace_room;	/* bytes */
	size_t trace_len;	/* of them in use */
	struct auxtrace_span span;	/* of the ring; may be a little more
					 * than trace_len, see
					 * auxtrace_pieces() */
	unsigned char *memory;	/* of the data ring; NULL: that is drained */
	size_t memory_room;
	struct ring data;	/* attached to it */
	uint64_t newer;		/* its head after the copying */
	bool paused;		/* it was before, and stays so */
};

struct snapshot {
	struct snapshot_memory *from;	/* of the copies; borrowed */
	struct snapshot_ring *rings;
	size_t nr;
	double at;		/* when stopping the rings began,
				 * CLOCK_MONOTONIC seconds */
	uint64_t time;		/* the same in ns of the session's clock */
	double spread;		/* seconds, see session_aux_hold() */
	double stopped;		/* seconds from the first event that stopped to
				 * the last that went on */
	uint64_t bytes;		/* copied */
};

struct snapshot_from {
	struct session *session;
	const struct auxtrace *trace;	/* NULL: no event traces */
	struct snapshot_tracks *tracks;
	struct snapshot_memory *memory;
};

/*
 * Have memory ready for one of all rings, as far as some is kept.  0 or -errno
 * with @err, see snapshot_take().
 */
int snapshot_prepare(const struct snapshot_from *from, struct err *err);
/*
 * Copy those of @rings (@nr 0: of all) that can be.  0 or -errno with @err:
 * -ENODATA where none of them can; -ENOMEM with what to do.
 */
int snapshot_take(const struct snapshot_from *from, const size_t *rings,
		  size_t nr, struct snapshot *out, struct err *err);
/* Gives the memory back to @s->from. */
void snapshot_free(struct snapshot *s);

#endif
