/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print formats with only text, numbers and char arrays at fixed offsets, as
 * most frequent events have.  They are parsed once.  The text of a record is
 * then made directly, byte for byte as libtraceevent makes it, which calls
 * printf(3) for each value.
 *
 * And those of probes: the events of kprobe_events, uprobe_events and
 * dynamic_events, whose arrays ("u16 a[];", "__data_loc char[][2] a;" for two
 * strings) and characters ("%c") libtraceevent (1.7) does not support.
 *
 * Pure.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_PLAIN_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

struct tracepoint_plain;

/*
 * Parse the print format of @event, which must outlive it.  NULL if it is of
 * another kind, or when out of memory.
 */
struct tracepoint_plain *tracepoint_plain_new(struct tep_event *event);
/*
 * The same of a probe, whose print format is in @format; the fields of @event
 * are those of tracepoint_probe_format().
 */
struct tracepoint_plain *tracepoint_probe_new(const char *format, size_t len,
					      struct tep_event *event);
void tracepoint_plain_free(struct tracepoint_plain *plain);

/*
 * The text of a format file, rewritten so that libtraceevent can read all
 * fields ("u16 a[2];"; the strings of an array become fields a_0, a_1, ...),
 * without the print format.  The caller frees it.  NULL if the format is not
 * that of a probe, or when out of memory.
 */
char *tracepoint_probe_format(const char *format, size_t len);

/*
 * The text of @data, of a probe as the kernel prints it, with addresses as perf
 * prints them; sanitized, cut to @len - 1 bytes (@len >= 1).  False, with "", if
 * not all fields of the event are within its @size bytes.
 */
bool tracepoint_plain_print(const struct tracepoint_plain *plain,
			    const void *data, size_t size, char *buf,
			    size_t len);

/*
 * Checks whether libtraceevent can safely read a tracepoint's raw data.  It
 * follows all offsets and lengths in there: those of the fields, and what the
 * print format computes from them (lengths of hex dumps, indexes, widths).
 *
 * Pure.
 */

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
