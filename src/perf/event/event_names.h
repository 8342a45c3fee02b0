/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that are the same on every machine: hardware and software events,
 * cache events ("L1-dcache-load-misses"), raw ones ("r1a8") and breakpoints.
 */
#ifndef RBTOP_PERF_EVENT_EVENT_NAMES_H
#define RBTOP_PERF_EVENT_EVENT_NAMES_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Fill type and config of @attr for @name.  0, or -ENOENT: no such name. */
int event_names_find(const char *name, struct perf_event_attr *attr);

/* The other spelling of a name: "cycles" for "cpu-cycles".  NULL if none. */
const char *event_names_alias(const char *name);

/*
 * The reverse: perf's name for a hardware, software or cache event of that
 * config ("cycles", "L1-dcache-load-misses") into @buf, which is returned; NULL
 * if perf has none.
 */
char *event_names_of(uint32_t type, uint64_t config, char *buf, size_t size);

typedef int event_names_fn(void *ctx, const char *name);

/* Call @fn with every name, until it returns non-zero, which is returned. */
int event_names_each(event_names_fn *fn, void *ctx);

/*
 * The part of a breakpoint after "mem:", "ADDR[/LEN][:ACCESS]", into @attr.
 * *@rest is what follows it: "" or ":" and modifiers.  0, or -EINVAL with
 * @err (ERR_USAGE).
 */
int event_names_breakpoint(const char *text, struct perf_event_attr *attr,
			   const char **rest, struct err *err);

/*
 * The reverse, "mem:ADDR[/LEN]:ACCESS", without the length if it is the
 * default.
 */
char *event_names_breakpoint_of(const struct perf_event_attr *attr, char *buf,
				size_t size);

#endif
