/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log lines derived from a frame.
 *
 * Programs whose rings were opened and closed lately have one line each, with
 * counts, however often they were started.  They are distinguished by name,
 * since each start has a pid of its own.
 */
#ifndef RBTOP_HOST_TABLE_HOST_NOTES_H
#define RBTOP_HOST_TABLE_HOST_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/table/host_table.h"

struct host_row_state;

enum {
	HOST_NOTES_TOOLS = 32,	/* programs with a line of their own */
	HOST_NOTES_PIDS = 8,	/* pids of a program that are remembered */
	HOST_NOTES_RING = 80,	/* bytes of a ring's name */
};

/* Seconds after which opening and closing rings again gets a new line. */
#define HOST_NOTES_AGAIN 60.0

struct host_tool {
	uint64_t fold;		/* of its line, see log_fold(); 0: unused */
	char comm[16];
	pid_t pids[HOST_NOTES_PIDS];	/* the latest, in a circle */
	unsigned int processes;
	unsigned int opened, closed;	/* rings */
	uint64_t bytes;		/* of those opened */
	char ring[HOST_NOTES_RING];	/* the latest */
	double first, last;	/* CLOCK_MONOTONIC seconds */
	bool changed;		/* its line is to be written */
};

/* Zeroed: none yet.  One more is for all other programs. */
struct host_notes {
	struct host_tool tools[HOST_NOTES_TOOLS + 1];
	uint64_t folds;		/* numbers given out */
};

struct host_notes_to {
	host_note_fn *note;	/* NULL: no log */
	void *ctx;
	double mono;		/* time of the latest pass */
	bool first;		/* no frame was made before */
};

/* Log what is new in the frame; @states belong to its rows. */
void host_notes_log(struct host_notes *notes, const struct host *host,
		    struct host_row_state *const *states,
		    const struct host_notes_to *to);

#endif
