/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks bear names that are looked for, for drains: a sample says which
 * thread it is of, not what that is called.
 *
 * The readers write and read without a lock.  The records of a task may come
 * from several rings in any order; the latest of them counts.  So what a task
 * is called is known once the ring with the record of it was drained: a sample
 * of the first ms of a name may be looked at before that.  A child whose FORK
 * was drained before the COMM of its parent has the wrong one until the next
 * scan.
 */
#ifndef RBTOP_COLLECT_TRIGGERS_COMM_WATCH_H
#define RBTOP_COLLECT_TRIGGERS_COMM_WATCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/record.h"

struct comm_watch;
struct filter_node;
struct ring;

enum { COMM_WATCH_MOST = 8 };	/* comparisons */

/*
 * Of these @nr comparisons with a comm, at most COMM_WATCH_MOST, borrowed.
 * It takes 8 bytes for each task id that is seen.  NULL: out of memory.
 */
struct comm_watch *comm_watch_new(const struct filter_node *const *nodes,
				  size_t nr);
void comm_watch_free(struct comm_watch *w);

/* Take in what all tasks are called by /proc. */
void comm_watch_scan(struct comm_watch *w);
/* A record at @position of @ring: COMM and FORK count. */
void comm_watch_record(struct comm_watch *w, const struct ring *ring,
		       uint64_t position, struct perf_event_header header);
/* Which of the comparisons hold for a task, a bit each; 0 if unknown. */
uint8_t comm_watch_bits(const struct comm_watch *w, pid_t tid);

#endif
