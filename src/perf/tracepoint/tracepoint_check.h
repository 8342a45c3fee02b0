/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether libtraceevent may look at a tracepoint's raw data.  It follows every
 * offset and length that it finds there: those of the fields, and what the
 * print format computes of them (lengths of hex dumps, indexes, widths).
 *
 * Pure.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_CHECK_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

/* Bytes of a record. */
struct tracepoint_span {
	size_t start, len;
};

/*
 * Where the bytes of @field are in @data, of @size bytes: its own, or those
 * that a dynamic one (__data_loc, __rel_loc) leads to.  False if that is not
 * within.
 */
bool tracepoint_check_span(const struct tep_format_field *field,
			   const void *data, size_t size,
			   struct tracepoint_span *span);

/* The unsigned number of 1, 2, 4 or 8 bytes at @data. */
uint64_t tracepoint_check_number(const void *data, size_t size);

/* Whether libtraceevent knows its fields, but not its print format. */
static inline bool tracepoint_check_failed(const struct tep_event *event)
{
	return (unsigned int)event->flags & TEP_EVENT_FL_FAILED;
}

/*
 * Whether all fields of @event lie within @data, and printing by its print
 * format stays there as well, divides by no zero, and pads to no absurd width.
 */
bool tracepoint_check(struct tep_event *event, const void *data,
		      size_t size);

#endif
