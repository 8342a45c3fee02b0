/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hotplug of CPUs; called on the watch thread, under the lock. */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_CPUS_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_CPUS_H

#include "source/session/session_source_state.h"

int session_source_cpus_open(void);	/* netlink socket, or -1 */
void session_source_cpus_event(struct session_source *ss);
void session_source_cpus_check(struct session_source *ss);

#endif
