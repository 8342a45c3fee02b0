/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An AUX ring as its one reader sees it: aux_head and aux_tail in the user page
 * of its data ring, and the trace data.
 *
 * Full trace (mapped writable): aux_head runs freely, and the kernel stops at
 * aux_tail.  Snapshot mode (mapped PROT_READ, "overwrite"): aux_tail is
 * ignored, and aux_head is published only when tracing stops; whether it is an
 * offset in the ring or runs freely depends on the PMU, see
 * trace/pmu/auxtrace.h.
 */
#ifndef RBTOP_PERF_ABI_AUX_RING_H
#define RBTOP_PERF_ABI_AUX_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/abi/ring.h"

/* Plain data; zeroed means "no AUX ring". */
struct aux_ring {
	struct perf_event_mmap_page *page;	/* of the data ring */
	unsigned char *data;
	uint64_t size;		/* bytes, a power of two */
	uint64_t watermark;	/* bytes between wakeups; 0: never (overwrite) */
	bool overwrite;
};

/*
 * Map @size bytes of trace beside @ring, whose owner has to be the AUX event
 * (perf_event_open(2)).  Writes aux_offset and aux_size to the user page first;
 * the read-only page of an overwrite ring is mapped once more for that.  0, or
 * the -errno of mmap(2).  Undo with aux_ring_unmap, before ring_unmap.
 */
int aux_ring_map(struct aux_ring *aux, const struct ring *ring, uint64_t size,
		 bool overwrite);
/* Undo aux_ring_map; does nothing if there is no AUX ring. */
void aux_ring_unmap(struct aux_ring *aux);

/* Use memory that is laid out like a mapping (a simulated kernel, a test). */
void aux_ring_attach(struct aux_ring *aux, struct perf_event_mmap_page *page,
		     void *data, uint64_t size, bool overwrite);

/* aux_head; data before it may be read afterwards (acquire). */
static inline uint64_t aux_ring_head(const struct aux_ring *aux)
{
	return __atomic_load_n(&aux->page->aux_head, __ATOMIC_ACQUIRE);
}

static inline uint64_t aux_ring_tail(const struct aux_ring *aux)
{
	return __atomic_load_n(&aux->page->aux_tail, __ATOMIC_RELAXED);
}

/* Full trace: give everything before @tail back to the kernel. */
static inline void aux_ring_consume(struct aux_ring *aux, uint64_t tail)
{
	__atomic_store_n(&aux->page->aux_tail, tail, __ATOMIC_RELEASE);
}

/*
 * The bytes from position @from to @to (if more than the ring's size, the last
 * of them), in at most two pieces; the second may be empty.
 */
struct aux_pieces {
	const unsigned char *data[2];
	size_t len[2];
};
struct aux_pieces aux_ring_pieces(const struct aux_ring *aux, uint64_t from,
				  uint64_t to);

#endif
