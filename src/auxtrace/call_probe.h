/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A uprobe of rbtop's own in tracefs (Documentation/trace/uprobetracer.rst),
 * called "rbtop_PID:FUNC": its tracepoint can be inherited, which an event of
 * the uprobe PMU cannot.
 */
#ifndef RBTOP_AUXTRACE_CALL_PROBE_H
#define RBTOP_AUXTRACE_CALL_PROBE_H

#include <stdint.h>

struct call_probe;
struct err;

/*
 * Add one at @offset of @file; @name, a function's, becomes its own as far as
 * tracefs has such names.  Those that a killed rbtop left are removed first.
 * @tracefs: where it is mounted; NULL: nowhere.  NULL with @err.
 */
struct call_probe *call_probe_add(const char *tracefs, const char *name,
				  const char *file, uint64_t offset,
				  struct err *err);
/* Once no event uses it: until then the kernel keeps it.  NULL is fine. */
void call_probe_remove(struct call_probe *p);

/* "rbtop_123:main", as -e takes it. */
const char *call_probe_event(const struct call_probe *p);

#endif
