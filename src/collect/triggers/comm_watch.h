/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks whose comm matches a comparison, by tid, for drains: a sample has the
 * tid of its thread, not the comm.
 *
 * The readers write and read without a lock.  The records of a task may come
 * from several rings in any order; the latest one counts.  A comm is known once
 * the ring with its COMM record was drained: a sample of its first ms may be
 * checked before that.  A child whose FORK was drained before the COMM of its
 * parent has the wrong comm until the next scan.
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

enum { COMM_WATCH_MAX = 8 };	/* comparisons */

/*
 * For @nr comparisons with a comm, at most COMM_WATCH_MAX; the nodes are
 * borrowed.  Takes 8 bytes of memory for each tid seen (32 MiB are mapped).
 * NULL: out of memory.
 */
struct comm_watch *comm_watch_new(const struct filter_node *const *nodes,
				  size_t nr);
void comm_watch_free(struct comm_watch *w);

/* Read the comms of all tasks from /proc. */
void comm_watch_scan(struct comm_watch *w);
/* Learn from the record at @position of @ring, if it is a COMM or a FORK. */
void comm_watch_record(struct comm_watch *w, const struct ring *ring,
		       uint64_t position, struct perf_event_header header);
/* Bit i: whether comparison i holds for thread @tid; 0 if it is unknown. */
uint8_t comm_watch_bits(const struct comm_watch *w, pid_t tid);

#endif
