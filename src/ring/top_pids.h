/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who fills a ring: the pids with the most samples, in bounded memory.  The
 * space-saving sketch: a count is never too low, and too high by at most its
 * @error; exact while no more than TOP_PIDS different pids were seen.
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

/* Count @samples more of @pid. */
void top_pids_add(struct top_pids *top, pid_t pid, uint64_t samples);

/* Sort a copy, most samples first, into @out.  Returns how many are used. */
unsigned int top_pids_sorted(const struct top_pids *top,
			     struct top_pid out[TOP_PIDS]);

#endif
