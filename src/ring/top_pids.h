/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pids with the most samples in a ring, in bounded memory.  The algorithm
 * is the space-saving sketch: a count is never too low, and too high by at most
 * its @error; exact while at most TOP_PIDS different pids were seen.
 */
#ifndef RBTOP_RING_TOP_PIDS_H
#define RBTOP_RING_TOP_PIDS_H

#include <stdint.h>
#include <sys/types.h>

enum { TOP_PIDS = 16 };

struct top_pid {
	pid_t pid;
	uint64_t samples;	/* 0: the slot is free */
	uint64_t error;
};

struct top_pids {
	struct top_pid slots[TOP_PIDS];
};

/* Add @samples to the count of @pid. */
void top_pids_add(struct top_pids *top, pid_t pid, uint64_t samples);

/* Store a copy, most samples first, in @out.  Returns the slots in use. */
unsigned int top_pids_sorted(const struct top_pids *top,
			     struct top_pid out[TOP_PIDS]);

#endif
