/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print formats with only text, numbers and char arrays at fixed offsets, as
 * most frequent events have.  They are parsed once.  The text of a record is
 * then made directly, byte for byte as libtraceevent makes it, which calls
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
 * Parse the print format of @event, which must outlive it.  NULL if it is of
 * another kind, or when out of memory.
 */
struct tracepoint_plain *tracepoint_plain_new(struct tep_event *event);
void tracepoint_plain_free(struct tracepoint_plain *plain);

/*
 * The text of @data, sanitized, cut to @len - 1 bytes (@len >= 1).  False, with
 * "", if not all fields of the event are within its @size bytes.
 */
bool tracepoint_plain_print(const struct tracepoint_plain *plain,
			    const void *data, size_t size, char *buf,
			    size_t len);

#endif
