/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains errors of the kernel and what to do about them: perf_event_open(2),
 * ERRORS, and kernel/events/core.c.  Functions with @err return @code.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_ERROR_H
#define RBTOP_PERF_SESSION_SESSION_ERROR_H

#include "perf/session/session_state.h"

struct err;

int session_error_open(const struct session *s, int code, const char *event,
		       const struct perf_event_attr *attr,
		       struct session_place place, struct err *err);
/*
 * kernel.perf_event_paranoid; 2 if it cannot be read.  Levels above 2 mean the
 * same as 2, except in patched kernels: Debian's refuses all events of users
 * then.
 */
struct session_paranoid {
	int level;
	bool refuses_all;	/* tested by opening an event */
};
struct session_paranoid session_paranoid(void);
/* Whether that holds for others alone: CAP_PERFMON, CAP_SYS_ADMIN. */
bool session_error_privileged(void);
/*
 * Explain in @buf what perf_event_paranoid does not allow users, whatever the
 * event, and what it allows.  False if it is not the reason.
 */
bool session_error_mode(struct session_place place,
			struct session_paranoid paranoid, char *buf,
			size_t size);
int session_error_map(const struct session *s, int code, uint64_t bytes,
		      struct session_place place, struct err *err);
int session_error_map_aux(const struct session *s, int code,
			  struct session_place place, struct err *err);
int session_error_redirect(const struct session *s, int code,
			   struct session_place place, struct err *err);
int session_error_address_filter(const struct session *s, int code,
				 const struct event_spec *spec,
				 struct err *err);
/* Add a notice about the events that were left out, if any. */
void session_error_left_out(struct session *s);

#endif
