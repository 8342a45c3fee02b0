/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sequence lock: one writer, which never waits; readers, which read again if
 * it wrote meanwhile.
 *
 *	sequence_write_begin(&lock);
 *	word_copy_store(shared, ...);
 *	sequence_write_end(&lock);
 *
 *	do {
 *		count = sequence_read_begin(&lock);
 *		word_copy_load(..., shared);
 *	} while (sequence_read_retry(&lock, count));
 *
 * The memory order is that of Boehm, "Can seqlocks get along with programming
 * language memory models?", MSPC 2012.
 */
#ifndef RBTOP_BASE_SEQUENCE_H
#define RBTOP_BASE_SEQUENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: unlocked. */
struct sequence {
	_Atomic unsigned int count;	/* odd during a write */
};

static inline void sequence_write_begin(struct sequence *s)
{
	unsigned int count = atomic_load_explicit(&s->count,
						  memory_order_relaxed);

	atomic_store_explicit(&s->count, count + 1, memory_order_relaxed);
	/* the odd count is visible before any of the data */
	atomic_thread_fence(memory_order_release);
}

static inline void sequence_write_end(struct sequence *s)
{
	unsigned int count = atomic_load_explicit(&s->count,
						  memory_order_relaxed);

	atomic_store_explicit(&s->count, count + 1, memory_order_release);
}

/* The count, for sequence_read_retry(); waits for a writer to end. */
static inline unsigned int sequence_read_begin(const struct sequence *s)
{
	unsigned int count;

	do {
		count = atomic_load_explicit(&s->count, memory_order_acquire);
	} while (count & 1);
	return count;
}

/* Whether data read since then may be inconsistent. */
static inline bool sequence_read_retry(const struct sequence *s,
				       unsigned int count)
{
	/* after all reads of the data */
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&s->count, memory_order_relaxed) != count;
}

/*
 * Copies of the data, under the lock.  Each word is one relaxed atomic access:
 * a plain copy would be a data race (C11 5.1.2.4), even though a torn copy is
 * discarded.  @size and the addresses must be multiples of 8.
 */

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
