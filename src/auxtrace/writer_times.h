/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread that writes a recording spends its time on: why records came
 * faster than it wrote them.  The scheduler counts how long it ran and how long
 * it waited for a CPU; the rest of a pass it was blocked, in write(2) or in a
 * page fault, by the disk.
 */
#ifndef RBTOP_AUXTRACE_WRITER_TIMES_H
#define RBTOP_AUXTRACE_WRITER_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sys.h"
#include "model/snapshots.h"

/* ns */
struct writer_spent {
	uint64_t ran, waited, blocked;
};

struct writer_times {
	int fd;			/* see sys_open_thread_times() */
	struct sys_thread_times mark;
	struct writer_spent before;	/* in the pass before this one */
	struct writer_spent between;	/* the two */
};

/* For the calling thread. */
void writer_times_open(struct writer_times *w);
void writer_times_close(struct writer_times *w);
/* A pass begins. */
void writer_times_begin(struct writer_times *w);
/* It ends.  Returns what, from the beginning of the one before, took most. */
enum record_cause writer_times_end(struct writer_times *w);

/* The rule.  Where nothing is known it is RECORD_FAST. */
enum record_cause writer_times_cause(const struct writer_spent *spent);

#endif
