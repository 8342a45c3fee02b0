/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks and mappings that a snapshot needs to be decoded: how they stood
 * at some moment, and the records of every change since then, as they came; and
 * the hardware IDs of its trace (task/hw_ids.h).
 *
 * When the records take too much memory the oldest are folded into the state.
 * The resolver thread writes, another thread reads; both lock.
 */
#ifndef RBTOP_TASK_TASK_HISTORY_H
#define RBTOP_TASK_TASK_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/perf_clock.h"
#include "task/tasks_records.h"

struct hw_id;
struct side_band;
struct task_history;

/* At most @bytes of records, and as much of state.  NULL: out of memory. */
struct task_history *task_history_new(size_t bytes);
void task_history_free(struct task_history *h);

/* What the records' times are read on; CLOCK_MONOTONIC until then. */
void task_history_clock(struct task_history *h, struct perf_clock clock);

/*
 * The state as /proc has it, of the processes @pids and of those that records
 * told of by now, or of all (@nr 0); once the events are enabled, so that no
 * change is missed.  Replaces the state, and drops the records from before.
 * Those that come meanwhile are kept, for a process that was read already, but
 * for what was read with the process itself; of that, those that come late are
 * not taken either (see tasks_know()).  More processes may take more
 * memory than was said.  0, or -errno and all is as it was.
 */
int task_history_read_proc(struct task_history *h, const pid_t *pids,
			   size_t nr);
/* The same once more, after side-band was lost, of the same @pids. */
int task_history_reread(struct task_history *h);

/*
 * A record that the kernel wrote, decoded to @r, of the next moment in time:
 * COMM, MMAP, MMAP2, FORK, EXIT, NAMESPACES, KSYMBOL, CGROUP are kept, others
 * ignored.  The last three are not folded into the state, but forgotten.  The
 * latest AUX_OUTPUT_HW_ID of each event and CPU is kept permanently.
 */
void task_history_record(struct task_history *h, const struct side_band *r,
			 const void *record);

/*
 * Call @fn with every record that makes the state (COMM, MMAP2 and FORK with
 * time 0), then with those kept, oldest first, and with the hardware IDs, until
 * it returns non-zero, which is returned; or -ENOMEM.  All records are from one
 * moment.  @fn may take long, since no lock is held, and may change the record.
 */
int task_history_each(struct task_history *h, tasks_records_fn *fn, void *ctx);

/* A copy of the *@nr hardware IDs, which the caller frees.  0 or -ENOMEM. */
int task_history_hw_ids(struct task_history *h, struct hw_id **ids, size_t *nr);

struct task_history_stats {
	size_t processes, bytes, limit;
	uint64_t dropped;	/* tasks, mappings and hardware IDs, for lack
				 * of room */
	uint64_t read_ns;	/* when /proc was begun to be read: the state
				 * has all from before; 0: not known */
};
void task_history_stats(struct task_history *h,
			struct task_history_stats *stats);

/* Whether records of @type are kept here rather than in a ring's history. */
bool task_history_keeps(unsigned int type);

#endif
