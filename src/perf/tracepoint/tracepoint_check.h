/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks whether libtraceevent can safely read a tracepoint's raw data.  It
 * follows all offsets and lengths in there: those of the fields, and what the
 * print format computes from them (lengths of hex dumps, indexes, widths).
 *
 * Pure.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_CHECK_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

/* A range of bytes in a record. */
struct tracepoint_span {
	size_t start, len;
};

/*
 * The bytes of @field in @data, of @size bytes: its own, or those that a
 * dynamic field (__data_loc, __rel_loc) refers to.  False if they are not
 * within @data.
 */
bool tracepoint_check_span(const struct tep_format_field *field,
			   const void *data, size_t size,
			   struct tracepoint_span *span);

/* Whether numbers have that many bytes. */
static inline bool tracepoint_check_is_number(size_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The unsigned number of 1, 2, 4 or 8 bytes at @data. */
uint64_t tracepoint_check_number(const void *data, size_t size);

/* Whether libtraceevent parsed its fields, but not its print format. */
static inline bool tracepoint_check_failed(const struct tep_event *event)
{
	return (unsigned int)event->flags & TEP_EVENT_FL_FAILED;
}

/*
 * Whether all fields of @event are within @data, and its print format reads
 * nothing outside, does not divide by zero, and has no absurd width.
 */
bool tracepoint_check(struct tep_event *event, const void *data,
		      size_t size);

#endif
