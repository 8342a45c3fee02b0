/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terms between the slashes: "event=0x3c,period=1000,name=x". */
#ifndef RBTOP_PERF_EVENT_EVENT_TERMS_H
#define RBTOP_PERF_EVENT_EVENT_TERMS_H

#include "perf/event/event_spec.h"

struct err;

/*
 * Apply @terms to @spec.  Any event takes period=, freq=, name=, aux-action=
 * and aux-output; an event of @pmu (NULL for other events) also takes what the
 * PMU has in format/, events/ and sinks/ (@NAME).  0 or -errno with @err.
 */
int event_terms_apply(const char *terms, const char *pmus, const char *pmu,
		      struct event_spec *spec, struct err *err);

#endif
