/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring buffers of ftrace, one per CPU and instance, and the processes that
 * read them.  Of tracefs, only status files are read, never those that consume
 * events.
 */
#ifndef RBTOP_HOST_HOST_FTRACE_H
#define RBTOP_HOST_HOST_FTRACE_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct host_ftrace;
struct host_pass;

/* A stats file: tracing_stats_read() in kernel/trace/trace.c.  Events. */
struct host_ftrace_stats {
	uint64_t entries;	/* not read yet */
	uint64_t bytes;		/* of these */
	uint64_t overrun;	/* overwritten before they were read */
	uint64_t commit_overrun; /* lost: it wrapped around while events were
				  * not committed yet */
	uint64_t dropped;	/* lost as the buffer was full, without
				 * options/overwrite */
	uint64_t read;
};

/* False if a line is missing or not a number.  Negative numbers are 0. */
bool host_ftrace_parse(const char *text, struct host_ftrace_stats *stats);

/*
 * The buffer that a reader with the file @link, below @tracefs, reads from:
 * @instance (256 bytes; "": the top one) and CPU, -1: all.  False if it is
 * another file, which takes nothing out of a buffer.
 */
bool host_ftrace_link(const char *link, const char *tracefs, char *instance,
		      int *cpu);

/* NULL: the mounted tracefs, /proc.  NULL when out of memory. */
struct host_ftrace *host_ftrace_new(const char *tracefs, const char *proc);
void host_ftrace_free(struct host_ftrace *ftrace);

/*
 * Add buffers in use, with HOST_FTRACE, if at pass->mono it is time to read them
 * again: at most once a second.  0; -errno with @err if they cannot be read, and
 * nothing is added.
 */
int host_ftrace_read(struct host_ftrace *ftrace, struct host_pass *pass,
		     struct err *err);

#endif
