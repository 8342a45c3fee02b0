/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of a session's rings at one moment, in memory: AUX rings in
 * snapshot mode, and overwrite data rings.
 *
 * Tracing is stopped only while they are copied: memory is allocated and all
 * pages are faulted in before.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/pmu/auxtrace.h"
#include "trace/file/ring_view.h"
#include "perf/abi/ring.h"

struct err;
struct session;

/*
 * Memory for the copies of rings.  Some is kept for the next snapshot, since
 * allocating it delays the stop, and meanwhile the hardware overwrites the
 * trace that was wanted.
 */
struct snapshot_memory {
	uint64_t limit;		/* most bytes to keep */
	uint64_t bytes;		/* bytes kept now */
	struct snapshot_spare *spares;
	size_t nr, room;
};

struct snapshot_from {
	struct session *session;
	const struct auxtrace *trace;	/* NULL: no event traces */
	/* kept from one snapshot to the next; zeroed at first */
	struct ring_track *tracks;
	size_t tracks_cap;
	struct snapshot_memory memory;
};

/* The copy of one ring. */
struct snapshot_ring {
	size_t ring;
	int cpu, tid;		/* see ring_place() */
	unsigned char *trace;	/* AUX trace; NULL: none */
	size_t trace_cap;	/* bytes */
	size_t trace_len;	/* bytes in use */
	struct auxtrace_span span;	/* part of the ring; may be slightly
					 * larger than trace_len, see
					 * auxtrace_pieces() */
	unsigned char *memory;	/* copy of an overwrite data ring; NULL: none */
	size_t memory_room;
	struct ring data;	/* a ring on memory */
	uint64_t newer;		/* head after the copy */
	bool paused;		/* it was paused before, and stays paused */
};

struct snapshot {
	struct snapshot_ring *rings;
	size_t nr;
	double at;		/* start of stopping the rings, CLOCK_MONOTONIC
				 * seconds */
	uint64_t time;		/* the same in ns of the session's clock */
	double spread;		/* seconds, see session_aux_hold() */
	double stopped;		/* seconds from the first event stopped to the
				 * last one resumed */
	uint64_t bytes;		/* copied */
};

/*
 * Allocate memory for a snapshot of all rings in advance, up to the limit of
 * from->memory.  0 or -errno with @err, see snapshot_take().
 */
int snapshot_prepare(struct snapshot_from *from, struct err *err);
/*
 * Copy those of @rings (@nr 0: all) that can be copied.  0 or -errno with @err:
 * -ENODATA if none can; -ENOMEM with advice.
 */
int snapshot_take(struct snapshot_from *from, const size_t *rings, size_t nr,
		  struct snapshot *out, struct err *err);
/* Returns the memory to @from. */
void snapshot_free(struct snapshot_from *from, struct snapshot *s);
/* What is kept; not @from itself. */
void snapshot_from_free(struct snapshot_from *from);

#endif
