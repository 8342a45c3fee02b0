/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enabling and disabling events.  0 or -errno. */
#ifndef RBTOP_PERF_SESSION_SESSION_SWITCH_H
#define RBTOP_PERF_SESSION_SESSION_SWITCH_H

#include "perf/session/session_state.h"

/* PERF_EVENT_IOC_ENABLE or _DISABLE. */
int session_switch(int fd, bool on);
/* The side-band of @slot; and its other events, by the leaders of groups. */
int session_switch_side_band(const struct session_slot *slot, bool on);
int session_switch_events(const struct session *s,
			  const struct session_slot *slot, bool on);
/* Enable both as far as the session is enabled. */
int session_switch_start(const struct session *s,
			 const struct session_slot *slot);

#endif
