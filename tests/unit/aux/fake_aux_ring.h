/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUX rings in plain memory: a program that links this has it in place of
 * aux_ring_map() and aux_ring_unmap() of perf/abi/aux_ring.h.
 */
#ifndef RBTOP_TESTS_FAKE_AUX_RING_H
#define RBTOP_TESTS_FAKE_AUX_RING_H

#include <stdbool.h>
#include <stdint.h>

/* The arguments of the last call, and the outcome of the next. */
extern struct fake_aux_map {
	int error;		/* of the next call, once */
	unsigned int calls, mapped;
	uint64_t size;
	bool overwrite;
	int fd;			/* of the data ring, in the last call */
} aux_map;

#endif
