/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUX rings in full trace, as a reader keeps them going: what they hold is
 * given back to the kernel, and events that it stopped when one ran full are
 * let go on.  All of it on the reader's thread.
 */
#ifndef RBTOP_COLLECT_READER_AUX_H
#define RBTOP_COLLECT_READER_AUX_H

#include <stdint.h>

struct slot_ring;

/*
 * Call this after the data ring was drained: note how much trace waits, and
 * discard it; or wake the lane, if trace is left to the lanes.
 */
void reader_aux_drain(struct slot_ring *ring, uint64_t now_ns);
/* A lane has freed space in an AUX ring that was full: reenable its events. */
void reader_aux_given(struct slot_ring *ring);

#endif
