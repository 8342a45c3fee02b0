/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control: opened with the other parts, watched by the watch thread.  0 or
 * -errno.  Close it after that thread has ended.
 */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_CONTROL_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_CONTROL_H

#include "source/session/session_source_state.h"

struct err;

int session_source_control_open(struct session_source *ss, struct err *err);
int session_source_control_watch(struct session_source *ss);
void session_source_control_close(struct session_source *ss);

#endif
