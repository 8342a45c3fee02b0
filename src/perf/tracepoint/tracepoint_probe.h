/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes: the events of kprobe_events, uprobe_events and dynamic_events.  Their
 * formats have arrays ("u16 a[];", "__data_loc char[][2] a;" for two strings)
 * and characters ("%c") that libtraceevent (1.7) does not support.  Their print
 * formats are simple (kernel/trace/trace_probe.c, __set_print_fmt()), so they
 * are printed here.
 */
#ifndef RBTOP_PERF_TRACEPOINT_TRACEPOINT_PROBE_H
#define RBTOP_PERF_TRACEPOINT_TRACEPOINT_PROBE_H

#include <stddef.h>
#include <traceevent/event-parse.h>

struct tracepoint_probe;

/*
 * The text of a format file, rewritten so that libtraceevent can read all
 * fields ("u16 a[2];"; the strings of an array become fields a_0, a_1, ...),
 * without the print format.  The caller frees it.  NULL if the format is not
 * that of a probe, or when out of memory.
 */
char *tracepoint_probe_format(const char *format, size_t len);

/*
 * The print format of @format, whose fields are those of @event, which must
 * outlive it.  NULL if it is not that of a probe, or when out of memory.
 */
struct tracepoint_probe *tracepoint_probe_new(const char *format, size_t len,
					      struct tep_event *event);
void tracepoint_probe_free(struct tracepoint_probe *probe);

/*
 * The text as the kernel prints it, with addresses as perf prints them.  @data
 * must have passed tracepoint_check().
 */
void tracepoint_probe_print(const struct tracepoint_probe *probe,
			    struct trace_seq *seq, const void *data,
			    size_t size);

#endif
