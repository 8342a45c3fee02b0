/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures where the thread that writes a recording spends its time, to explain
 * why it could not keep up.  The scheduler counts the time it ran and the time
 * it waited for a CPU; for the rest of a pass it was blocked by the disk, in
 * write(2) or in a page fault.
 */
#ifndef RBTOP_TRACE_RECORDING_WRITER_TIMES_H
#define RBTOP_TRACE_RECORDING_WRITER_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sys.h"
#include "ring/reading.h"

/* ns */
struct writer_spent {
	uint64_t ran, waited, blocked;
};

struct writer_times {
	int fd;			/* see sys_open_thread_times() */
	struct sys_thread_times mark;
	struct writer_spent before;	/* during the previous pass */
	struct writer_spent between;	/* between that and this one */
};

/* Measure the calling thread. */
void writer_times_open(struct writer_times *w);
void writer_times_close(struct writer_times *w);
/* Call at the start of a pass. */
void writer_times_begin(struct writer_times *w);
/*
 * Call at the end of a pass.  Returns what took most time since the start of
 * the previous one.
 */
enum record_cause writer_times_end(struct writer_times *w);

/* How the cause is derived from times; RECORD_FAST if nothing is known. */
enum record_cause writer_times_cause(const struct writer_spent *spent);

#endif
