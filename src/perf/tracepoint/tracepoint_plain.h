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

#endif
