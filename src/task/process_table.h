/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes and threads there are: names, mappings, who runs where.  Kept
 * true by the side-band, with what ran before read from /proc.
 */
#ifndef RBTOP_TASK_PROCESS_TABLE_H
#define RBTOP_TASK_PROCESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/side_band.h"
#include "base/key_table.h"
#include "task/process_maps.h"

struct names;
struct process_table;
struct jit_map;

/* A process.  Fields are the table's to change, but for @jit and @jit_*. */
struct process {
	pid_t pid;
	struct process_maps *maps;
	/* of @maps and @jit as they are: no other process' or time's, so what
	 * was found for an address holds as long as this does */
	uint64_t generation;
	/* those of the program before, while execve(2) may not have returned:
	 * until then samples are of its caller; NULL: none */
	struct process_maps *former;
	uint64_t exec_time;	/* ns; of @former */
	bool has_vdso;		/* of the new ones, the kernel maps it last */
	bool maps_read;		/* from /proc, or born under our eyes */
	uint64_t comms_since;	/* tick; names learnt earlier are stale */
	uint64_t heal_at;	/* ns; not before */
	unsigned int heals;	/* in vain so far; 0 again once one helped */
	bool exited;
	uint64_t exit_time;	/* ns, of the EXIT record or last asked for */
	struct jit_map *jit;	/* the resolver's; freed with the process */
	bool jit_tried;
	uint64_t jit_checked;	/* ns */
	const char *jit_path;	/* kept; NULL: not asked for yet */
};

/* @proc is "/proc" but in tests.  NULL when out of memory. */
struct process_table *process_table_new(const char *proc,
					struct names *names);
void process_table_free(struct process_table *t);

/* Take in a record: COMM, MMAP, MMAP2, FORK, EXIT, SWITCH*, NAMESPACES. */
void process_table_record(struct process_table *t,
			  const struct side_band *record);

/* The process, read from /proc if it was not known.  NULL: no memory. */
struct process *process_table_get(struct process_table *t, pid_t pid);
/* If it is known already. */
struct process *process_table_find(const struct process_table *t, pid_t pid);
/*
 * The mapping of @p that @addr lies in, or that of the program that called
 * execve(2), where that may still be running; NULL for none.
 */
struct process_map *process_table_map(struct process_table *t,
				      struct process *p, uint64_t addr);
/*
 * An address of @p is in no mapping, so what is known of it is not true: the
 * record of an exec(2) or mmap(2) was lost, or came on a CPU that nobody
 * watches.  Its mappings are read again, and its threads' names when they are
 * asked for; not within a second (by @now, ns).  Whether they were read.
 */
bool process_table_heal(struct process_table *t, struct process *p,
			uint64_t now);
/* What was found for addresses of @p holds no longer. */
void process_table_changed(struct process_table *t, struct process *p);
/* All processes; @walk begins as all 0, and nothing else is called between. */
struct process *process_table_walk(const struct process_table *t,
				   struct key_walk *walk);
/* A task's comm, kept among the names; "?" or ":TID" where nobody knows. */
const char *process_table_comm(struct process_table *t, pid_t pid, pid_t tid);

/*
 * Read the comms and mappings of all processes that run (@pids: of these @nr
 * alone), a slice of @budget seconds at a time; true when there is more to do.
 */
void process_table_scan_begin(struct process_table *t, const pid_t *pids,
			      size_t nr);
bool process_table_scan(struct process_table *t, double budget);
/*
 * Records were lost: whatever is known may be stale.  It is read again, each
 * when it is asked for or its turn comes in the scan that this begins.
 */
void process_table_resync(struct process_table *t);

/*
 * Forget what exited before @time (ns) and was not asked for since.  Returns
 * how many processes are left.
 */
size_t process_table_expire(struct process_table *t, uint64_t time);
size_t process_table_len(const struct process_table *t);
/* The mappings' share is that of the last process_table_expire(). */
size_t process_table_bytes(const struct process_table *t);

#endif
