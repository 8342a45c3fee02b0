/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes a recording has samples of. */
#ifndef RBTOP_TRACE_RECORDED_RECORDED_PIDS_H
#define RBTOP_TRACE_RECORDED_RECORDED_PIDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "ring/top_pids.h"

enum {
	RECORDED_COMM = 16,
	RECORDED_COMMS_MAX = 1 << 16,	/* processes; more have no name */
};

/* Starts zeroed. */
struct recorded_pids {
	struct top_pids top;
	pid_t pid;		/* of the last samples, not yet in top */
	uint64_t run;		/* how many they are */
	uint64_t samples;	/* of known processes, those included */
	struct table by_pid;	/* places in comms */
	char (*comms)[RECORDED_COMM];
	size_t nr_comms, room;
};

void recorded_pids_free(struct recorded_pids *p);

void recorded_pids_add(struct recorded_pids *p, uint32_t pid);
/* What @record, a COMM or FORK of @size bytes in this machine's order, says. */
void recorded_pids_name(struct recorded_pids *p, const void *record,
			size_t size);

/* As top_pids_sorted(), after the last sample. */
unsigned int recorded_pids_sorted(struct recorded_pids *p,
				  struct top_pid out[TOP_PIDS]);
/* The last name of @pid, as the file has it; "" if it is not known. */
const char *recorded_pids_comm(const struct recorded_pids *p, pid_t pid);

#endif
