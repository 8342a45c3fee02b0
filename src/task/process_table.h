/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks as of the record that the resolver takes in (task/tasks.h), for
 * whoever looks up what samples are of: kept true by the side-band, with what
 * no record told of read from /proc, when it is asked for or in a scan.
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
/* Each of the process_table_len() that there are now. */
struct process *process_table_at(const struct process_table *t, size_t i);
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
size_t process_table_bytes(const struct process_table *t);

#endif
