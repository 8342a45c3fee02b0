/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the attributes of events from the options. */
#ifndef RBTOP_PERF_SESSION_SESSION_SPECS_H
#define RBTOP_PERF_SESSION_SESSION_SPECS_H

#include "perf/session/session_state.h"

struct err;

int session_specs_make(struct session *s, struct err *err);
void session_specs_free(struct session *s);
/* The attributes of a dummy of @place, which may own a ring of @bytes. */
void session_specs_side_band(const struct session *s,
			     struct session_place place, uint64_t bytes,
			     struct perf_event_attr *attr);
/* Set the same watermark in @attr of an event that owns a ring. */
void session_specs_owner(const struct session *s, uint64_t bytes,
			 struct perf_event_attr *attr);
/* EVENT_AUX_* of @attr. */
uint32_t session_specs_aux_action(const struct perf_event_attr *attr);
/* Whether it is opened on @cpu (-1: for a thread, on any CPU). */
bool session_counts_on(const struct event_spec *spec, int cpu);
/* The watermark in bytes that a ring of @bytes gets.  0 or -EINVAL, @err. */
int session_specs_watermark(const struct session *s, uint64_t bytes,
			    uint64_t *watermark, struct err *err);
/*
 * The default size of a ring if kernel.perf_event_mlock_kb is @mlock_kb (0 or
 * less, or absurd: the kernel's default), in bytes.
 */
uint64_t session_specs_default_bytes(long long mlock_kb);
/* The initial ring sizes: -m, or perf's default.  0 or -errno with @err. */
int session_specs_ring_bytes(struct session *s, struct err *err);

#endif
