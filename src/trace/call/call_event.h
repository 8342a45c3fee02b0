/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event of --snapshot-on call:FUNC, with one sample for each call.  Its
 * type depends on the function and on the target:
 *
 * - A function of a file, system-wide, per CPU or without inheritance: the
 *   uprobe PMU, by file and offset.  Its events must not be inherited:
 *   perf_uprobe_init() (kernel/trace/trace_event_perf.c) reads the path from
 *   the address space of the forking task, so fork(2) in the target would fail
 *   with EFAULT.
 * - A function of a file, in tasks and their children: a probe in tracefs, like
 *   those of perf probe, and its tracepoint.  It is removed at the end.
 * - If these are not permitted: a hardware breakpoint in the tasks, at the
 *   address of the function.  The address is known for running processes, and
 *   for a command that is not a PIE.  A CPU has few breakpoints (4 on x86).
 * - A function of the kernel: a hardware breakpoint, per CPU only.  A task that
 *   inherited it could not fork without CAP_SYS_ADMIN (hw_breakpoint_parse() in
 *   kernel/events/hw_breakpoint.c).
 */
#ifndef RBTOP_TRACE_CALL_CALL_EVENT_H
#define RBTOP_TRACE_CALL_CALL_EVENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perf/event/event_spec.h"
#include "perf/target/target.h"

struct call_event;
struct call_spec;
struct err;

/* Where files are looked up, and what is permitted; tests use their own. */
struct call_event_env {
	const char *pmus;	/* PMU_DEVICES */
	const char *proc;	/* "/proc" */
	const char *kallsyms;	/* "/proc/kallsyms" */
	const char *tracefs;	/* where it is mounted; NULL: it is not */
	bool privileged;	/* CAP_PERFMON or CAP_SYS_ADMIN: uprobes */
};
void call_event_env_here(struct call_event_env *env);

/*
 * Add the event to a copy of @events, the events that watch @target.  @program:
 * argv[0] of the command to be started, looked up like execvp(3) does; NULL if
 * there is none.  The copy borrows what @events owns, and is valid until
 * call_event_close().  NULL with @err: ERR_USAGE if the function does not exist
 * or is ambiguous; ERR_MACHINE, with advice, if no type of event is possible.
 */
struct call_event *call_event_open(const struct call_event_env *env,
				   const struct call_spec *spec,
				   const struct event_list *events,
				   const struct target *target,
				   const char *program, struct err *err);
/*
 * Keep the tracefs probe in every process until call_event_close(), with a
 * per-CPU event that is never enabled.  If only tasks have events, the kernel
 * removes the probe from a process for which it finds none
 * (uprobe_perf_filter() in kernel/trace/trace_uprobe.c).  It may miss an
 * inherited event, since parent and child swap their contexts when one follows
 * the other on a CPU (perf_event_context_sched_out()); calls would not be
 * counted from then on.  0, also if there is no tracefs probe; or -errno with
 * @err.
 */
int call_event_keep(struct call_event *c, struct err *err);
/*
 * To be called after the session is closed: the kernel does not remove a probe
 * that is in use.  NULL is fine.
 */
void call_event_close(struct call_event *c);

struct event_list call_event_list(const struct call_event *c);
/* The index of the event in call_event_list(). */
size_t call_event_index(const struct call_event *c);

/* Where the function is: call_place.c. */
struct call_place {
	bool kernel;
	char file[PATH_MAX];	/* the path to open; "" for the kernel */
	bool is_program;	/* @file is the command to be started */
	uint64_t start;		/* a file offset, or an address in the kernel */
};

/*
 * Fill in @place.  @program: see call_event_open().  0, or -errno with @err as
 * there.
 */
int call_place_find(const struct call_event_env *env,
		    const struct call_spec *spec, const struct target *target,
		    const char *program, struct call_place *place,
		    struct err *err);

/*
 * The address of @place, which must be the same in all tasks of @target: from
 * the mappings of running tasks, or from the file of a command that is not a
 * PIE.  0; or -errno with @err if it is not mapped, has several addresses, or
 * is not known before the command runs.
 */
int call_place_address(const struct call_event_env *env,
		       const struct call_place *place,
		       const struct target *target, const char *program,
		       uint64_t *address, struct err *err);

#endif
