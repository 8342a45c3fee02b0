/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints: where tracefs is, their ids, their fields. */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEFS_H
#define RBTOP_PERF_TRACEPOINT_TRACEFS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

/*
 * The mounted tracefs: /sys/kernel/tracing, else /sys/kernel/debug/tracing.
 * Where neither is mounted and the caller may mount, mount it as perf does.
 * NULL with @err otherwise, with the command that mends it.
 */
const char *tracefs_path(struct err *err);

/* Where tracefs is mounted now, readable or not; NULL if nowhere. */
const char *tracefs_mounted(void);

/* The id of the tracepoint @sys:@name.  0 or -errno with @err. */
int tracefs_event_id(const char *tracefs, const char *sys, const char *name,
		     uint64_t *id, struct err *err);

typedef int tracefs_event_fn(void *ctx, const char *sys, const char *name);

/*
 * Call @fn for each tracepoint that the globs @sys and @name match (fnmatch),
 * sorted.  Stops at the first non-zero return, which it returns; -ENOENT with
 * @err where nothing matches.
 */
int tracefs_each_event(const char *tracefs, const char *sys, const char *name,
		       tracefs_event_fn *fn, void *ctx, struct err *err);

/*
 * The text of an event's format file, to be freed.  Its length or -errno.
 */
ssize_t tracefs_read_format(const char *tracefs, const char *sys,
			    const char *name, char **text);

/*
 * Bytes of the fixed fields of an event, and its field names joined by
 * commas into @fields (cut to fit; may be NULL), parsed by libtraceevent
 * from its format file.  0 or -errno.
 */
int tracefs_event_fields(const char *tracefs, const char *sys,
			 const char *name, uint32_t *bytes, char *fields,
			 size_t size);

#endif
