/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The letters after an event's last ':' or '/': what it counts (u k h G H I),
 * how precisely (p pp ppp P), and how it is scheduled (D: pinned, e:
 * exclusive).
 */
#ifndef RBTOP_PERF_EVENT_EVENT_MODS_H
#define RBTOP_PERF_EVENT_EVENT_MODS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

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
