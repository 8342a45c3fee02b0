/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks and mappings needed to decode a snapshot: the state at some moment,
 * and the records of all changes since then, in order; and the hardware IDs of
 * its trace.
 *
 * If the records use too much memory, the oldest are applied to the state.  The
 * resolver thread writes, another thread reads; both lock.
 */
#ifndef RBTOP_TASK_TASK_HISTORY_H
#define RBTOP_TASK_TASK_HISTORY_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/abi/perf_clock.h"
#include "perf/abi/record.h"
#include "perf/abi/side_band.h"

/*
 * The latest PERF_RECORD_AUX_OUTPUT_HW_ID of each event on each CPU.  The
 * kernel writes such a record once, when the event first runs there (Linux 6.3
 * and newer; etm_event_start() in
 * drivers/hwtracing/coresight/coresight-etm-perf.c).  Without it CoreSight
 * trace cannot be assigned to a CPU, so it is kept regardless of its age.
 */

enum { HW_ID_RECORD = sizeof(struct perf_event_header) + 8 + RECORD_TRAILER };

struct hw_id {
	uint64_t id;		/* of the event */
	uint32_t cpu;
	uint64_t hw_id;		/* as written by the driver */
	uint64_t time;		/* ns of the session's clock */
	_Alignas(uint64_t) unsigned char record[HW_ID_RECORD];
};

/* Sorted by id, then by CPU.  Zeroed: empty. */
struct hw_ids {
	struct hw_id *ids;
	size_t nr, cap;
};

/*
 * Keep @record, which was decoded to @r, replacing an older one of the same
 * event and CPU.  0; -EINVAL if it is not of the size that the events
 * of rbtop have; -ENOMEM if out of memory, or if there are 65536 records.
 */
int hw_ids_put(struct hw_ids *ids, const struct side_band *r,
	       const void *record);
void hw_ids_free(struct hw_ids *ids);

struct hw_id;
struct side_band;
struct task_history;

/* Gets a record of @size bytes, which it may change; non-zero: stop. */
typedef int task_history_fn(void *ctx, void *record, size_t size);

/* Limit of the records, and of the state: @bytes each.  NULL: out of memory. */
struct task_history *task_history_new(size_t bytes);
void task_history_free(struct task_history *h);

/* Set the clock of the records' times; CLOCK_MONOTONIC until then. */
void task_history_clock(struct task_history *h, struct perf_clock clock);

/*
 * Read the state from /proc: of the processes @pids and those known from
 * records so far, or of all (@nr 0).  Call when the events are enabled, so that
 * no change is missed.  Replaces the state and drops older records.  Records
 * that arrive meanwhile are kept if they are about a process that was already
 * read, except for changes that reading it included; late records of such
 * changes are ignored too (see tasks_know()).  Many processes may exceed the
 * memory limit.  0; or -errno with no change.
 */
int task_history_read_proc(struct task_history *h, const pid_t *pids,
			   size_t nr);
/* Read the state of the same @pids again, after side-band was lost. */
int task_history_reread(struct task_history *h);

/*
 * Add the next record of the kernel, decoded to @r.  COMM, MMAP, MMAP2, FORK,
 * EXIT, NAMESPACES, KSYMBOL and CGROUP are kept, others ignored.  When memory
 * is short the last three are dropped instead of applied.  The latest
 * AUX_OUTPUT_HW_ID of each event and CPU is kept permanently.
 */
void task_history_record(struct task_history *h, const struct side_band *r,
			 const void *record);

/*
 * Call @fn with records that describe the state (COMM, MMAP2 and FORK with time
 * 0), then with those kept, oldest first, then with the hardware IDs, until it
 * returns non-zero, which is returned; or -ENOMEM.  All records are from one
 * moment.  @fn may be slow, since no lock is held, and may change the record.
 */
int task_history_each(struct task_history *h, task_history_fn *fn, void *ctx);

/* A copy of the *@nr hardware IDs, which the caller frees.  0 or -ENOMEM. */
int task_history_hw_ids(struct task_history *h, struct hw_id **ids, size_t *nr);

struct task_history_stats {
	size_t processes, bytes, limit;
	uint64_t dropped;	/* tasks, mappings and hardware IDs dropped at
				 * the limit */
	uint64_t read_ns;	/* start of reading /proc: older changes are in
				 * the state; 0: unknown */
};
void task_history_stats(struct task_history *h,
			struct task_history_stats *stats);

/* Whether records of @type are kept here, not in the ring's history. */
bool task_history_keeps(unsigned int type);

#endif
