/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader's part in full trace: give the space in AUX rings back to the
 * kernel, and reenable events that it stopped when a ring was full.  All of it
 * on the reader's thread.
 */
#ifndef RBTOP_COLLECT_READER_AUX_H
#define RBTOP_COLLECT_READER_AUX_H

#include <stdint.h>

struct slot_ring;

/*
 * Call this after the data ring was drained, with the time of that drain: note
 * how much trace waits, and discard it; or, if lanes write it, wake the lane.
 */
void reader_aux_drain(struct slot_ring *ring, uint64_t now_ns);
/* A lane has freed space in an AUX ring that was full: reenable its events. */
void reader_aux_given(struct slot_ring *ring);

#endif
