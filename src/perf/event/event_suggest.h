/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For a name that does not exist: the known one that is nearest to it. */
#ifndef RBTOP_PERF_EVENT_EVENT_SUGGEST_H
#define RBTOP_PERF_EVENT_EVENT_SUGGEST_H

#include "perf/event/event_spec.h"

struct err;

/*
 * The error line for the event @text, which nothing knows: "unknown event
 * 'cpu-clok'; did you mean cpu-clock?".  Looks at perf's names, the events of
 * all PMUs and the tracepoints.  Returns -EINVAL with @err (ERR_USAGE).
 */
int event_suggest_unknown(const char *text, const struct event_env *env,
			  struct err *err);

/*
 * Letters to add, drop, change or swap with their neighbour to get from @a to
 * @b, whatever their case; -1 where either is too long to compare.
 */
int event_suggest_distance(const char *a, const char *b);

#endif
