/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the thread that writes a recording spends its time, which tells why it
 * could not keep up.  The scheduler counts how long it ran and how long it
 * waited for a CPU; for the rest of a pass it was blocked by the disk, in
 * write(2) or in a page fault.
 */
#ifndef RBTOP_TRACE_FILE_WRITER_TIMES_H
#define RBTOP_TRACE_FILE_WRITER_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sys.h"
#include "ring/snapshots.h"

/* ns */
struct writer_spent {
	uint64_t ran, waited, blocked;
};

struct writer_times {
	int fd;			/* see sys_open_thread_times() */
	struct sys_thread_times mark;
	struct writer_spent before;	/* in the previous pass */
	struct writer_spent between;	/* between that and this one */
};

/* For the calling thread. */
void writer_times_open(struct writer_times *w);
void writer_times_close(struct writer_times *w);
/* A pass begins. */
void writer_times_begin(struct writer_times *w);
/* A pass ends.  Returns what took most since the previous one began. */
enum record_cause writer_times_end(struct writer_times *w);

/* The rule: RECORD_FAST if nothing is known. */
enum record_cause writer_times_cause(const struct writer_spent *spent);

#endif
