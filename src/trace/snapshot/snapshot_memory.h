/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for the copies of rings, all of whose pages are there: some is kept
 * ready, so that between the wish for a snapshot and the stop of tracing
 * nobody waits for pages, while the hardware writes over what was wanted.
 */
#ifndef RBTOP_TRACE_SNAPSHOT_SNAPSHOT_MEMORY_H
#define RBTOP_TRACE_SNAPSHOT_SNAPSHOT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct snapshot_spare;

/* Zeroed: nothing is kept. */
struct snapshot_memory {
	uint64_t limit;		/* bytes that are kept at most */
	uint64_t bytes;		/* that are, now */
	struct snapshot_spare *spares;
	size_t nr;
};

/* @size bytes, aligned to a page, of any contents.  NULL: out of memory. */
unsigned char *snapshot_memory_get(struct snapshot_memory *m, size_t size);
/* Keep or free what snapshot_memory_get() gave for @size.  NULL is fine. */
void snapshot_memory_put(struct snapshot_memory *m, unsigned char *memory,
			 size_t size);
void snapshot_memory_free(struct snapshot_memory *m);

#endif
