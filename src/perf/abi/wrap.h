/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copy from and to a ring of @size bytes, a power of two.  Positions grow
 * without bound and are taken modulo @size; @len is at most @size.
 */
#ifndef RBTOP_PERF_ABI_WRAP_H
#define RBTOP_PERF_ABI_WRAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

#endif
