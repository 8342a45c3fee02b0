/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The field of a tracepoint that tells most about its samples, by which Hot
 * groups them at first.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_TELLING_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_TELLING_H

struct tep_event;

/*
 * The system call of raw_syscalls; else the first name that is not that of the
 * task itself (next_comm of sched:sched_switch, rwbs of block:block_rq_issue);
 * else a number with few values, such as a state or a vector.  NULL: none, so
 * that the task tells most.  Valid as long as the event.
 */
const char *tracepoint_telling(const struct tep_event *event);

#endif
