/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A uprobe that rbtop adds in tracefs (Documentation/trace/uprobetracer.rst),
 * named "rbtop_PID:FUNC".  Its tracepoint event can be inherited, unlike an
 * event of the uprobe PMU.
 */
#ifndef RBTOP_TRACE_CALL_CALL_PROBE_H
#define RBTOP_TRACE_CALL_CALL_PROBE_H

#include <stdint.h>

struct call_probe;
struct err;

/*
 * Add a probe at @offset of @file, named after the function @name; characters
 * that tracefs does not allow in names are replaced.  Probes left behind by
 * killed instances of rbtop are removed first.  @tracefs: where it is mounted,
 * or NULL.  NULL with @err on failure.
 */
struct call_probe *call_probe_add(const char *tracefs, const char *name,
				  const char *file, uint64_t offset,
				  struct err *err);
/*
 * To be called when no event uses the probe any more: the kernel does not
 * remove it before.  NULL is fine.
 */
void call_probe_remove(struct call_probe *p);

/* The event's name as -e accepts it, for example "rbtop_123:main". */
const char *call_probe_event(const struct call_probe *p);

#endif
