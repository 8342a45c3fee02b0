/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of plain data to and from memory that two threads use at once, under
 * a sequence lock (sequence.h).  Each word is one relaxed atomic access: a
 * plain copy would be a data race (C11 5.1.2.4), even though a torn copy is
 * discarded.  @size and the addresses must be multiples of 8.
 */
#ifndef RBTOP_BASE_WORD_COPY_H
#define RBTOP_BASE_WORD_COPY_H

#include <stddef.h>
#include <stdint.h>

/* May alias data of any type. */
typedef uint64_t __attribute__((may_alias)) word_copy_word;

static inline void word_copy_store(void *shared, const void *from, size_t size)
{
	const word_copy_word *in = from;
	word_copy_word *out = shared;

#pragma GCC unroll 8
	for (size_t i = 0; i < size / sizeof(*in); i++)
		__atomic_store_n(&out[i], in[i], __ATOMIC_RELAXED);
}

static inline void word_copy_load(void *to, const void *shared, size_t size)
{
	const word_copy_word *in = shared;
	word_copy_word *out = to;

#pragma GCC unroll 8
	for (size_t i = 0; i < size / sizeof(*in); i++)
		out[i] = __atomic_load_n(&in[i], __ATOMIC_RELAXED);
}

#endif
