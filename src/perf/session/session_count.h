/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What events have counted and lost: see session_read(). */
#ifndef RBTOP_PERF_SESSION_SESSION_COUNT_H
#define RBTOP_PERF_SESSION_SESSION_COUNT_H

#include "perf/session/session_state.h"

/* What read(2) says; its fields UNKNOWN where it fails. */
struct session_count session_count_read(const struct session *s, int fd);
/* Add what is known; the unknown stays unknown. */
void session_count_add(struct session_count *sum, struct session_count more);

#endif
