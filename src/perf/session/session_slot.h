/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slots of a session: a ring, and the events that write to it, which are
 * enabled and counted here.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_SLOT_H
#define RBTOP_PERF_SESSION_SESSION_SLOT_H

#include "perf/session/session_state.h"

/* Whether it is no CPU of the list, but one whose side-band is wanted. */
bool session_slot_is_elsewhere(const struct session *s, int cpu);

/* A new slot, the last one of @s, without ring and events; or NULL. */
struct session_slot *session_slot_add(struct session *s, int cpu, pid_t tid);
/* Unmap and close, leaving the slot itself and its base. */
void session_slot_close(struct session_slot *slot);
/* The same, and free it. */
void session_slot_free(struct session_slot *slot);

/* PERF_EVENT_IOC_ENABLE or _DISABLE.  These return 0 or -errno. */
int session_slot_switch(int fd, bool on);
/* The side-band of @slot; and its other events, by the leaders of groups. */
int session_slot_switch_side_band(const struct session_slot *slot, bool on);
int session_slot_switch_events(const struct session *s,
			       const struct session_slot *slot, bool on);
/* Enable both as far as the session is enabled. */
int session_slot_start(const struct session *s,
		       const struct session_slot *slot);

/* What read(2) says; its fields UNKNOWN where it fails. */
struct session_count session_slot_read_count(const struct session *s, int fd);
/* Add what is known; the unknown stays unknown. */
void session_slot_add_count(struct session_count *sum,
			    struct session_count more);

#endif
