/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A figure that cannot be known: UNKNOWN of a uint64_t, NAN of a double.  Both
 * are written as "-", as null, or not at all; never as 0.
 */
#ifndef RBTOP_BASE_UNKNOWN_H
#define RBTOP_BASE_UNKNOWN_H

#include <math.h>
#include <stdint.h>

#define UNKNOWN UINT64_MAX

/* @value as a double: NAN if it is unknown. */
static inline double unknown_as_nan(uint64_t value)
{
	return value == UNKNOWN ? (double)NAN : (double)value;
}

/* @value as a part of a sum: 0 if it is unknown. */
static inline uint64_t unknown_as_zero(uint64_t value)
{
	return value == UNKNOWN ? 0 : value;
}

/* Add @n, which is not trusted, to a sum, which stays below UNKNOWN. */
static inline void unknown_add(uint64_t *sum, uint64_t n)
{
	*sum = n < UNKNOWN - 1 - *sum ? *sum + n : UNKNOWN - 1;
}

#endif
