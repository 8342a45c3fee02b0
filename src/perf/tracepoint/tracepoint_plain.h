/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print formats of nothing but text, numbers and char arrays at fixed places,
 * as most events have that come often.  They are read once; a record's text
 * then is made at once, to the byte as libtraceevent makes it, which calls
 * printf(3) for each value.
 *
 * Pure.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_PLAIN_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <traceevent/event-parse.h>

struct tracepoint_plain;

/*
 * The print format of @event, which has to outlive it.  NULL where that is of
 * another kind, or when out of memory.
 */
struct tracepoint_plain *tracepoint_plain_new(struct tep_event *event);
void tracepoint_plain_free(struct tracepoint_plain *plain);

/*
 * The text of @data, sanitized, cut to @len - 1 bytes (@len >= 1).  False, and
 * "", where not all fields of the event lie within its @size bytes.
 */
bool tracepoint_plain_print(const struct tracepoint_plain *plain,
			    const void *data, size_t size, char *buf,
			    size_t len);

#endif
