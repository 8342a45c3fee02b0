/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of the kernel, from what was asked of us. */
#ifndef RBTOP_PERF_SESSION_SESSION_SPECS_H
#define RBTOP_PERF_SESSION_SESSION_SPECS_H

#include "perf/session/session_state.h"

struct err;

int session_specs_make(struct session *s, struct err *err);
void session_specs_free(struct session *s);
/* A dummy of @place, which may own a ring of @bytes. */
void session_specs_side_band(const struct session *s,
			     struct session_place place, uint64_t bytes,
			     struct perf_event_attr *attr);
/* The same watermark for @attr of an event that owns one. */
void session_specs_owner(const struct session *s, uint64_t bytes,
			 struct perf_event_attr *attr);
/* EVENT_AUX_* of @attr. */
uint32_t session_specs_aux_action(const struct perf_event_attr *attr);
/* Whether it is opened on @cpu (-1: on a thread, wherever that runs). */
bool session_counts_on(const struct event_spec *spec, int cpu);
/* The watermark in bytes that a ring of @bytes gets.  0 or -EINVAL, @err. */
int session_specs_watermark(const struct session *s, uint64_t bytes,
			    uint64_t *watermark, struct err *err);
/* The ring sizes to start with: -m, or what perf takes. */
int session_specs_ring_bytes(struct session *s, struct err *err);

#endif
