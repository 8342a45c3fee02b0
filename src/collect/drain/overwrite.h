/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Read an overwrite ring: it is written backward, is mapped PROT_READ, and
 * changes unless its output is paused.
 */
#ifndef RBTOP_COLLECT_DRAIN_OVERWRITE_H
#define RBTOP_COLLECT_DRAIN_OVERWRITE_H

#include <stdint.h>

#include "ring/reading.h"
#include "perf/abi/ring.h"

/*
 * Walk the records of the paused ring, newest first, and set records, types, at
 * and valid of @out, and oldest and newest (seconds before @now_ns,
 * CLOCK_MONOTONIC).  A partly overwritten last record is dropped.
 */
void overwrite_walk(const struct ring *ring, uint64_t now_ns,
		    struct ring_overwrite *out);

#endif
