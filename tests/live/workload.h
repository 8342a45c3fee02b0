/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work of known shares, for symbols.sh: 50, 30 and 20 parts of the same loop,
 * a few ms of it a turn.  Every product waits for the one before, so that the
 * loop takes the same time wherever the compiler puts it.
 */
#ifndef RBTOP_TESTS_WORKLOAD_H
#define RBTOP_TESTS_WORKLOAD_H

enum { PART = 40000 };	/* rounds: some 50 us */

static inline __attribute__((always_inline)) unsigned long
workload_spin(unsigned long parts)
{
	unsigned long x = 1;

	for (unsigned long i = 0; i < parts * PART; i++) {
		x *= 0x5851f42d4c957f2dul;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

/* Kept as they are written: neither inlined nor cloned under another name. */
#ifdef __clang__
#define WORKLOAD __attribute__((noinline))
#else
#define WORKLOAD __attribute__((noinline, noclone))
#endif

#endif
