/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to call an event of which only the attr is known, as perf writes it:
 * "cycles:u", "sched:sched_switch", "intel_pt//", "mem:0x4010:rw:k",
 * "bpf-output".
 */
#ifndef RBTOP_PERF_EVENT_EVENT_LABEL_H
#define RBTOP_PERF_EVENT_EVENT_LABEL_H

#include <linux/perf_event.h>

struct event_labels;

/*
 * @pmus is the directory of the PMUs in sysfs (NULL: the usual one), @tracefs
 * that of tracefs (NULL: where it is mounted; it is not mounted for this).
 * Both are read when they are first needed, and again when an unknown number
 * turns up (at most once in a while, by @mono of event_labels_name).  NULL when
 * out of memory.
 */
struct event_labels *event_labels_new(const char *pmus, const char *tracefs);
void event_labels_free(struct event_labels *labels);

/*
 * The event's name, with its modifiers; never NULL.  It is valid until
 * event_labels_free(), equal names are the same pointer, and their memory is
 * bounded.  What has no name is told by numbers: "tracepoint:1234",
 * "pmu 23/config=0x1/".  @attr is as the opener gave it: the kernel may have
 * changed the type of its own copy (event->orig_type).  @tracepoint is what
 * the kernel itself calls a tracepoint, in whatever bytes; NULL: not known,
 * and looked up in tracefs by its id.
 */
const char *event_labels_name(struct event_labels *labels,
			      const struct perf_event_attr *attr,
			      const char *tracepoint, double mono);

#endif
