/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks as of the record that the resolver processes (task/tasks.h), for
 * resolving samples.  Updated by the side-band; what no record reported is read
 * from /proc, on demand or by a scan.
 */
#ifndef RBTOP_TASK_PROCESS_TABLE_H
#define RBTOP_TASK_PROCESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/side_band.h"
#include "task/tasks.h"

struct names;
struct process_table;

/*
 * @proc: "/proc", except in tests; "": only what records say is known, up to 64
 * MiB.  NULL when out of memory.
 */
struct process_table *process_table_new(const char *proc,
					struct names *names);
void process_table_free(struct process_table *t);

/* Process a record: COMM, MMAP, MMAP2, FORK, EXIT, SWITCH*, NAMESPACES. */
void process_table_record(struct process_table *t,
			  const struct side_band *record);

/* The process, read from /proc if unknown.  NULL: out of memory. */
struct process *process_table_get(struct process_table *t, pid_t pid);
/* The process, if it is known; else NULL. */
struct process *process_table_find(const struct process_table *t, pid_t pid);
/*
 * The mapping of @p that contains @addr, or that of the program that called
 * execve(2), if it may still be running; NULL if there is none.
 */
struct process_map *process_table_map(struct process_table *t,
				      struct process *p, uint64_t addr);
/*
 * Call if an address of @p is in no mapping, so that its mappings are out of
 * date: the record of an exec(2) or mmap(2) was lost, or was written on a CPU
 * that is not monitored.  Reads the mappings again, and marks the threads'
 * names to be read on demand; at most once per second (@now, ns).  Returns
 * whether they were read.
 */
bool process_table_heal(struct process_table *t, struct process *p,
			uint64_t now);
/* Invalidate what was found for addresses of @p. */
void process_table_changed(struct process_table *t, struct process *p);
/* The @i-th of the present process_table_len() processes. */
struct process *process_table_at(const struct process_table *t, size_t i);
/* A task's comm, stored in names; "?" or ":TID" if unknown. */
const char *process_table_comm(struct process_table *t, pid_t pid, pid_t tid);

/*
 * Read the comms and mappings of all running processes (or only of the @nr
 * @pids), a slice of @budget seconds at a time; true if there is more to do.
 */
void process_table_scan_begin(struct process_table *t, const pid_t *pids,
			      size_t nr);
bool process_table_scan(struct process_table *t, double budget);
/*
 * Records were lost: all that is known may be stale.  It is read again, on
 * demand or by the scan that this starts.
 */
void process_table_resync(struct process_table *t);

/*
 * Forget tasks that exited before @time (ns) and were not used since.  Returns
 * the number of processes left.
 */
size_t process_table_expire(struct process_table *t, uint64_t time);
size_t process_table_len(const struct process_table *t);
size_t process_table_bytes(const struct process_table *t);

#endif
