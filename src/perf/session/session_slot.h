/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slots of a session: each has a ring and the events that write to it,
 * which are enabled and counted here.
 */
#ifndef RBTOP_PERF_SESSION_SESSION_SLOT_H
#define RBTOP_PERF_SESSION_SESSION_SLOT_H

#include "perf/session/session_state.h"

/* Whether @cpu is not in the CPU list, but its side-band is wanted. */
bool session_slot_is_elsewhere(const struct session *s, int cpu);

/* A new slot, the last one of @s, without ring and events; or NULL. */
struct session_slot *session_slot_add(struct session *s, int cpu, pid_t tid);
/* Whether that one of opts.events is open in any of the slots. */
bool session_slot_is_open(const struct session *s, size_t spec);
/*
 * A dummy of user space alone, disabled, on this thread: nothing takes less
 * privilege.  A fd or -errno.
 */
int session_slot_open_trial(void);
/* Unmap and close all, but keep the slot and its base. */
void session_slot_close(struct session_slot *slot);
/* The same, and free it. */
void session_slot_free(struct session_slot *slot);

/* PERF_EVENT_IOC_ENABLE or _DISABLE.  These return 0 or -errno. */
int session_slot_switch(int fd, bool on);
/* Switch the side-band of @slot; its other events, by the leaders of groups. */
int session_slot_switch_side_band(const struct session_slot *slot, bool on);
int session_slot_switch_events(const struct session *s,
			       const struct session_slot *slot, bool on);
/* Enable both if they are enabled in the session. */
int session_slot_start(const struct session *s,
		       const struct session_slot *slot);

/* The result of read(2); fields are UNKNOWN if it fails. */
struct session_count session_slot_read_count(const struct session *s, int fd);
/* Add the fields of @more that are known. */
void session_slot_add_count(struct session_count *sum,
			    struct session_count more);

#endif
