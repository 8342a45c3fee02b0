/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slots of a session: a ring, and the events that write to it. */
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

#endif
