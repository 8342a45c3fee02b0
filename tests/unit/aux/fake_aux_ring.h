/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUX rings that are memory: the program that this is linked into has it in
 * place of perf/abi/aux_ring.h's aux_ring_map() and aux_ring_unmap().
 */
#ifndef RBTOP_TESTS_FAKE_AUX_RING_H
#define RBTOP_TESTS_FAKE_AUX_RING_H

#include <stdbool.h>
#include <stdint.h>

/* What the kernel was asked for, and what it is to answer. */
extern struct fake_aux_map {
	int error;		/* of the next call, once */
	unsigned int calls, mapped;
	uint64_t size;
	bool overwrite;
	int fd;			/* of the last one's data ring */
} aux_map;

#endif
