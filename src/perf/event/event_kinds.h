/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of events that -e accepts: perf's names, breakpoints, numbers,
 * tracepoints, and events of PMUs.
 */
#ifndef RBTOP_PERF_EVENT_EVENT_KINDS_H
#define RBTOP_PERF_EVENT_EVENT_KINDS_H

#include <stdbool.h>
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

/*
 * The terms of an event between the slashes, "event=0x3c,period=1000,name=x",
 * and the letters after its last ':' or '/': what it counts (u k h G H I), how
 * precisely (p pp ppp P), and how it is scheduled (D: pinned, e: exclusive).
 *
 * Apply @terms to @spec.  Any event takes period=, freq=, name=, aux-action=
 * and aux-output; an event of @pmu (NULL for other events) also takes what the
 * PMU has in format/, events/ and sinks/ (@NAME).  0 or -errno with @err.
 */
int event_terms_apply(const char *terms, const char *pmus, const char *pmu,
		      struct event_spec *spec, struct err *err);

/* True if all of the @len bytes at @s are letters of a modifier. */
bool event_mods_are(const char *s, size_t len);

/*
 * Apply the modifiers @own of an event, then those of its group, @group; either
 * may be "".  *@most_precise is set if one of them is P: the caller then
 * chooses precise_ip.  0, or -EINVAL with @err (ERR_USAGE).
 */
int event_mods_apply(const char *own, const char *group,
		     struct perf_event_attr *attr, bool *most_precise,
		     struct err *err);

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
