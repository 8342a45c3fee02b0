/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All perf rings and BPF ring buffers of the machine, of any owner, as screens
 * and exports see them: read from the kernel at intervals, with figures
 * computed from two readings.
 *
 * Only the owner of a ring sees each of its drains.  Figures from readings at
 * intervals are bounds, and marked as such: "at least", "at most".
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

/* Selects the rings to show. */
struct host_filter {
	const pid_t *pids;	/* only those of these owners; NULL: all */
	size_t nr_pids;
	const struct cpulist *cpus; /* only those of these CPUs; NULL: all */
};

bool host_filter_shows(const struct host_filter *filter,
		       const struct ring_row *row);

/* Pinned memory and limits of a user. */
struct host_user {
	uid_t uid;
	char name[32];
	uint64_t locked;	/* user->locked_vm in bytes; UNKNOWN */
	uint64_t limit;		/* perf_event_mlock_kb for all online CPUs */
	uint64_t pinned;	/* beyond that limit, of the owner that pins
				 * most (VmPin) */
	uint64_t memlock;	/* RLIMIT_MEMLOCK of that owner; UNKNOWN:
				 * none */
	bool exempt;		/* CAP_IPC_LOCK, or perf_event_paranoid < 0 */
	bool at_limit;
	unsigned int rings;
};

struct host_status {
	bool ready;		/* at least one pass was made */
	bool bpf;		/* read with BPF; else from /proc */
	char reason[240];	/* why not BPF, and the remedy; "" */
	char error[160];	/* problem of the last pass; "" */
	uint64_t passes;
	double interval;	/* present seconds between passes */
	double cost;		/* CPU seconds that a pass takes */
	double whole_age;	/* seconds since all processes were read */
	uint64_t files;		/* file descriptors that are perf events */
	uint64_t ringless;	/* events without a ring: counters */
	uint64_t processes;	/* that hold events or rings */
	unsigned int hidden;	/* processes that rbtop may not read: their
				 * rings are not listed */
};

struct host {
	struct ring_row *rows;	/* in order of appearance */
	size_t nr_rows;
	struct host_user *users;	/* by uid */
	size_t nr_users;
	struct host_status status;
	/*
	 * Sizes, warnings and rates are sums over present rings, peaks those of
	 * the worst of them.  Bytes, drains, wakeups and losses include all
	 * rings ever seen, so they never decrease; unknown if no ring has them.
	 * Losses that were pending when an owner exited stay pending.
	 */
	struct ring_total total;
	char verdicts[200];	/* verdicts_text() of its rings */
	pid_t self;		/* rbtop's pid */
	double time;		/* unix seconds */
	double interval;	/* seconds that rates are over; 0 at first */
};

/* The row with @id; NULL if there is none. */
const struct ring_row *host_find(const struct host *host, uint64_t id);

/*
 * Whether the number of rings is known.  If none was found, it is unknown
 * before the first pass, and if some processes could not be read.
 */
bool host_is_counted(const struct host *host);

/*
 * Set the total's unknown figures to UNKNOWN, according to the status: without
 * BPF all but sizes; sizes as well if the number of rings is unknown.
 */
void host_limit_total(struct host *host);

#endif
