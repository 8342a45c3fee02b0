/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of kprobe_events, uprobe_events and dynamic_events: probes, whose
 * formats have arrays that libtraceevent (1.7) does not know ("u16 a[];", of
 * several strings "__data_loc char[][2] a;"), and characters ("%c").  Their
 * print formats are plain (kernel/trace/trace_probe.c, __set_print_fmt()), so
 * they are printed here.
 */
#ifndef RBTOP_PERF_TRACEPOINT_PROBE_H
#define RBTOP_PERF_TRACEPOINT_PROBE_H

#include <stddef.h>
#include <traceevent/event-parse.h>

struct tracepoint_probe;

/*
 * The text of a format file in which all fields are such that libtraceevent
 * reads them, without the print format: "u16 a[2];"; the strings of an array
 * are fields of their own, a_0 and so on.  To be freed.  NULL for the format
 * of another event, or when out of memory.
 */
char *tracepoint_probe_format(const char *format, size_t len);

/*
 * The print format of @format, whose fields are those of @event, for as long
 * as that lives.  NULL where it is not a probe's, or when out of memory.
 */
struct tracepoint_probe *tracepoint_probe_new(const char *format, size_t len,
					      struct tep_event *event);
void tracepoint_probe_free(struct tracepoint_probe *probe);

/*
 * The text as the kernel prints it, addresses as perf does.  Only of data that
 * tracepoint_check() found good.
 */
void tracepoint_probe_print(const struct tracepoint_probe *probe,
			    struct trace_seq *seq, const void *data,
			    size_t size);

#endif
