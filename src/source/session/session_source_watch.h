/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The watch thread: output and end of the workload, tasks that exit, hotplug of
 * CPUs.  They are handled even if the terminal blocks.
 */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_WATCH_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_WATCH_H

#include "source/session/session_source_state.h"

struct err;

int session_source_watch_start(struct session_source *ss, struct err *err);
void session_source_watch_stop(struct session_source *ss);

#endif
