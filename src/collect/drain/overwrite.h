/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading an overwrite ring: written backward, mapped PROT_READ, and only
 * still while its output is paused.
 */
#ifndef RBTOP_COLLECT_DRAIN_OVERWRITE_H
#define RBTOP_COLLECT_DRAIN_OVERWRITE_H

#include <stdint.h>

#include "ring/reading.h"
#include "perf/abi/ring.h"

/*
 * Walk the records that the paused ring holds, newest first, and fill
 * records, types, oldest and newest of @out (ages relative to @now_ns,
 * CLOCK_MONOTONIC).  A last record that was partly overwritten is dropped.
 */
void overwrite_walk(const struct ring *ring, uint64_t now_ns,
		    struct ring_overwrite *out);

#endif
