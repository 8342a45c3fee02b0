/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf data ring as its one reader sees it: the user page with data_head
 * and data_tail, and the data behind it.
 *
 * The protocol (linux/perf_event.h, struct perf_event_mmap_page): load-acquire
 * data_head, read, store-release data_tail.  Positions run freely as u64 and
 * are reduced only to index the data.  An overwrite ring is mapped PROT_READ,
 * is written backward (data_head falls from 0) and has no tail.
 */
#ifndef RBTOP_PERF_ABI_RING_H
#define RBTOP_PERF_ABI_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "perf/abi/record.h"

/*
 * Copy from and to a ring of @size bytes, a power of two.  Positions grow
 * without bound and are taken modulo @size; @len is at most @size.
 */

/* How many of the @len bytes at position @at lie before the ring wraps. */
static inline size_t wrap_first(uint64_t size, uint64_t at, size_t len)
{
	uint64_t left = size - (at & (size - 1));

	return len < left ? len : (size_t)left;
}

/* Copy @len bytes at position @at of @ring to @to. */
static inline void wrap_read(void *to, const unsigned char *ring,
			     uint64_t size, uint64_t at, size_t len)
{
	size_t first = wrap_first(size, at, len);

	memcpy(to, ring + (at & (size - 1)), first);
	memcpy((unsigned char *)to + first, ring, len - first);
}

/* Copy @len bytes of @from to position @at of @ring. */
static inline void wrap_write(unsigned char *ring, uint64_t size, uint64_t at,
			      const void *from, size_t len)
{
	size_t first = wrap_first(size, at, len);

	memcpy(ring + (at & (size - 1)), from, first);
	memcpy(ring, (const unsigned char *)from + first, len - first);
}

/* Plain data; zeroed means "no ring". */
struct ring {
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	uint64_t size;		/* of the data, bytes, a power of two */
	uint64_t watermark;	/* bytes between wakeups; 0: unknown */
	bool overwrite;
	int fd;			/* of the event that owns it; not closed here */
};

/*
 * Map the ring of the event @fd: one page and @size bytes (a power-of-two
 * number of pages).  Returns 0, or the -errno of mmap(2): the caller knows the
 * remedy.  Undo with ring_unmap.
 */
int ring_map(struct ring *ring, int fd, uint64_t size, bool overwrite);
/* Undo ring_map; does nothing if there is no ring. */
void ring_unmap(struct ring *ring);

/* Use memory that is laid out like a mapping (a simulated kernel, a test). */
void ring_attach(struct ring *ring, void *base, uint64_t size, bool overwrite);

/* The bytes published so far; of an overwrite ring, as a positive count. */
static inline uint64_t ring_head(const struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head,
					__ATOMIC_ACQUIRE);

	return ring->overwrite ? -head : head;
}

/* The bytes consumed so far.  For any thread. */
static inline uint64_t ring_tail(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->data_tail, __ATOMIC_RELAXED);
}

/* Give everything before @tail back to the kernel. */
static inline void ring_consume(struct ring *ring, uint64_t tail)
{
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

/*
 * The 8 bytes at @position, which must be a multiple of 8: such a word never
 * wraps, so headers and ids are read in place.
 */
static inline uint64_t ring_word(const struct ring *ring, uint64_t position)
{
	uint64_t word;

	memcpy(&word, ring->data + (position & (ring->size - 1)),
	       sizeof(word));
	return word;
}

/* Copy @size bytes, at most the ring's size, from @position to @buf. */
static inline void ring_copy(const struct ring *ring, uint64_t position,
			     void *buf, size_t size)
{
	wrap_read(buf, ring->data, ring->size, position, size);
}

/* The header of the record at @position. */
static inline struct perf_event_header ring_header(const struct ring *ring,
						   uint64_t position)
{
	uint64_t word = ring_word(ring, position);
	struct perf_event_header header;

	memcpy(&header, &word, sizeof(header));
	return header;
}

/* When it was written, on the session's clock; 0 if it has no time. */
static inline uint64_t ring_record_time(const struct ring *ring,
					uint64_t position,
					struct perf_event_header header)
{
	size_t end = record_end_in(header.type, header.size, ring->data,
				   ring->size - 1, position, RECORD_TRAILER);
	size_t offset = record_time_offset(header, end);

	return offset ? ring_word(ring, position + offset) : 0;
}

/*
 * The number of wakeups that a watermark of @watermark causes while the head
 * goes from 0 to @head.  The kernel wakes when head - wakeup > watermark,
 * strictly (kernel/events/ring_buffer.c, __perf_output_begin), so a head
 * exactly on a multiple has not crossed it yet.
 */
static inline uint64_t ring_crossings(uint64_t head, uint64_t watermark)
{
	return head && watermark ? (head - 1) / watermark : 0;
}

#endif
