/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every perf ring and BPF ring buffer on the machine, whoever owns it, as
 * screens and exports see them: what was read of the kernel from time to time,
 * and what follows from two readings.
 *
 * Nobody but the owner of a ring sees each drain of it.  What is made of looks
 * at intervals can only bound the truth, and is marked so: "at least", "at
 * most".
 *
 * Units: as in ring_row.h.
 */
#ifndef RBTOP_HOST_TABLE_HOST_H
#define RBTOP_HOST_TABLE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ring/ring_warning.h"

struct cpulist;

/* Whose rings are shown. */
struct host_filter {
	const pid_t *pids;	/* of these owners alone; NULL: of all */
	size_t nr_pids;
	const struct cpulist *cpus; /* of these CPUs alone; NULL: of all */
};

bool host_filter_shows(const struct host_filter *filter,
		       const struct ring_row *row);

/* What a user has pinned, and may. */
struct host_user {
	uid_t uid;
	char name[32];
	uint64_t locked;	/* user->locked_vm in bytes; UNKNOWN */
	uint64_t limit;		/* perf_event_mlock_kb for each CPU online */
	uint64_t pinned;	/* beyond that, of the owner that pins most
				 * (VmPin) */
	uint64_t memlock;	/* its RLIMIT_MEMLOCK; UNKNOWN: none */
	bool exempt;		/* CAP_IPC_LOCK, or perf_event_paranoid < 0 */
	bool at_limit;
	unsigned int rings;
};

struct host_status {
	bool ready;		/* at least one pass was made */
	bool bpf;		/* the kernel is asked; else /proc alone */
	char reason[240];	/* why not, and what mends it; "" */
	char error[160];	/* what the last pass failed with; "" */
	uint64_t passes;
	double interval;	/* seconds between passes, as they are now */
	double cost;		/* CPU seconds that a pass takes */
	double whole_age;	/* seconds since all processes were looked at */
	uint64_t files;		/* file descriptors that are perf events */
	uint64_t ringless;	/* events that have no ring: counters */
	uint64_t processes;	/* that hold one */
	unsigned int hidden;	/* processes that may not be looked into: what
				 * they hold is not listed */
};

struct host {
	struct ring_row *rows;	/* in the order in which they came */
	size_t nr_rows;
	struct host_user *users;	/* by uid */
	size_t nr_users;
	struct host_status status;
	/*
	 * Sizes, warnings and rates are those of rings that are there, peaks of
	 * the worst of them.  What is written, drained, woken and lost counts
	 * all rings ever seen, so it never falls; it is unknown where no ring
	 * tells.  What the owner has exited with stays pending.
	 */
	struct ring_total total;
	pid_t self;		/* rbtop's pid */
	double time;		/* unix seconds */
	double interval;	/* that rates are over; 0 at first */
};

/* The row of an id; NULL where there is none. */
const struct ring_row *host_find(const struct host *host, uint64_t id);

/*
 * Whether the number of rings is known.  That none was seen says nothing where
 * nothing was looked at, or where not all of it could be.
 */
bool host_is_counted(const struct host *host);

/*
 * Set to unknown what the status does not let the total know: all but sizes
 * without BPF, and those too where rings are not counted.
 */
void host_limit_total(struct host *host);

#endif
