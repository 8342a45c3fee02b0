/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of events that -e accepts: perf's names, breakpoints, numbers,
 * tracepoints, and events of PMUs.
 */
#ifndef RBTOP_PERF_EVENT_EVENT_KINDS_H
#define RBTOP_PERF_EVENT_EVENT_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "perf/event/event_spec.h"

struct err;

#define EVENT_NO_GROUP SIZE_MAX

/* The place of an event in a list, and where it is looked up. */
struct event_context {
	struct event_list *list;
	const struct event_env *env;
	const char *tracefs;	/* NULL: not known yet */
	struct err *err;	/* not NULL */
	const char *group_mods;	/* "" outside of a group */
	size_t leader;		/* or EVENT_NO_GROUP */
};

/*
 * Append the event @text with its terms and modifiers; it may stand for several
 * tracepoints or PMUs.  0, or -errno with the context's err; then some may have
 * been appended.
 */
int event_kinds_add(struct event_context *p, const char *text);

#endif
