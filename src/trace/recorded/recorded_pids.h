/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes a recording has samples of. */
#ifndef RBTOP_TRACE_RECORDED_RECORDED_PIDS_H
#define RBTOP_TRACE_RECORDED_RECORDED_PIDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "ring/ring_stats.h"

enum {
	RECORDED_COMM = 16,
	RECORDED_COMMS_MAX = 1 << 16,	/* processes; more have no name */
	RECORDED_RUNS = 64,
};

/* Starts zeroed. */
struct recorded_pids {
	struct top_pids top;
	struct recorded_run {
		uint32_t pid;
		uint64_t samples;
	} runs[RECORDED_RUNS];	/* by pid: the last ones, not yet in top */
	uint64_t samples;	/* of known processes, those included */
	struct table by_pid;	/* places in comms */
	char (*comms)[RECORDED_COMM];
	size_t nr_comms, room;
};

void recorded_pids_free(struct recorded_pids *p);

/* Add to top the samples of @run, whose place another process takes. */
void recorded_pids_end(struct recorded_pids *p, struct recorded_run *run);

static inline void recorded_pids_add(struct recorded_pids *p, uint32_t pid)
{
	struct recorded_run *run = &p->runs[pid % RECORDED_RUNS];

	if (run->pid != pid) {
		recorded_pids_end(p, run);
		run->pid = pid;
	}
	run->samples++;
	p->samples++;
}

/* What @record, a COMM or FORK of @size bytes in this machine's order, says. */
void recorded_pids_name(struct recorded_pids *p, const void *record,
			size_t size);

/* As top_pids_sorted(), after the last sample. */
unsigned int recorded_pids_sorted(struct recorded_pids *p,
				  struct top_pid out[TOP_PIDS]);
/* The last name of @pid, as the file has it; "" if it is not known. */
const char *recorded_pids_comm(const struct recorded_pids *p, pid_t pid);

#endif
