/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that a seed determines, for samples and simulations. */
#ifndef RBTOP_BASE_RANDOM_H
#define RBTOP_BASE_RANDOM_H

#include <stdint.h>

/*
 * The next 64 bits.  Sebastiano Vigna's splitmix64: one word of state, every
 * seed is good.
 */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

#endif
