/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of -e: events between commas, groups in braces. */
#ifndef RBTOP_PERF_EVENT_EVENT_PARSE_H
#define RBTOP_PERF_EVENT_EVENT_PARSE_H

#include "perf/event/event_spec.h"

struct err;

/*
 * Append the events in @text to @list.  0 or -errno with @err, which must not
 * be NULL; then some may have been appended, which the caller drops.
 */
int event_parse(struct event_list *list, const char *text,
		const struct event_env *env, struct err *err);

#endif
