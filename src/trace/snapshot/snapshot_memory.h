/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for the copies of rings, with all its pages faulted in.  Some is kept
 * for the next snapshot, since allocating it delays the stop, and meanwhile the
 * hardware overwrites the trace that was wanted.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_MEMORY_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct snapshot_spare;

/* Zeroed: no memory is kept. */
struct snapshot_memory {
	uint64_t limit;		/* most bytes to keep */
	uint64_t bytes;		/* bytes kept now */
	struct snapshot_spare *spares;
	size_t nr, room;
};

/* @size bytes, page aligned, uninitialized.  NULL: out of memory. */
unsigned char *snapshot_memory_get(struct snapshot_memory *m, size_t size);
/* Keep or free memory of snapshot_memory_get() for @size.  NULL is fine. */
void snapshot_memory_put(struct snapshot_memory *m, unsigned char *memory,
			 size_t size);
void snapshot_memory_free(struct snapshot_memory *m);

#endif
