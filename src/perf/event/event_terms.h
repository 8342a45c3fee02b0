/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terms of an event between the slashes, "event=0x3c,period=1000,name=x",
 * and the letters after its last ':' or '/': what it counts (u k h G H I), how
 * precisely (p pp ppp P), and how it is scheduled (D: pinned, e: exclusive).
 */
#ifndef RBTOP_PERF_EVENT_EVENT_TERMS_H
#define RBTOP_PERF_EVENT_EVENT_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "perf/event/event_spec.h"

struct err;

/*
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

#endif
