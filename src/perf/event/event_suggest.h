/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggests the most similar known name for one that does not exist. */
#ifndef RBTOP_PERF_EVENT_EVENT_SUGGEST_H
#define RBTOP_PERF_EVENT_EVENT_SUGGEST_H

#include "perf/event/event_spec.h"

struct err;

/*
 * The error line for the unknown event @text: "unknown event 'cpu-clok'; did
 * you mean cpu-clock?".  Searches perf's names, the events of all PMUs, and the
 * tracepoints.  Returns -EINVAL with @err (ERR_USAGE).
 */
int event_suggest_unknown(const char *text, const struct event_env *env,
			  struct err *err);

/*
 * The number of letters to add, remove, change or swap with a neighbour to get
 * from @a to @b, ignoring case; -1 if either is too long to compare.
 */
int event_suggest_distance(const char *a, const char *b);

#endif
