/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs whose rings were opened and closed lately: one line of the log for
 * each, with counts, however often it was started.  They are told apart by
 * name, since each start has a pid of its own.
 */
#ifndef RBTOP_HOST_TABLE_HOST_TOOLS_H
#define RBTOP_HOST_TABLE_HOST_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ring/ring_row.h"

enum {
	HOST_TOOLS = 32,	/* programs with a line of their own */
	HOST_TOOLS_PIDS = 8,	/* pids of a program that are remembered */
	HOST_TOOLS_RING = 80,	/* bytes of a ring's name */
};

/* Seconds after which opening and closing rings again gets a new line. */
#define HOST_TOOLS_AGAIN 60.0

struct host_tool {
	uint64_t fold;		/* of its line, see log_fold(); 0: unused */
	char comm[16];
	pid_t pids[HOST_TOOLS_PIDS];	/* the latest, in a circle */
	unsigned int processes;
	unsigned int opened, closed;	/* rings */
	uint64_t bytes;		/* of those opened */
	char ring[HOST_TOOLS_RING];	/* the latest */
	double first, last;	/* CLOCK_MONOTONIC seconds */
	bool changed;		/* its line is to be written */
};

/* Zeroed: none yet.  One more is for all others. */
struct host_tools {
	struct host_tool list[HOST_TOOLS + 1];
	uint64_t folds;		/* numbers given out */
};

/*
 * Count a ring that was opened or, if @row->gone, closed, at @mono; @ring is
 * its name.
 */
void host_tools_take(struct host_tools *tools, const struct ring_row *row,
		     double mono, const char *ring);

/*
 * Write the next line that has changed to @buf.  Returns its fold; 0 if there
 * is none.
 */
uint64_t host_tools_next(struct host_tools *tools, char *buf, size_t size);

#endif
