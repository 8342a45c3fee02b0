/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An expression on samples that a drain can evaluate: without allocations,
 * locks or system calls, on what is at fixed offsets in a sample.
 */
#ifndef RBTOP_COLLECT_TRIGGERS_SAMPLE_TRIGGER_H
#define RBTOP_COLLECT_TRIGGERS_SAMPLE_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/record.h"

struct err;
struct filter_node;
struct ring;
struct sample_trigger;
struct trigger_events;

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
struct comm_watch;

/* Read the comms of all tasks from /proc. */
void comm_watch_scan(struct comm_watch *w);
/* Learn from the record at @position of @ring, if it is a COMM or a FORK. */
void comm_watch_record(struct comm_watch *w, const struct ring *ring,
		       uint64_t position, struct perf_event_header header);

/* Check that @root uses nothing else: 0, or -EINVAL with @err (ERR_USAGE). */
int sample_trigger_check(const struct filter_node *root, struct err *err);

/* @root was checked, and is taken over, also on failure.  NULL with @err. */
struct sample_trigger *
sample_trigger_new(struct filter_node *root,
		   const struct trigger_events *events, struct err *err);
void sample_trigger_free(struct sample_trigger *s);

/* The comms that the expression asks for; NULL: it asks for none. */
struct comm_watch *sample_trigger_comms(struct sample_trigger *s);

/* Any thread: whether the expression holds for such a sample. */
bool sample_trigger_holds(const struct sample_trigger *s, uint32_t tag,
			  uint32_t cpu, pid_t pid, pid_t tid);

#endif
