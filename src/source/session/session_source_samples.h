/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The resolver thread and its input. */
#ifndef RBTOP_SOURCE_SESSION_SESSION_SOURCE_SAMPLES_H
#define RBTOP_SOURCE_SESSION_SESSION_SOURCE_SAMPLES_H

#include "source/session/session_source_state.h"

struct err;

int session_source_open_samples(struct session_source *ss, struct err *err);
/* As resolver_thread_free(); if false, what it may use must be kept. */
bool session_source_close_samples(struct session_source *ss);

#endif
