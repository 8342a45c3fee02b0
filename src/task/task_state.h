/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks and mappings there were at some moment, and that as records: what
 * task_history.h begins with.  For one thread at a time.
 */
#ifndef RBTOP_TASK_TASK_STATE_H
#define RBTOP_TASK_TASK_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "task/task_history.h"
#include "perf/session/perf_clock.h"
#include "perf/abi/side_band.h"

struct task_state;

/* Of about @limit bytes at most.  NULL: out of memory. */
struct task_state *task_state_new(size_t limit);
void task_state_free(struct task_state *t);

/*
 * Add what /proc says of @pids, at times of @clock.  Who is gone by then is
 * left out.  0, -ENOMEM, or -ENOENT where no process could be read.
 */
int task_state_read_proc(struct task_state *t, const struct perf_clock *clock,
			 const pid_t *pids, size_t nr);
/*
 * Whether @record tells of a process as it was before that was read from
 * /proc: to take it in would undo what came since.
 */
bool task_state_knows(const struct task_state *t,
		      const struct side_band *record);
/* Take in a record: COMM, MMAP, MMAP2, FORK, EXIT. */
void task_state_record(struct task_state *t, const struct side_band *record);

/* As task_history_each(), of the state alone. */
int task_state_each(const struct task_state *t, task_history_fn *fn,
		    void *ctx);
/* All pids: an array of *@nr for the caller to free.  NULL: no memory. */
pid_t *task_state_pids(const struct task_state *t, size_t *nr);

size_t task_state_len(const struct task_state *t);	/* processes */
size_t task_state_bytes(const struct task_state *t);
size_t task_state_limit(const struct task_state *t);
/* Tasks and mappings that found no room. */
uint64_t task_state_dropped(const struct task_state *t);

#endif
