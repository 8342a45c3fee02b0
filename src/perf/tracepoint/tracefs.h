/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints: where tracefs is, their ids, their fields. */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEFS_H
#define RBTOP_PERF_TRACEPOINT_TRACEFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

/*
 * The mounted tracefs: /sys/kernel/tracing, else /sys/kernel/debug/tracing.  If
 * neither is mounted, try to mount it, as perf does.  NULL with @err on
 * failure, with the command that fixes it.
 */
const char *tracefs_path(struct err *err);

/* Where tracefs is mounted, readable or not; NULL if it is not. */
const char *tracefs_mounted(void);

/* The id of the tracepoint @sys:@name.  0 or -errno with @err. */
int tracefs_event_id(const char *tracefs, const char *sys, const char *name,
		     uint64_t *id, struct err *err);

typedef int tracefs_event_fn(void *ctx, const char *sys, const char *name);

/*
 * Call @fn for each tracepoint that matches the globs @sys and @name (fnmatch),
 * sorted.  Stops at the first non-zero return, and returns it; -ENOENT with
 * @err if nothing matches.
 */
int tracefs_each_event(const char *tracefs, const char *sys, const char *name,
		       tracefs_event_fn *fn, void *ctx, struct err *err);

/*
 * Read an event's format file; the caller frees @text.  Its length or -errno.
 */
ssize_t tracefs_read_format(const char *tracefs, const char *sys,
			    const char *name, char **text);

/*
 * The size in bytes of an event's fixed fields, and its field names joined by
 * commas into @fields (cut to fit; may be NULL), parsed by libtraceevent from
 * its format file.  0 or -errno.
 */
int tracefs_event_fields(const char *tracefs, const char *sys,
			 const char *name, uint32_t *bytes, char *fields,
			 size_t size);

#endif
