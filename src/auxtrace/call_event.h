/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event of --snapshot-on call:FUNC, one sample for each call.  Which of the
 * kernel's means it is:
 *
 * - A function of a file, on CPUs or without inheritance: the uprobe PMU, by
 *   file and offset.  Its events must not be inherited: perf_uprobe_init()
 *   (kernel/trace/trace_event_perf.c) reads the path from the address space of
 *   whoever forks, so fork(2) in the target would fail with EFAULT.
 * - The same of tasks with what they start: a probe in tracefs, as perf probe
 *   makes it, and its tracepoint.  It is removed at the end.
 * - Where neither may be had, a breakpoint in the tasks, at the address that
 *   the function has in them: known of processes that run, and of a command
 *   that is no PIE.  The CPU has few of them (4 on x86).
 * - A function of the kernel: a breakpoint, on CPUs alone.  A task that
 *   inherited it could not fork without CAP_SYS_ADMIN (hw_breakpoint_parse() in
 *   kernel/events/hw_breakpoint.c).
 */
#ifndef RBTOP_AUXTRACE_CALL_EVENT_H
#define RBTOP_AUXTRACE_CALL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "perf/event_spec.h"
#include "perf/target.h"

struct call_event;
struct call_spec;
struct err;

/* Where it is looked up, and what may be done; tests have their own. */
struct call_event_env {
	const char *pmus;	/* "/sys/bus/event_source/devices" */
	const char *proc;	/* "/proc" */
	const char *kallsyms;	/* "/proc/kallsyms" */
	const char *tracefs;	/* where it is mounted; NULL: nowhere */
	bool privileged;	/* CAP_PERFMON or CAP_SYS_ADMIN: uprobes */
};
void call_event_env_here(struct call_event_env *env);

/*
 * Add the event to a copy of @events, which @target is watched with; @program
 * is the command that it is (argv[0], found as execvp(3) does), or NULL.  The
 * copy borrows what @events owns, and is valid until the close.  NULL with
 * @err: ERR_USAGE where the function is not there or stands for several;
 * ERR_MACHINE where the kernel refuses all of the means, with what to do.
 */
struct call_event *call_event_open(const struct call_event_env *env,
				   const struct call_spec *spec,
				   const struct event_list *events,
				   const struct target *target,
				   const char *program, struct err *err);
/*
 * Keep a probe in every process until the close, by an event of a CPU that is
 * never enabled.  With events of tasks alone the kernel removes it from a
 * process of which it finds none (uprobe_perf_filter() in
 * kernel/trace/trace_uprobe.c); and an inherited event may be of another task,
 * for parent and child exchange theirs as one follows the other on a CPU
 * (perf_event_context_sched_out()): from then on no call was counted.  0, also
 * where it is no probe; or -errno with @err.
 */
int call_event_keep(struct call_event *c, struct err *err);
/* Once the session is closed: a probe in use stays.  NULL is fine. */
void call_event_close(struct call_event *c);

struct event_list call_event_list(const struct call_event *c);
/* Its index in there. */
size_t call_event_index(const struct call_event *c);

#endif
