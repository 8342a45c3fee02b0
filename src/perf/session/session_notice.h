/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person should know of the opening: see session_notice(). */
#ifndef RBTOP_PERF_SESSION_SESSION_NOTICE_H
#define RBTOP_PERF_SESSION_SESSION_NOTICE_H

#include "perf/session/session_state.h"

void session_notice_add(struct session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
