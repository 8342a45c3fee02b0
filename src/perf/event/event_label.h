/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name of an event of which only the attr is known, as perf writes it:
 * "cycles:u", "sched:sched_switch", "intel_pt//", "mem:0x4010:rw:k",
 * "bpf-output".
 */
#ifndef RBTOP_PERF_EVENT_EVENT_LABEL_H
#define RBTOP_PERF_EVENT_EVENT_LABEL_H

#include <linux/perf_event.h>

struct event_labels;

/*
 * @pmus is the directory of the PMUs in sysfs (NULL: the usual one), @tracefs
 * that of tracefs (NULL: where it is mounted; it is not mounted for this); both
 * are borrowed.  They are read when first needed, and again for an unknown
 * number, but not more often than every 2 s.  NULL when out of memory.
 */
struct event_labels *event_labels_new(const char *pmus, const char *tracefs);
void event_labels_free(struct event_labels *labels);

/*
 * The event's name, with its modifiers; never NULL.  It is valid until
 * event_labels_free().  Equal names are the same pointer, and their memory is
 * bounded.  Events without a name are shown by numbers: "tracepoint:1234", "pmu
 * 23/config=0x1/".  @attr is what the opener passed: the kernel may have
 * changed the type of its own copy (event->orig_type).  @tracepoint is the
 * kernel's name of a tracepoint, raw; NULL: not known, and looked up in tracefs
 * by its id.  @mono is the time in seconds on CLOCK_MONOTONIC.
 */
const char *event_labels_name(struct event_labels *labels,
			      const struct perf_event_attr *attr,
			      const char *tracepoint, double mono);

#endif
